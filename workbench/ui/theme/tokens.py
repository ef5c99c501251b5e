"""Every colour of the window, once for light and once for dark. Nothing else in the code names a colour."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.verdict import VerdictState
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping


class Ink(NamedTuple):
    """How the characters of one role look in a raw pane."""

    colour: str = ""
    """Empty: the colour that is there already."""
    ground: str = ""
    bold: bool = False
    italic: bool = False
    underline: str = ""
    """`wave`, `line`, `dash`, or nothing; drawn in `underline_colour`."""
    underline_colour: str = ""


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme's colours, `#RRGGBB` each."""

    name: str
    dark: bool
    chrome: str
    """Rail, top bar, status bar, ground behind cards."""
    surface: str
    """Cards, panes, lists."""
    sunken: str
    """Column headers, totals row."""
    hover: str
    sel: str
    """Chosen row."""
    link: str
    """Linked characters."""
    line: str
    """Hairlines."""
    line2: str
    """Borders of cards, buttons, chips."""
    edge: str
    """Borders of fields that can be edited."""
    text: str
    text2: str
    text3: str
    """Labels, counts, times; never as text on heat cells."""
    accent: str
    on_accent: str
    passed: str
    passed_tint: str
    failed: str
    failed_tint: str
    error: str
    error_tint: str
    flaky: str
    flaky_tint: str
    cancelled: str
    """Also not gradable."""
    cancelled_tint: str
    heat_low: str
    heat_mid: str
    heat_high: str
    inks: Mapping[str, Ink]
    """Looks of the roles in raw panes, by role name; `linked` and `open` (unfinished) among them."""

    def colour(self, name: str) -> str:
        """Return the colour of a token by its name."""
        value = getattr(self, name)
        assert isinstance(value, str)
        return value


def _inks(colours: dict[str, str]) -> Mapping[str, Ink]:
    """Build the role table from the few colours that differ between the themes."""
    return MappingProxyType(
        {
            "marker": Ink(colours["marker"], colours["marker_ground"]),
            "name": Ink(colours["name"], bold=True),
            "key": Ink(colours["key"]),
            "string": Ink(colours["string"]),
            "number": Ink(colours["number"]),
            "reasoning": Ink(colours["text3"], colours["reasoning_ground"], italic=True),
            "special": Ink(colours["special"], colours["special_ground"]),
            "problem": Ink("", colours["failed_tint"], underline="wave", underline_colour=colours["failed"]),
            "linked": Ink("", colours["link"], underline="line", underline_colour=colours["accent"]),
            "open": Ink("", "", underline="dash", underline_colour=colours["text3"]),
        }
    )


LIGHT = Tokens(
    name="light", dark=False,
    chrome="#F4F5F6", surface="#FFFFFF", sunken="#F8F9FA",
    hover="#ECEEF0", sel="#E2F1EF", link="#B5E2DB",
    line="#E3E6EA", line2="#C6CBD2", edge="#858D98",
    text="#1B1F24", text2="#4C5460", text3="#646C78",
    accent="#0B746B", on_accent="#FFFFFF",
    passed="#0A60BD", passed_tint="#E5EFFA", failed="#AD4508", failed_tint="#FCEDE2",
    error="#B3213B", error_tint="#FBE8EB", flaky="#6B45A6", flaky_tint="#F1EBFA",
    cancelled="#59616C", cancelled_tint="#ECEEF0",
    heat_low="#FBE3D1", heat_mid="#DCE9F8", heat_high="#B9D4F2",
    inks=_inks({
        "marker": "#7B3A9E", "marker_ground": "#F5EDFA", "name": "#0B4F9C", "key": "#2B5C6B", "string": "#28662C",
        "number": "#97305F", "text3": "#646C78", "reasoning_ground": "#F4F5F6", "special": "#5C6470",
        "special_ground": "#ECEEF0", "failed": "#AD4508", "failed_tint": "#FCEDE2", "link": "#B5E2DB",
        "accent": "#0B746B",
    }),
)  # fmt: skip

