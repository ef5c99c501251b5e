"""What a screen reader is told of a window, from inside of it, and where Tab leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from workbench.ui.main.window import MainWindow

_SEEN = 60
"""Cells of a table that are asked; the others are made alike."""
_STEPS = 120
"""Stops of the longest page, and as many again."""


def nameless(window: QWidget) -> list[str]:
    """What of a window takes the focus, is seen, and has no name to read out or no role."""
    root = QAccessible.queryAccessibleInterface(window)
    assert root is not None
    return _nameless(root, ())


def _nameless(node: QAccessibleInterface, path: tuple[str, ...]) -> list[str]:
    state, name, role = node.state(), node.text(QAccessible.Text.Name), node.role()
    if state.invisible:
        return []
    here = (*path, name)
    dumb = not name.strip() or role is QAccessible.Role.NoRole
    found = [f"{role} in {path[-3:]}"] if state.focusable and not state.disabled and dumb else []
    children = (node.child(at) for at in range(min(node.childCount(), _SEEN)))
    return found + [one for child in children if child and child.isValid() for one in _nameless(child, here)]


def tab_stops(window: MainWindow, first: QWidget) -> list[QWidget]:
    """Where Tab leads from a widget, until it is back there."""
    first.setFocus()
    seen: list[QWidget] = []
    while len(seen) < _STEPS:
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        assert now is not None
        if now is first:
            return seen
        seen.append(now)
    raise AssertionError(f"Tab does not come back: {seen[-10:]}")
