"""Whether the keyboard may be moved: what comes after a wait must not take it from where the user went meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from workbench.ui.widgets.roomy import RoomyPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Row = TypeVar("Row", bound=QWidget)


def keyboard_is_here(part: QWidget, leaving: QWidget | None = None) -> bool:
    """The keyboard is on the page of `part`, or nowhere, and in no text field but one that goes with `leaving`."""
    page = _page_of(part)
    now = part.window().focusWidget()
    if now is None or not now.isVisible():
        return page.isVisible()
    if leaving is not None and leaving.isAncestorOf(now):
        return True
    return (now is page or page.isAncestorOf(now)) and not _is_typed_in(now)


@contextmanager
def keyboard_kept(rows: Callable[[], Sequence[QWidget]], instead: QWidget) -> Iterator[None]:
    """Inside, rows may go: where the keyboard was in one and none is left, `instead` gets it. The window would choose
    otherwise, and its choice is the search field."""
    focus = instead.window().focusWidget()
    was_there = any(focus is not None and row.isAncestorOf(focus) for row in rows())
    yield
    if was_there and not rows():
        instead.setFocus()


def row_in_use(rows: Sequence[Row], page: QWidget) -> Row | None:
    """The row that has the keyboard, else the first one; None without any."""
    focus = page.focusWidget()
    return next((row for row in rows if focus is not None and row.isAncestorOf(focus)), rows[0] if rows else None)


def _page_of(part: QWidget) -> QWidget:
    above: QWidget | None = part
    while above is not None and not isinstance(above, RoomyPage) and not above.isWindow():
        part, above = above, above.parentWidget()
    return above or part


def _is_typed_in(field: QWidget) -> bool:
    return isinstance(field, QLineEdit | QTextEdit | QPlainTextEdit) and not field.isReadOnly()
