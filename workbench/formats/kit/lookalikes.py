"""Look-alike glyphs in DeepSeek's markers: bars and low lines in other widths, folded before matching."""

from __future__ import annotations

BAR = "[|｜‖¦│]{1,2}"
LINE = "[▁_ ]"


def deepseek_hold() -> str:
    """Return a regex for every beginning of a tool token, in any glyphs."""
    words = (
        "".join(f"(?:{char}" for char in "tool")
        + f"(?:{LINE}(?:[a-z]{{0,8}}(?:{LINE}(?:[a-z]{{0,5}}(?:[|｜‖¦│]{{1,2}})?)?|[|｜‖¦│]{{1,2}})?)?)?"
        + ")?" * 4
    )
    return f"<(?:{BAR}{words})?"
