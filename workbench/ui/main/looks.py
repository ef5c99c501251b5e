"""What the window must know before it is first painted: theme, text size, size. Read from the settings file at once.

Everything wrong with the file is left to the real reading later, which says so; here defaults stand in.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from workbench.core.whole_files import opened_file
from workbench.settings.paths import Home
from workbench.ui.theme.theme import CHOICES

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.theme.theme import ThemeChoice, VerdictColours


@dataclass(frozen=True, slots=True)
class Looks:
    """Theme, text size in per cent, the window's size (0: as large as usual) and where it stood."""

    theme: ThemeChoice = "system"
    verdicts: VerdictColours = "blue_orange"
    text_size: int = 100
    motion: bool = True
    width: int = 0
    height: int = 0
    maximized: bool = False
    corner: tuple[int, int] | None = None
    """Upper left corner of the frame, on the desktop of all screens."""


def read_looks(home: Path | None) -> Looks:
    """Read the few settings that the first picture needs."""
    try:
        with opened_file(Home.find(home).settings) as file:
            ui = tomllib.load(file).get("ui", {})
    except (OSError, ValueError, RecursionError):
        return Looks()
    return _looks(ui) if isinstance(ui, dict) else Looks()


def _looks(ui: dict[str, Any]) -> Looks:
    geometry = ui.get("geometry")
    place = geometry if isinstance(geometry, dict) else {}
    theme = ui.get("theme")
    corner = place.get("x"), place.get("y")
    return Looks(
        theme=cast("ThemeChoice", theme) if theme in CHOICES else "system",
        verdicts="red_green" if ui.get("verdict_colours") == "red_green" else "blue_orange",
        text_size=_number(ui.get("text_size"), 100),
        motion=ui.get("motion") is not False,
        width=_number(place.get("width"), 0),
        height=_number(place.get("height"), 0),
        maximized=place.get("maximized") is True,
        corner=cast("tuple[int, int]", corner) if all(type(one) is int for one in corner) else None,
    )


def _number(value: Any, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else default
