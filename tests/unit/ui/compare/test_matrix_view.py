from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.comparing import matrix
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_view import MatrixView, fitting_total


def _view(qtbot, width: int = 980, height: int = 500) -> MatrixView:
    model = MatrixModel()
    view = MatrixView(model)
    model.setParent(view)
    qtbot.addWidget(view)
    model.show(matrix())
    view.resize(width, height)
    view.show()
    return view


def test_both_views_scroll_together(theme, qtbot) -> None:
    view = _view(qtbot)
    view.cells.verticalScrollBar().setValue(120)
    assert view.cases.verticalScrollBar().value() == 120
    view.cases.verticalScrollBar().setValue(60)
    assert view.cells.verticalScrollBar().value() == 60
    assert view.cases.rowViewportPosition(3) == view.cells.rowViewportPosition(3)


def test_rows_align_with_scrolled_columns(theme, qtbot) -> None:
    view = _view(qtbot, 640)
    qtbot.waitUntil(view.cells.horizontalScrollBar().isVisible)
    qtbot.waitUntil(lambda: view.cases.viewport().height() == view.cells.viewport().height())
    end = view.cells.verticalScrollBar().maximum()
    view.cells.verticalScrollBar().setValue(end)
    assert view.cases.verticalScrollBar().value() == end
    assert not view.cases.isColumnHidden(0)
    assert view.cells.isColumnHidden(0)


def test_eight_targets_fit_the_usual_width(theme, qtbot) -> None:
    view = _view(qtbot, 971, 900)
    assert not view.cells.horizontalScrollBar().isVisible()
    assert all(view.cells.columnWidth(at) >= 92 for at in range(1, 9))


def test_few_targets_leave_nothing_empty_on_a_wide_screen(theme, qtbot) -> None:
    view = _view(qtbot, 2400, 900)
    assert sum(view.cells.columnWidth(at) for at in range(1, 9)) == view.cells.viewport().width()


def test_a_click_chooses_a_cell_and_enter_opens_it(theme, qtbot) -> None:
    view = _view(qtbot)
    place = view.cells.visualRect(view.model.index(1, 2)).center()
    with qtbot.waitSignal(view.cell_chosen) as chosen:
        QTest.mouseClick(view.cells.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (chosen.args[0].row(), chosen.args[0].column()) == (1, 2)
    with qtbot.waitSignal(view.cell_opened):
        QTest.keyClick(view.cells, Qt.Key.Key_Return)
    QTest.keyClick(view.cells, Qt.Key.Key_Right)
    assert view.cells.currentIndex().column() == 3
    view.choose("unicode-path", 5)
    assert view.model.case(view.cells.currentIndex().row()).case.id == "unicode-path"


def test_sizes_follow_the_text_size(theme, qtbot) -> None:
    view = _view(qtbot)
    theme.set_scale(2.0)
    assert view.cells.rowHeight(0) == view.cases.rowHeight(0) == 88
    assert view.cases.width() == 408


def test_taking_the_focus_chooses_nothing(theme, qtbot) -> None:
    view = _view(qtbot)
    view.activateWindow()
    with qtbot.assertNotEmitted(view.cell_chosen):
        view.cells.setFocus()
    assert not view.cells.currentIndex().isValid()
    with qtbot.waitSignal(view.cell_chosen):
        QTest.keyClick(view.cells, Qt.Key.Key_Down)
    assert view.cells.currentIndex().column() == 1


def test_a_narrow_column_gives_up_the_sign_of_its_mean_first(theme) -> None:
    assert fitting_total("100 %", "77–100", 300) == ("100 %", "77–100")
    assert fitting_total("100 %", "77–100", 40) == ("100", "77–100")
    assert fitting_total("–", "none graded", 10) == ("–", "none graded")


def test_suite_means_are_told(theme, qtbot) -> None:
    view = _view(qtbot)
    said = view.totals.accessibleDescription().split("; ")
    assert len(said) == len(view.model.columns) == 8
    assert all("%" in one or "none graded" in one for one in said)
