"""QPalette from the tokens: what Fusion paints by itself has the right colours even where no rule reaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPalette

if TYPE_CHECKING:
    from workbench.ui.theme.tokens import Tokens

_ROLES = {
    QPalette.ColorRole.Window: "chrome",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "on_accent",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "link",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "line2",
    QPalette.ColorRole.Dark: "edge",
    QPalette.ColorRole.Shadow: "line2",
    QPalette.ColorRole.Accent: "accent",
}
_DISABLED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)


def palette_for(tokens: Tokens) -> QPalette:
    """Return the application palette of a theme."""
    palette = QPalette()
    for role, name in _ROLES.items():
        palette.setColor(role, QColor(tokens.colour(name)))
    for role in _DISABLED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.text3))
    return palette
