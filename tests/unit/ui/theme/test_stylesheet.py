from __future__ import annotations

import re

from workbench.ui.theme.stylesheet import stylesheet_for
from workbench.ui.theme.tokens import LIGHT, THEMES, Tokens


def test_only_token_colours_are_named(qapp) -> None:
    for tokens in THEMES:
        known = {tokens.colour(name) for name in Tokens.__slots__ if name not in ("name", "dark", "inks")}
        used = set(re.findall(r"#[0-9A-Fa-f]{6}\b", stylesheet_for(tokens)))
        assert used <= known
        assert len(used) > 8


def test_braces_balance(qapp) -> None:
    sheet = stylesheet_for(LIGHT)
    assert sheet.count("{") == sheet.count("}")