DARK = Tokens(
    name="dark", dark=True,
    chrome="#16181B", surface="#1C1F23", sunken="#191B1F",
    hover="#282C32", sel="#19322F", link="#17453F",
    line="#2B2F35", line2="#474E58", edge="#6C7581",
    text="#E3E6EA", text2="#B3BAC4", text3="#8F98A4",
    accent="#3FC2B2", on_accent="#06211E",
    passed="#72B4FF", passed_tint="#162A42", failed="#F49B5C", failed_tint="#3B2515",
    error="#FF8A99", error_tint="#3F1B23", flaky="#C4A5F5", flaky_tint="#2D2442",
    cancelled="#A3ABB6", cancelled_tint="#2A2E34",
    heat_low="#422A19", heat_mid="#1B2B3F", heat_high="#1F4068",
    inks=_inks({
        "marker": "#D59BF2", "marker_ground": "#2F2239", "name": "#86BFFF", "key": "#8CC7D6", "string": "#9CCB8B",
        "number": "#F09BBF", "text3": "#8F98A4", "reasoning_ground": "#212429", "special": "#A3ABB6",
        "special_ground": "#2A2E34", "failed": "#F49B5C", "failed_tint": "#3B2515", "link": "#17453F",
        "accent": "#3FC2B2",
    }),
)  # fmt: skip


def _red_green(theme: Tokens, colours: dict[str, Any]) -> Tokens:
    """The same theme with red and green for fail and pass; nothing else is different."""
    inks = dict(theme.inks)
    inks["problem"] = Ink("", colours["failed_tint"], underline="wave", underline_colour=colours["failed"])
    return replace(theme, name=f"{theme.name}, red and green", inks=MappingProxyType(inks), **colours)


LIGHT_RED_GREEN = _red_green(LIGHT, {
    "passed": "#1A6E36", "passed_tint": "#E3F3E8", "failed": "#B02A1E", "failed_tint": "#FCE9E6",
    "heat_low": "#FAD8D3", "heat_mid": "#D8EEDF", "heat_high": "#B2DFC0",
})  # fmt: skip
DARK_RED_GREEN = _red_green(DARK, {
    "passed": "#6FCF8E", "passed_tint": "#15301F", "failed": "#FF8F80", "failed_tint": "#3F1E1A",
    "heat_low": "#45211C", "heat_mid": "#193222", "heat_high": "#1D4A30",
})  # fmt: skip
THEMES = (LIGHT, DARK, LIGHT_RED_GREEN, DARK_RED_GREEN)


class VerdictLook(NamedTuple):
    """Word and token names of a verdict; the shape is drawn by `widgets.marks`."""

    word: str
    colour: str
    tint: str


VERDICTS: Mapping[str, VerdictLook] = MappingProxyType(
    {
        VerdictState.PASS: VerdictLook(tr("pass"), "passed", "passed_tint"),
        VerdictState.FAIL: VerdictLook(tr("fail"), "failed", "failed_tint"),
        VerdictState.ERROR: VerdictLook(tr("error"), "error", "error_tint"),
        VerdictState.CANCELLED: VerdictLook(tr("cancelled"), "cancelled", "cancelled_tint"),
        VerdictState.NOT_GRADABLE: VerdictLook(tr("not gradable"), "cancelled", "cancelled_tint"),
        VerdictState.RUNNING: VerdictLook(tr("running"), "accent", "sel"),
        "flaky": VerdictLook(tr("flaky"), "flaky", "flaky_tint"),
        "too_few": VerdictLook(tr("too few"), "cancelled", "cancelled_tint"),
    }
)
"""By verdict state; `flaky` and `too_few` belong to several runs."""


def verdict_word(state: str) -> str:
    """A verdict as the window writes it; rows, filters and exports have `state` itself."""
    look = VERDICTS.get(state)
    return look.word if look is not None else state.replace("_", " ")


class Sizes:
    """Pixel sizes at 100 %; `Theme.px` scales them."""

    RAIL = 72
    RAIL_ENTRY = 56
    TOP_BAR = 44
    STATUS = 24
    VERDICT_BAR = 44
    ROW = 28
    CONTROL = 28
    INSPECTOR = 308
    RADIUS_CARD = 8
    RADIUS_CHIP = 4
    TEXT = 12
    LINE = 16
    """Line pitch of 12 px text in cards, mono and UI alike."""
