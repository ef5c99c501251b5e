from __future__ import annotations

from itertools import pairwise

import pytest
from pygments.token import Token
from PySide6.QtGui import QFont, QTextCharFormat

from workbench.ui.theme import syntax
from workbench.ui.theme.tokens import DARK, LIGHT

TEXT = '{"path": "notes.md", "lines": 40, "all": true}'


def test_json_gets_its_roles() -> None:
    found = {TEXT[span.start : span.end]: role for role, span in syntax.lexed_regions(TEXT)}
    assert found == {
        '"path"': "key", '"notes.md"': "string", '"lines"': "key", "40": "number", '"all"': "key", "true": "number"
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "not json at all", "\x00 {", '{"a": ' * 50])
def test_any_text_can_be_lexed(text: str) -> None:
    regions = syntax.lexed_regions(text)
    assert all(one.span.end <= two.span.start for one, two in pairwise(regions))
    assert all(region.span.end <= len(text) for region in regions)


def test_formats_of_roles(theme) -> None:
    name = syntax.role_format("name")
    assert name.fontWeight() == QFont.Weight.DemiBold
    assert name.foreground().color().name().upper() == LIGHT.inks["name"].colour
    problem = syntax.role_format("problem", DARK)
    assert problem.underlineStyle() == QTextCharFormat.UnderlineStyle.WaveUnderline
    assert problem.background().color().name().upper() == DARK.failed_tint
    assert set(syntax.role_formats()) == set(LIGHT.inks)


def test_pygments_token_types_map_by_their_longest_prefix() -> None:
    assert syntax.role_of_token(Token.Literal.String.Double) == "string"
    assert syntax.role_of_token(Token.Text) == ""
