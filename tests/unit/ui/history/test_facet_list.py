from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.history.facet_list import FacetList
from workbench.ui.history.facets import FacetModel, facet_lines

GROUPS = {"verdict": [("pass", 84_012), ("fail", 27_870)], "model": [("qwen-hasty", 14_118)]}


def _list(qtbot) -> FacetList:
    model = FacetModel()
    model.show_lines(facet_lines(GROUPS, "verdict:fail", [("Failures", "verdict:fail")]))
    shown = FacetList(model)
    model.setParent(shown)
    qtbot.addWidget(shown)
    shown.resize(190, 400)
    shown.show()
    return shown


def _click(shown: FacetList, row: int) -> None:
    place = shown.visualRect(shown.model().index(row, 0)).center()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_values_are_toggled_and_headings_are_not(theme, qtbot) -> None:
    shown = _list(qtbot)
    with qtbot.waitSignal(shown.toggled) as seen:
        _click(shown, 3)
    assert seen.args == ["verdict", "pass", True]
    with qtbot.waitSignal(shown.toggled) as seen:
        _click(shown, 4)
    assert seen.args == ["verdict", "fail", False]
    with qtbot.assertNotEmitted(shown.toggled):
        _click(shown, 2)


def test_views_are_chosen_and_removed(theme, qtbot) -> None:
    shown = _list(qtbot)
    with qtbot.waitSignal(shown.view_chosen) as seen:
        _click(shown, 1)
    assert seen.args == ["verdict:fail"]
    with qtbot.waitSignal(shown.view_removal_asked) as seen:
        QTest.keyClick(shown, Qt.Key.Key_Delete)
    assert seen.args == ["Failures"]


def test_the_keyboard_toggles(theme, qtbot) -> None:
    shown = _list(qtbot)
    shown.setCurrentIndex(shown.model().index(6, 0))
    with qtbot.waitSignal(shown.toggled) as seen:
        QTest.keyClick(shown, Qt.Key.Key_Space)
    assert seen.args == ["model", "qwen-hasty", True]
