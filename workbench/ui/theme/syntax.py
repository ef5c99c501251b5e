"""Roles in raw panes: what they look like, and which role a Pygments token plays.

Parser spans are the better source (they know what is a marker in which format); the lexer colours what no parser has
read, such as wire bytes and settings. Pygments is imported on first use.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QBrush, QColor, QFont, QTextCharFormat

from workbench.ui.theme.theme import tokens

if TYPE_CHECKING:
    from pygments.lexer import Lexer

    from workbench.core.calls import Region
    from workbench.ui.theme.tokens import Tokens

_UNDERLINES = {
    "wave": QTextCharFormat.UnderlineStyle.WaveUnderline,
    "line": QTextCharFormat.UnderlineStyle.SingleUnderline,
    "dash": QTextCharFormat.UnderlineStyle.DashUnderline,
}

_TOKEN_ROLES = {
    "Name.Tag": "key",
    "Name.Attribute": "key",
    "Name.Function": "name",
    "Name.Class": "name",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Keyword.Constant": "number",
    "Comment": "reasoning",
    "Error": "problem",
    "Generic.Emph": "reasoning",
    "Name.Decorator": "special",
}
"""Pygments token type to role; the longest prefix counts."""


def role_format(role: str, theme: Tokens | None = None) -> QTextCharFormat:
    """Return the look of a role (`marker`, `name`, …, `linked`, `open`) as a text format."""
    ink = (theme or tokens()).inks[role]
    look = QTextCharFormat()
    if ink.colour:
        look.setForeground(QBrush(QColor(ink.colour)))
    if ink.ground:
        look.setBackground(QBrush(QColor(ink.ground)))
    if ink.bold:
        look.setFontWeight(QFont.Weight.DemiBold)
    if ink.italic:
        look.setFontItalic(True)
    if ink.underline:
        look.setUnderlineStyle(_UNDERLINES[ink.underline])
        look.setUnderlineColor(QColor(ink.underline_colour))
    return look


def role_formats(theme: Tokens | None = None) -> dict[str, QTextCharFormat]:
    """Return the looks of all roles; make them again on `Theme.changed`."""
    chosen = theme or tokens()
    return {role: role_format(role, chosen) for role in chosen.inks}


def role_of_token(token_type: Any) -> str:
    """Return the role of a Pygments token type, or an empty string."""
    name = str(token_type).removeprefix("Token.").removeprefix("Token")
    while name:
        if name in _TOKEN_ROLES:
            return _TOKEN_ROLES[name]
        name = name.rpartition(".")[0]
    return ""


@cache
def _lexer(language: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


def lexed_regions(text: str, language: str = "json") -> tuple[Region, ...]:
    """Return the roles of a text by its language alone: sorted, without overlap."""
    from workbench.core.calls import Region, Span

    found = []
    for start, kind, value in _lexer(language).get_tokens_unprocessed(text):
        role = role_of_token(kind)
        if role and value:
            found.append(Region(role, Span(start, start + len(value))))  # type: ignore[arg-type]
    return tuple(found)
