from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtTest import QTest

from tests.kit.comparing import BATCHES, CHOSEN
from tests.kit.gui import colours
from workbench.ui.compare.setup_rows import BatchDelegate, TargetLine
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.rows import RowList


def test_a_target_line_can_be_removed(theme, qtbot) -> None:
    line = TargetLine(CHOSEN[0])
    qtbot.addWidget(line)
    line.show()
    button = line.findChild(Button)
    assert button is not None
    assert button.accessibleName() == "Take out Simulator / qwen-hasty"
    with qtbot.waitSignal(line.removed):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_unfinished_batch_shows_progress(theme, qtbot) -> None:
    rows = RowList("Batches")
    qtbot.addWidget(rows)
    rows.setItemDelegate(BatchDelegate(rows, BATCHES.__getitem__))
    rows.setModel(QStringListModel(["unfinished", "done"], rows))
    rows.resize(380, 200)
    rows.show()
    assert LIGHT.accent.lower() in colours(rows)
    assert rows.sizeHintForRow(0) == 48
