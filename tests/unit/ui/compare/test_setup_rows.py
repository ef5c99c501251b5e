from __future__ import annotations

from PySide6.QtCore import QStringListModel

from tests.kit.comparing import BATCHES
from tests.kit.gui import colours
from workbench.ui.compare.setup_rows import BatchDelegate
from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.rows import RowList


def test_unfinished_batch_shows_progress(theme, qtbot) -> None:
    rows = RowList("Batches")
    qtbot.addWidget(rows)
    rows.setItemDelegate(BatchDelegate(rows, BATCHES.__getitem__))
    rows.setModel(QStringListModel(["unfinished", "done"], rows))
    rows.resize(380, 200)
    rows.show()
    assert LIGHT.accent.lower() in colours(rows)
    assert rows.sizeHintForRow(0) == 48
