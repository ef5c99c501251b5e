from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.widgets.tabs import Tabs


def test_click_and_arrows_choose(theme, qtbot) -> None:
    tabs = Tabs([("runs", "Runs"), ("flips", "Flips"), ("bin", "Bin")])
    qtbot.addWidget(tabs)
    tabs.resize(400, 36)
    tabs.show()
    with qtbot.waitSignal(tabs.tab_chosen) as seen:
        QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert (seen.args, tabs.current) == (["flips"], "flips")
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.current == "bin"
    tabs.choose("runs")
    assert tabs.current == "runs"


def test_counts_take_room_and_are_read_out(theme, qtbot) -> None:
    tabs = Tabs([("runs", "Runs"), ("bin", "Bin")])
    qtbot.addWidget(tabs)
    before = tabs.sizeHint().width()
    tabs.set_count("runs", "31,204 of 1,048,213")
    assert tabs.sizeHint().width() > before + 80
    assert tabs.accessibleTabName(0) == "Runs 31,204 of 1,048,213"
    tabs.set_count("runs", "")
    assert tabs.accessibleTabName(0) == "Runs"
    tabs.set_count("runs", "31,204 of 1,048,213")
