from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.pages import NOW_US, history
from workbench.ui.history.rows import PAGE
from workbench.ui.history.view import HistoryView

NOW = datetime.fromtimestamp(NOW_US / 1_000_000, UTC)


def _view(qtbot, width: int = 1368) -> HistoryView:
    view = HistoryView()
    qtbot.addWidget(view)
    view.resize(width, 830)
    view.model.show_first(history(PAGE), NOW)
    view.show_rows(True)
    view.show()
    return view


def test_stepping_choosing_and_opening(theme, qtbot) -> None:
    view = _view(qtbot)
    view.table.choose_row(0)
    with qtbot.waitSignal(view.chosen_changed):
        view.step(1)
    assert view.chosen == history(2)[1]
    view.step(-5)
    assert view.chosen == history(1)[0]
    with qtbot.waitSignal(view.open_asked):
        QTest.keyClick(view.table, Qt.Key.Key_Return)


def test_scrolling_to_the_end_asks_for_the_next_page(theme, qtbot) -> None:
    view = _view(qtbot)
    with qtbot.waitSignal(view.model.page_wanted):
        view.table.scrollToBottom()
        view.table.verticalScrollBar().setValue(view.table.verticalScrollBar().maximum())


def test_new_runs_leave_what_is_in_sight_where_it_is(theme, qtbot) -> None:
    view = _view(qtbot)
    runs = history(PAGE)
    view.model.show_first(runs[3:], NOW)
    view.table.choose_row(0)
    assert view.show_new(runs) == list(runs[:3])
    assert view.chosen == runs[3]
    assert view.table.rowAt(0) == 0  # at the top they are seen
    view.model.show_first(runs[3:], NOW)
    view.table.scrollTo(view.model.index(40, 0), view.table.ScrollHint.PositionAtTop)
    seen = view.model.line(view.table.rowAt(0)).run
    view.show_new(runs)
    assert view.model.line(view.table.rowAt(0)).run == seen


def test_a_wrong_filter_is_marked_and_taken_back(theme, qtbot) -> None:
    view = _view(qtbot)
    view.say_wrong("There is no field 'verdct'.")
    assert view.complaint.isVisible()
    assert view.filter.is_invalid
    view.say_wrong("")
    assert not view.complaint.isVisible()


def test_three_kinds_of_nothing(theme, qtbot) -> None:
    view = _view(qtbot)
    pictures = []
    for words in ({}, {"filtered": True}, {"binned": True}):
        view.show_rows(False, **words)
        assert view.rows.currentIndex() == 1
        pictures.append(view.empty.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2]


def test_facets_fold_in_a_narrow_window(theme, qtbot) -> None:
    view = _view(qtbot, 1100)
    assert not view.facet_list.isVisible()
    QTest.mouseClick(view._fold, Qt.MouseButton.LeftButton)
    assert view.facet_list.isVisible()
    view.resize(1400, 830)
    assert view.facet_list.isVisible()
    assert not view._fold.isVisible()
    assert len(view.focus_panes()) == 4


def test_only_lists_of_runs_have_the_chosen_one_beside_them(theme, qtbot) -> None:
    view = _view(qtbot)
    for show in (view.show_size, view.show_models, view.show_flips):
        show()
        assert not view.preview.isVisible()
    view.show_rows(True)
    assert view.preview.isVisible()
    view.show_rows(False)
    assert view.preview.isVisible()
