"""Whether the keyboard may be moved: what comes after a wait must not take it from where the user went meanwhile."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from workbench.ui.widgets.roomy import RoomyPage


def keyboard_is_here(part: QWidget, leaving: QWidget | None = None) -> bool:
    """The keyboard is on the page of `part`, or nowhere, and in no text field but one that goes with `leaving`."""
    page = _page_of(part)
    now = part.window().focusWidget()
    if now is None or not now.isVisible():
        return page.isVisible()
    if leaving is not None and leaving.isAncestorOf(now):
        return True
    return (now is page or page.isAncestorOf(now)) and not _is_typed_in(now)


def _page_of(part: QWidget) -> QWidget:
    above: QWidget | None = part
    while above is not None and not isinstance(above, RoomyPage) and not above.isWindow():
        part, above = above, above.parentWidget()
    return above or part


def _is_typed_in(field: QWidget) -> bool:
    return isinstance(field, QLineEdit | QTextEdit | QPlainTextEdit) and not field.isReadOnly()
