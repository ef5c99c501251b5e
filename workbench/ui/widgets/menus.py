"""Opening a menu: its first entry is chosen, so that Enter takes it where a key opened the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QWidget


def open_below(menu: QMenu, button: QWidget) -> None:
    """Open a menu under a button."""
    open_at(menu, button.mapToGlobal(QPoint(0, button.height() + 2)))


def open_at(menu: QMenu, place: QPoint) -> None:
    """Open a menu at a place of the screen."""
    menu.popup(place)
    first = next((one for one in menu.actions() if one.isEnabled() and not one.isSeparator()), None)
    if first is not None and first.menu() is None:  # choosing one that leads on would open what it leads to
        menu.setActiveAction(first)
