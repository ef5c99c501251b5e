"""What a marker means, and how a format declares those that no literal of its grammar says.

A literal that a grammar looks for is a marker by itself. A `MarkerShape` is for markers with a hole (a name, a header),
and for labels at the start of a line:

    MarkerShape(">>>", seq(lit(">>>"), NAME, lit("\\n")), Marker("open", "bare", "call"))

A shape is context-free to its right: what it *may* also take (attributes, a role) never decides whether it is a marker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from workbench.formats.kit.prefix_patterns import Pattern, ahead, alt, cls, lit, seq, words

BARRIER = "\u2060"
"""Word joiner: invisible, part of no marker. Stands between two halves that must not meet."""
BAR_CHARS = "|｜‖￨❘│∣ǀ¦"
"""Bars in all widths, as models write them in special tokens."""
ROLE_WORDS = (
    "system user assistant tool model developer ipython function analysis commentary final thought json code".split()
)
"""What may stand behind a token that begins a turn or a channel."""

Role = Literal["open", "close", "mark"]
Body = Literal["call", "result", "think", "value", "head", "hidden", "line", ""]
Kind = Literal["call", "result", "thought", "marker"]
"""What is taken out: a call (or what was to be one), an invented result, reasoning, or no more than a marker."""


class Marker(NamedTuple):
    """What a recognised marker means."""

    role: Role
    group: str = ""
    """Openers and closers of the same group belong together. Nothing closes what `bare` opens: its body ends by structure."""
    body: Body = ""
    """What an opener opens: a call, a result, reasoning, one value, a role header, a hidden message, a labelled line."""
    closer: str = ""
    """What ends it, where that is no marker by itself (`>>`)."""
    taken: Kind | Literal[""] = ""
    """What goes with it, where the body does not say it."""
    sure: bool = False
    """It names a recipient, so what it opens is real even where it is cut off."""

    @property
    def kind(self) -> Kind:
        """What is taken out with this opener."""
        if self.taken:
            return self.taken
        kinds: dict[Body, Kind] = {"call": "call", "result": "result", "think": "thought", "hidden": "thought"}
        return kinds.get(self.body, "marker")


class MarkerShape(NamedTuple):
    """One marker with holes, or one label."""

    begins: str
    """The literal text that it begins with, at least two characters; case matters only where the pattern says so."""
    pattern: Pattern
    """All of it, of a label (`kit/labels.py`) with what stands around its words."""
    means: Marker | Callable[[str], Marker | None]
    """What it is, or a function of its text in small letters with plain bars; None: what the look of it says."""
    label: bool = False
    """It counts as the first thing in a line only."""


def role_word() -> Pattern:
    """Match the role behind a token that begins a turn."""
    return seq(cls(r"[ \t]", 0, 2), words(ROLE_WORDS), ahead(r"(?!\w)"))


def special_token(word: Pattern) -> Pattern:
    """Match a word between bars and angles of any width, as special tokens are written: `<|…|>`, `<｜…｜>`, `<||…||>`."""
    bars = cls(f"[{BAR_CHARS}]", 1, 2)
    return seq(alt(lit("<"), lit("＜")), bars, word, bars, alt(lit(">"), lit("＞")))
