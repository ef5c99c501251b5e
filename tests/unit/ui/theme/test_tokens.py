"""Every pair of colours that the window writes with, computed as WCAG does."""

from __future__ import annotations

import pytest

from workbench.core.verdict import VerdictState
from workbench.ui.theme import tokens
from workbench.ui.theme.tokens import DARK, LIGHT, VERDICTS, Tokens

THEMES = pytest.mark.parametrize("theme", tokens.THEMES, ids=lambda theme: theme.name)
GROUNDS = ("chrome", "surface", "sunken", "hover", "sel")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@THEMES
@pytest.mark.parametrize("ink", ["text", "text2"])
@pytest.mark.parametrize("ground", [*GROUNDS, "link", "heat_low", "heat_mid", "heat_high"])
def test_text_is_readable_on_every_ground(theme: Tokens, ink: str, ground: str) -> None:
    least = {"text": 8.0, "text2": 4.5}[ink]
    assert contrast(theme.colour(ink), theme.colour(ground)) >= least


@THEMES
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ink", ["text3", "accent"])
def test_labels_and_accent(theme: Tokens, ink: str, ground: str) -> None:
    assert contrast(theme.colour(ink), theme.colour(ground)) >= 4.5


@THEMES
@pytest.mark.parametrize("look", VERDICTS.values(), ids=lambda look: look.word)
def test_verdicts_on_their_tint_and_on_lists(theme: Tokens, look) -> None:
    colour = theme.colour(look.colour)
    for ground in (look.tint, *GROUNDS):
        assert contrast(colour, theme.colour(ground)) >= 4.5


@THEMES
@pytest.mark.parametrize("ground", ["heat_low", "heat_mid", "heat_high", "link"])
def test_marks_and_bars_are_seen_on_cells(theme: Tokens, ground: str) -> None:
    """Shapes, no text: a verdict's mark, an interval's bar and tick, the ring of the chosen cell."""
    for ink in ("text3", "accent", *(look.colour for look in VERDICTS.values())):
        assert contrast(theme.colour(ink), theme.colour(ground)) >= 3.0


@THEMES
def test_the_primary_button_and_the_borders_of_fields(theme: Tokens) -> None:
    assert contrast(theme.on_accent, theme.accent) >= 4.5
    for ground in (theme.surface, theme.chrome):
        assert contrast(theme.edge, ground) >= 3.0


@THEMES
def test_roles_of_raw_panes(theme: Tokens) -> None:
    plain = {"surface": theme.surface, "link": theme.link, "failed_tint": theme.failed_tint}
    for role, ink in theme.inks.items():
        if ink.colour:
            grounds = {"own": ink.ground or theme.surface}
            if role in ("name", "key", "string", "number"):
                grounds |= plain  # a linked or faulty value keeps its own colour
            for name, ground in grounds.items():
                assert contrast(ink.colour, ground) >= 4.5, f"{role} on {name}"


@THEMES
def test_colours_are_well_formed(theme: Tokens) -> None:
    names = [name for name in Tokens.__slots__ if name not in ("name", "dark", "inks")]
    assert all(len(theme.colour(name)) == 7 and theme.colour(name)[0] == "#" for name in names)


def test_red_and_green_replace_pass_fail_and_heat_alone() -> None:
    for plain, other in ((LIGHT, tokens.LIGHT_RED_GREEN), (DARK, tokens.DARK_RED_GREEN)):
        names = [name for name in Tokens.__slots__ if name not in ("name", "dark", "inks")]
        differing = {name for name in names if plain.colour(name) != other.colour(name)}
        assert differing == {"passed", "passed_tint", "failed", "failed_tint", "heat_low", "heat_mid", "heat_high"}
        assert {role for role in plain.inks if plain.inks[role] != other.inks[role]} == {"problem"}


def test_every_verdict_has_a_look() -> None:
    assert {state.value for state in VerdictState} <= set(VERDICTS)
    assert len({look.word for look in VERDICTS.values()}) == len(VERDICTS)


def test_both_themes_know_the_same_roles() -> None:
    assert set(LIGHT.inks) == set(DARK.inks) >= {"marker", "name", "key", "string", "number", "problem", "linked"}
