"""The page's states, without the application behind it."""

from __future__ import annotations

from workbench.ui.forensics.view import ForensicsView
from workbench.ui.theme.theme import Theme


def make(qtbot, width: int = 1368, height: int = 830) -> ForensicsView:
    view = ForensicsView()
    qtbot.addWidget(view)
    view.resize(width, height)
    view.show()
    return view


def test_empty_reading_result(theme: Theme, qtbot) -> None:
    view = make(qtbot)
    assert not view.is_waiting
    assert not view.next.isEnabled()
    view.show_reading()
    assert view.is_waiting
    view.show_result()
    assert view.shows_result
    view.show_reading()
    assert view.shows_result, "a later reading replaces the shown one without a spinner"
    view.show_empty()
    assert not view.shows_result


def test_the_count_of_characters(theme: Theme, qtbot) -> None:
    view = make(qtbot)
    view.show_text("x")
    assert (view.count.text(), view.clear.isEnabled()) == ("1 character", True)
    view.show_text("")
    assert (view.count.text(), view.clear.isEnabled()) == ("", False)


def test_it_fits_the_smallest_window(theme: Theme, qtbot) -> None:
    view = make(qtbot, 952, 612)
    view.show_text("abc")
    view.show_result()
    hint = view.minimumSizeHint()
    assert hint.width() <= 952
    assert hint.height() <= 612


def test_panes_for_the_keyboard(theme: Theme, qtbot) -> None:
    view = make(qtbot)
    assert view.focus_panes() == [view.editor, view.findings.list, view.matrix.table]
