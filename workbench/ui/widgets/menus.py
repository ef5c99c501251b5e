"""Menus: gone once they close, and never in the way of a window whose button cannot be used any more.

When a menu opens its first entry is chosen, so that Enter takes it where a key opened the menu.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget


class Menu(QMenu):
    """A menu that is deleted when it closes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        close_if_disabled(self, event)


def close_if_disabled(popup: QWidget, event: QEvent) -> None:
    """Close a popup that was disabled with what it belongs to.

    It would take neither keys nor clicks, and as long as it is open nothing else gets any.
    """
    if event.type() is QEvent.Type.EnabledChange and not popup.isEnabled():
        popup.close()


def open_below(menu: QMenu, button: QWidget) -> None:
    """Open a menu under a button."""
    open_at(menu, button.mapToGlobal(QPoint(0, button.height() + 2)))


def open_at(menu: QMenu, place: QPoint) -> None:
    """Open a menu at a place of the screen."""
    menu.popup(place)
    first = next((one for one in menu.actions() if one.isEnabled() and not one.isSeparator()), None)
    if first is not None and first.menu() is None:  # choosing one that leads on would open what it leads to
        menu.setActiveAction(first)
