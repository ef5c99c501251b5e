from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from workbench.ui.theme.tokens import DARK, LIGHT
from workbench.ui.widgets.check_box import CheckBox


def test_box_is_seen_in_both_themes_and_switched_by_key_and_click(theme, qtbot) -> None:
    box = CheckBox("this path, for this run")
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    for mode, tokens in (("light", LIGHT), ("dark", DARK)):
        theme.choose(mode)
        box.setChecked(False)
        assert tokens.edge.lower() in colours(box)
        QTest.keyClick(box, Qt.Key.Key_Space)
        assert box.isChecked()
        assert tokens.accent.lower() in colours(box)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 4, 4))
    assert not box.isChecked()
