from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter

from workbench.ui.cases.rows import CaseLine, SuiteLine
from workbench.ui.cases.view import CasesView

SUITES = (SuiteLine("demo", 14, read_only=True), SuiteLine("mine", 2))
CASES = (CaseLine("a", "weather", "Weather in Rome", "get_weather"), CaseLine("b", "broken", "", "", fault="line 2"))


def _view(qtbot, width: int = 1368) -> CasesView:
    view = CasesView()
    qtbot.addWidget(view)
    view.resize(width, 800)
    view.suites.show_lines(SUITES)
    view.cases.show_lines(CASES)
    view.show()
    return view


def test_clicks_tell_suite_and_case(theme, qtbot) -> None:
    view = _view(qtbot)
    place = view.suite_list.visualRect(view.suites.index(1, 0)).center()
    with qtbot.waitSignal(view.suite_chosen) as seen:
        QTest.mouseClick(view.suite_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert seen.args == ["mine"]
    place = view.table.visualRect(view.cases.index(1, 0)).center()
    with qtbot.waitSignal(view.case_chosen) as chosen:
        QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["b"]
    assert view.case == CASES[1]
    assert view.suite == SUITES[1]
    assert not view.grab().isNull()


def test_a_read_only_suite_takes_no_new_case(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_suite(SUITES[0])
    assert not view.new_button.isEnabled()
    view.show_suite(SUITES[1])
    with qtbot.waitSignal(view.new_asked):
        QTest.mouseClick(view.new_button, Qt.MouseButton.LeftButton)
    view.cases.show_lines(())
    view.show_rows(False)
    assert view.empty.isVisible()


def test_in_a_narrow_window_the_reading_stands_below(theme, qtbot) -> None:
    view = _view(qtbot, 1200)
    split = view.findChild(QSplitter)
    assert split is not None
    assert split.orientation() == Qt.Orientation.Vertical
    view.resize(1368, 800)
    qtbot.waitUntil(lambda: split.orientation() == Qt.Orientation.Horizontal)
