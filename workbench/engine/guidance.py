"""Guidance against calls: which line was followed, ignored or contradicted, and which call nobody asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Span
from workbench.core.events import GuidanceLine, GuidanceState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import Section

LINE = re.compile(r"^[ \t]*+(?:(?:[-*+•]|\d{1,2}[.)])[ \t]*+)?(?P<text>\S(?:[^\n]*\S)?)[ \t]*+(?:\n|\Z)", re.MULTILINE)
FORBIDDEN = re.compile(r"\b(?:do not|don't|don’t|never|without|avoid|no need to|instead of)\b", re.IGNORECASE)


class MadeCall(NamedTuple):
    """A call that the executor made in the loop."""

    step: int
    number: int
    name: str


def guidance_lines(section: Section) -> list[tuple[str, Span]]:
    """Return the section's lines without list marks, with their place in the planner's text."""
    lines = []
    for match in LINE.finditer(section.text):
        start = section.span.start + match.start("text")
        lines.append((match["text"], Span(start, start + len(match["text"]))))
    return lines


def trace(
    section: Section, tools: Sequence[str], calls: Sequence[MadeCall]
) -> tuple[tuple[GuidanceLine, ...], tuple[str, ...]]:
    """Return each line with its state, and the names of tools called though no line asked for them."""
    open_calls = list(calls)
    lines, asked = [], set()
    for number, (text, span) in enumerate(guidance_lines(section), 1):
        named = [name for name in tools if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
        if not named:
            lines.append(GuidanceLine(number, text, span, GuidanceState.NO_CALL_POSSIBLE))
            continue
        if _forbids(text, named[0]):
            made = next((call for call in calls if call.name in named), None)
            state = GuidanceState.CONTRADICTED if made else GuidanceState.FOLLOWED
            lines.append(GuidanceLine(number, text, span, state, named[0], *_place(made)))
            continue
        asked.update(named)
        made = next((call for call in open_calls if call.name in named), None)
        if made:
            open_calls.remove(made)
        state = GuidanceState.FOLLOWED if made else GuidanceState.IGNORED
        lines.append(GuidanceLine(number, text, span, state, named[0], *_place(made)))
    invented = tuple(dict.fromkeys(call.name for call in calls if call.name not in asked))
    return tuple(lines), invented


def _forbids(text: str, name: str) -> bool:
    """The line tells not to call the tool: a negation stands shortly before its name, in the same sentence."""
    before = re.split(r"[.;!?](?:\s|$)", text[: text.find(name)])[-1]
    return bool(FORBIDDEN.search(before[-40:]))


def _place(made: MadeCall | None) -> tuple[int | None, int | None]:
    return (made.step, made.number) if made else (None, None)
