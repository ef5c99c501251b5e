"""A list of calls that cannot be read as a whole, or one call a line: what is complete counts, one bad sibling kills no other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.formats.kit.calls import Item, report
from workbench.formats.kit.envelope import Envelope, JsonSource
from workbench.formats.kit.json_end import End, JsonEnd
from workbench.formats.kit.loose_json import read_json

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import ToolSet

_BETWEEN = re.compile(r"[\s,;}\]]*+")
"""Between two objects, with brackets too many."""
_NEXT = re.compile(r"(?<=[}\],])\s*(?=\{)")
_QUOTE = re.compile(r"[\"'“”]")
_NAME = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.\-:/]{1,128})["']""")


def salvage(
    text: str, at: int, stop: int, base: int, envelope: Envelope, tools: ToolSet, form: str, *, canonical: bool
) -> tuple[Item, ...]:
    """Read the objects of the broken list, or of the lines, at `at` one by one; empty unless one of them is a call."""
    items: list[Item] = []
    listed: tuple[str, ...] = ("missing_brace",) if text[at] == "[" else ()
    stop = max(stop, at + 1)
    at = _BETWEEN.match(text, at + len(listed), stop).end()  # type: ignore[union-attr]
    while at < stop and (_QUOTE.search(text, at, stop) or text[at:stop].rstrip() == "{"):
        if text[at] != "{":  # an object without its bracket
            following = _NEXT.search(text, at, stop)
            end = following.end() if following is not None else stop
            items.append(_lost(text, at, end, base, "bad_json"))
            at = end
            continue
        walk = JsonEnd()
        state = walk.feed(text[at:stop])
        end = at + walk.at if state is End.DONE else stop
        read = read_json(text, at, end) if state is End.DONE else None
        if read is None or read.error:
            items.append(_lost(text, at, end, base, "truncated" if state is End.MORE else "bad_json"))
        else:
            notes = (*listed, *read.repairs)
            source = JsonSource(
                text, at, end, base, form=form, outer=Span(base + at, base + end), repairs=notes, canonical=canonical
            )
            items.extend(envelope.items(read.value, source, tools) or ())
        at = _BETWEEN.match(text, end, stop).end()  # type: ignore[union-attr]
    if not any(isinstance(item, ParsedCall) for item in items):
        return ()
    return tuple(items)


def _lost(text: str, at: int, end: int, base: int, code: str) -> ParseProblem:
    found = _NAME.search(text, at, min(end, at + 2000))
    message = "The call is cut off." if code == "truncated" else "The call's JSON is broken."
    problem = report(code, Span(base + at, base + end), message, name=found.group(1) if found else "")
    return problem._replace(outcome=Outcome.REPORTED)
