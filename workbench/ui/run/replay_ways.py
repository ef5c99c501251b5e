"""The ways of replaying many runs, as a menu and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.menus import Menu, open_below

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = {
    "parse": tr("Re-parse"),
    "offline": tr("Offline replay"),
    "live": tr("Live replay"),
    "parity": tr("Cutting otherwise"),
}
"""What a pass is called."""
_MENU = (
    ("parse", tr("Re-parse all: today's parsers over the recorded replies"), "arrows-clockwise"),
    ("offline", tr("Replay all offline: today's engine over the recorded exchanges"), "rewind"),
    ("parity", tr("Cut all otherwise: the replies in other pieces"), "scissors"),
    ("live", tr("Send all once more …"), "broadcast"),
)


def way_menu(below: QWidget, start: Callable[[str], None]) -> QMenu:
    """Open the menu under a button; `start` gets the way that is chosen."""
    made = Menu(below)
    for mode, title, glyph in _MENU:
        made.addAction(icon(glyph), title, lambda one=mode: start(one))
    open_below(made, below)
    return made
