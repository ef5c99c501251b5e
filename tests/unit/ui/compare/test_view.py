from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from tests.kit.comparing import NAMES, matrix, progress
from workbench.grading.matrix import CaseFilter
from workbench.ui.compare.view import CompareView
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.roomy import RoomyPage


def _view(qtbot, width: int = 1368) -> CompareView:
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(width, 830)
    view.show_matrix(matrix())
    view.show_results()
    view.show()
    return view


def test_chips_filter_with_counts(theme, qtbot) -> None:
    view = _view(qtbot)
    assert view.chips.chip(CaseFilter.FAILING).accessibleName() == "failing 3"
    assert view.chips.chip(CaseFilter.FLIPPED).isHidden()
    QTest.mouseClick(view.chips.chip(CaseFilter.FAILING), Qt.MouseButton.LeftButton)
    assert view.model.rowCount() == 3
    QTest.keyClicks(view.filter, "long")
    assert view.model.rowCount() == 1
    QTest.keyClicks(view.filter, " nothing like it")
    assert view.middle.currentWidget() is view.nothing
    view.filter.clear()
    QTest.mouseClick(view.chips.chip(CaseFilter.ALL), Qt.MouseButton.LeftButton)
    assert view.middle.currentWidget() is view.matrix
    assert view.model.rowCount() == 14


def test_a_chosen_cell_is_told_with_case_and_target(theme, qtbot) -> None:
    view = _view(qtbot)
    with qtbot.waitSignal(view.cell_chosen) as seen:
        view.matrix.choose("two-cities-forecast", 4)
    assert (seen.args[0].case.id, seen.args[1].value.mode) == ("two-cities-forecast", "boost")
    assert view.chosen == tuple(seen.args)
    view.show_matrix(matrix(), live=True)
    assert view.chosen == tuple(seen.args)


def test_in_a_narrow_window_the_panel_is_a_drawer(theme, qtbot) -> None:
    view = _view(qtbot, 1208)
    assert view.panel.isHidden()
    view.matrix.choose("unicode-path", 8)
    view.open_panel()
    cells = view.matrix.cells
    qtbot.waitUntil(lambda: view.matrix.width() < 1208 - 390)
    qtbot.waitUntil(lambda: cells.visualRect(cells.currentIndex()).right() <= cells.viewport().width())
    assert view.panel.isVisible()
    view.toggle_panel()
    assert view.panel.isHidden()
    view.resize(1368, 830)
    qtbot.waitUntil(view.panel.isVisible)
    qtbot.waitUntil(lambda: view.matrix.width() < 1368 - 390)


def test_progress_and_trouble_come_and_go(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_progress(progress(), NAMES)
    assert view.progress.isVisible()
    assert view.matrix.head.accessibleName() == "Cases, in running order"
    view.show_trouble("The disk is full.", "Make room.")
    assert view.trouble.isVisible()
    view.show_trouble("")
    assert not view.trouble.isVisible()


def test_panes_for_f6(theme, qtbot) -> None:
    view = _view(qtbot)
    assert view.focus_panes()[1] is view.matrix.cells
    view.show_setup()
    assert view.shows_setup
    assert view.focus_panes()[0] is view.setup.suite


def test_results_take_no_keyboard_from_where_somebody_types(theme, qtbot) -> None:
    window, view, palette = QWidget(), CompareView(), QLineEdit()
    qtbot.addWidget(window)
    window.setLayout(column(RoomyPage(view), palette))
    with qtbot.waitExposed(window):
        window.show()
    view.show_setup()
    palette.setFocus()
    view.show_results()
    assert window.focusWidget() is palette
    view.show_setup()
    view.setup.repeats.setFocus()
    view.show_results()
    assert window.focusWidget() is view.matrix.cells
