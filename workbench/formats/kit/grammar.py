"""What a scanner must know of a format: its markers, its habits, and how one attempt at a call is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.openers import Openers
from workbench.formats.kit.runaway import TURNS

if TYPE_CHECKING:
    from workbench.formats.kit.calls import Item
    from workbench.formats.kit.window import Step

REASONING: Mapping[str, str] = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "<mm:think>": "</mm:think>",
    "[THINK]": "[/THINK]",
}
"""Markers of reasoning blocks that every format knows."""

TURN_TOKENS = (
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "</s>", "<end_of_turn>", "<|end_of_text|>", "<eos>",
    "<|end_of_msg|>", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|end_of_role|>",
    "<|role_end|>",
)  # fmt: skip
"""End-of-turn tokens: never part of the text."""

RESULT_MARKERS = ("<tool_response>", "<|tool_response>", "<function_results>", "[TOOL_RESULTS]", "<|tool_response|>")
"""Where an invented tool result begins."""

CALLING_LABELS = frozenset(
    ("tool", "call", "calls", "invoke", "tool_call", "tool_calls", "tool_use", "function_call", "function_calls")
)
"""Labels that say of what stands in a fence that it is called, in whatever format."""

_FENCE = r"^[ \t]{0,16}(?:`{3,9}|~{3,9})[\w+#.:\-]{0,28}[ \t]{0,8}(?:\r?\n|(?=[^\w+#.:\-\s`~]))"
_FENCE_HOLD = r"^[ \t]{0,16}(?:`{1,9}|~{1,9})[\w+#.:\-]{0,28}[ \t]{0,8}\r?"


class Attempt(NamedTuple):
    """What one read gave: everything up to `end` is used up."""

    end: int
    items: tuple[Item, ...] = ()
    """Calls and problems, in order. None at all: nothing to tell, and no text either."""
    as_text: bool = False
    """It was no attempt: everything up to `end` is ordinary text."""


class Idle(NamedTuple):
    """What a marker does where nothing comes of it, in a text without code fences and reasoning."""

    kept: bool
    """It stays text; else it is taken out, and nothing is told."""
    behind: str = ""
    """A regex that matches behind it wherever more may come of it; empty: what follows does not matter."""
    before: str = ""
    """The same for what stands before it."""
    lacks: tuple[str, ...] = ()
    """Markers of which each may change that, wherever it stands."""


class Grammar:
    """Base of all grammars: habits as class attributes, `read` per format."""

    format = ""
    """Id of the format."""
    reasoning: Mapping[str, str] = REASONING
    reasoning_labels: tuple[str, ...] = ()
    """What a reasoning block may begin with and is not part of it."""
    turn_tokens: tuple[str, ...] = TURN_TOKENS
    calling_tokens: tuple[str, ...] = ()
    """Those of them that a call follows: alone they tell of one that was not read."""
    result_markers: tuple[str, ...] = RESULT_MARKERS
    result_ends: Mapping[str, str] = {}
    """What closes invented results that stand between special tokens."""
    fence_labels: tuple[str, ...] = ("json", "tool_call", "tool_code", "xml")
    """Labels of a code fence from which a call is unwrapped although there is other text."""
    fenced_is_strict = False
    """A fence around the call is this format's own habit, no repair."""
    markerless = False
    """Calls have no marker of their own."""
    steady: Mapping[str, bool] = {}
    """Kinds of openers whose attempt is read alike wherever the same text stands; True: only where a marker closes it."""
    single = False
    """Only one call is asked for."""
    lonely = ""
    """Nothing else is asked for `after` the call, or before it either (`both`): text there is a repair."""
    spots: str | None = None
    """Characters of which every opener that is a pattern holds one, so that text without them need not be searched; None:
    nothing is known."""
    line = ""
    """A regex for how the lines begin at which openers without such characters stand."""
    reach = 64
    """How many characters an opener that is a pattern may have, and so how many may be held back."""
    name_shapes: tuple[str, ...] = ()
    """Where a call's name stands, beside the shapes that formats share: regexes with `CALL_NAME` as their one group."""
    reads_fences = True
    """Code fences are respected (False where a fence is part of the grammar)."""
    begins: frozenset[str] = frozenset(
        ("call", "block", "section", "attributed", "suffixed", "token", "bare", "document")
    )
    """Kinds of openers that nobody writes but to call something."""
    reads: tuple[str, ...]
    """Kinds of openers that `read` of this class reads itself, where it leaves all others to the class above it."""
    preludes: tuple[str, ...] = ()
    """How those markers of kind `orphan` begin, in lower case, that begin or part something; the others end it."""

    reasoning_heads: Mapping[str, str] = {}
    """What a reply begins with whose reasoning lost its opener, and what closes it."""

    @property
    def name_key(self) -> str:
        """The key of a call's name; empty where calls are no JSON."""
        return getattr(getattr(self, "envelope", None), "name", "")

    def literals(self) -> Mapping[str, str]:
        """Return the markers that begin an attempt, with their kinds."""
        return {}

    def ends(self, marker: str) -> bool:
        """True if a marker of kind `orphan` ends something, so that what follows it does not stand in it."""
        return not marker.casefold().startswith(self.preludes)

    def inside(self) -> tuple[str, ...]:
        """Return markers that stand inside of calls only: left over as text they tell of a call that was not read."""
        return ()

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Return openers that need a regex: `(kind, regex, regex of its proper prefixes)`."""
        return ()

    # What calls a grammar is the scanner, which knows grammars: naming its type here would close a circle of imports.

    def read(self, scan: Any, match: re.Match[str], kind: str) -> Step[Attempt | None]:  # noqa: ARG002
        """Read the attempt that the opener began; None: the opener is ordinary text."""
        yield from scan.at_least(0)
        return None

    def idle(self, marker: str, kind: str) -> Idle | None:  # noqa: ARG002
        """Say what a marker of `literals` does where nothing comes of it; None: nothing is known.

        It tells of the class whose `read` reads that kind, and of those below that leave the kind to it (`reads`).
        """
        return None

    def ident(self, number: int) -> str:
        """Make the id of a call that has none in the text; numbers begin at 1."""
        return f"call_{number}"

    def run(self, scan: Any, at: int) -> int:  # noqa: ARG002
        """Read strict calls that follow one directly, the quick way; return where that ends."""
        return at

    @cached_property
    def signs(self) -> Openers | None:
        """The format's own markers that begin a call or stand in one, as looked for in what was left as text."""
        own = {text: kind for text, kind in self.literals().items() if kind in self.begins}
        own |= dict.fromkeys(self.inside(), "inside")
        patterns = [one for one in self.patterns() if one[0] in self.begins and not self.markerless]
        spots = self.spots if patterns else ""
        return Openers(own, patterns, reach=self.reach, spots=spots) if own or patterns else None

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """The format's own markers that begin a call, in lower case."""
        return tuple(text.casefold() for text, kind in self.literals().items() if kind in self.begins)

    @cached_property
    def foreign_ends(self) -> frozenset[str]:
        """Markers that end another family's call, in lower case: alone they say nothing."""
        own = {text.casefold() for text in getattr(self, "closes", ())}
        return frozenset(text.casefold() for text in getattr(self, "near_misses", {}).values()) - own

    @property
    def _spots(self) -> str | None:
        return self.spots if self.patterns() else ""

    @cached_property
    def nested(self) -> Openers:
        """The openers of calls alone, as looked for inside reasoning and code."""
        return Openers(self.literals(), self.patterns(), reach=self.reach, spots=self._spots, line=self.line)

    @cached_property
    def openers(self) -> Openers:
        """All that may begin something other than text."""
        own = self.literals()
        others = dict.fromkeys(self.turn_tokens, "drop")
        others |= dict.fromkeys(TURNS, "turn") | dict.fromkeys(self.result_markers, "result")
        for start, end in self.reasoning.items():
            others |= {start: "think", end: "unthink"}
        folded = {marker.casefold() for marker in own}
        others = {marker: kind for marker, kind in others.items() if marker.casefold() not in folded}
        patterns = self.patterns()
        if self.reads_fences:
            patterns = (*patterns, ("fence", _FENCE, _FENCE_HOLD))
        fences = "`~" if self.reads_fences else ""
        spots = None if self._spots is None else self._spots + fences
        return Openers({**others, **own}, patterns, reach=self.reach, spots=spots, line=self.line)


@lru_cache(maxsize=4096)
def reader_class(grammar: Grammar, kind: str) -> type:
    """Return the class whose `read` reads openers of a kind: `reads` says which ones one does not leave to the class above."""
    return next(cls for cls in type(grammar).__mro__ if "read" in vars(cls) and kind in vars(cls).get("reads", (kind,)))
