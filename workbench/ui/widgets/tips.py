"""Tool tips as plain text: Qt takes a tip for markup when it looks like it, and markup loads files.

Names of tools, models, cases and whatever a server writes reach tips. Only this module sets them.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QToolTip, QWidget

from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

LONGEST = 2_000
"""Characters of a tip; more fill the screen."""
_OPEN, _CLOSE = '<span style="white-space: pre-wrap">', "</span>"


def plain_tip(text: str) -> str:
    """The text as a tip that shows exactly these characters; what only looks like markup is escaped."""
    shown = visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
    return f"{_OPEN}{html.escape(shown)}{_CLOSE}" if RichText.mightBeRichText(shown) else shown


def tip_words(tip: str) -> str:
    """The characters that a tip shows."""
    return html.unescape(tip[len(_OPEN) : -len(_CLOSE)]) if tip.startswith(_OPEN) else tip


def set_tip(target: QWidget | QAction, text: str) -> None:
    """Give a widget or an action a tip; assistive technology reads the text, not the escapes."""
    tip = plain_tip(text)
    if isinstance(target, QWidget) and not target.accessibleDescription() and tip.startswith(_OPEN):
        target.setAccessibleDescription(visible(text[:LONGEST]))
    target.setToolTip(tip)


def hide_tip() -> None:
    """Take away the tip that is shown."""
    QToolTip.hideText()


def show_tip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show a tip at once, at a place of the screen."""
    QToolTip.showText(place, plain_tip(text), widget)
