"""A JSON list of strings that are Python calls: `["get_weather(city='Rome')", "now()"]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Draft, settle
from workbench.formats.kit.json_end import End
from workbench.formats.kit.python_calls import CALLEE, bound, read_python_call, walk_call, walked_in_vain
from workbench.formats.kit.python_end import PythonEnd
from workbench.formats.kit.python_source import FAILURES, literal

if TYPE_CHECKING:
    from workbench.formats.kit.python_calls import PythonCall
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_STRING = re.compile(r"\s*(\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+')\s*(?:,\s*)?", re.DOTALL)

_BETWEEN = re.compile(r"\s*(?:[,;]\s*)?")


def quoted_calls(scan: Scanner, start: int, form: str) -> Step[tuple[list[ParsedCall], int] | None]:
    """Read the list that opens at `start`; None unless each of its strings is a whole call that can be given out."""
    if walked_in_vain(scan, start):
        return None
    state, stop = yield from scan.json_end(start, PythonEnd())
    done = state is End.DONE and scan.text[stop - 1] == "]"
    calls: list[ParsedCall] = []
    at = start + 1
    while done and (match := _STRING.match(scan.text, at, stop - 1)) is not None:
        inside = _calls(scan, *match.span(1), form)
        if not inside:
            break
        calls += inside
        at = match.end()
    if done and at == stop - 1 and calls:
        return calls, stop
    scan.wasted += stop - start
    return (yield from _unescaped(scan, start + 1, form))


def _unescaped(scan: Scanner, at: int, form: str) -> Step[tuple[list[ParsedCall], int] | None]:
    """The same where the calls' own quotes are those around them: `['f(a='x', b=2)', 'now()']`."""
    calls: list[ParsedCall] = []
    while True:
        at = yield from scan.space(at)
        quote = scan.text[at : at + 1]
        if quote not in ("'", '"'):
            return None
        found = yield from walk_call(scan, at + 1)
        if found is None or isinstance(found[0], str) or scan.text[found[1] : found[1] + 1] != quote:
            return None
        read = found[0]
        inner = (read.start, read.name_end, read.open, read.close)
        call = _settled(scan, read, (at, found[1] + 1), inner, "unescaped_quote", form)
        if call is None:
            return None
        calls.append(call)
        at = yield from scan.space(found[1] + 1)
        if scan.text[at : at + 1] == "]":
            return calls, at + 1
        if scan.text[at : at + 1] != ",":
            return None
        at += 1


def _calls(scan: Scanner, start: int, end: int, form: str) -> list[ParsedCall]:
    """Read the calls in the string literal at `start`, commas between them; none at all unless each can be given out."""
    try:
        text = literal(scan.text[start:end]).strip()
    except FAILURES:
        return []
    raw = scan.text[start:end]
    places = _places(raw, text)
    read: list[PythonCall] = []
    at = 0
    while (callee := CALLEE.match(text, at)) is not None:
        walk = PythonEnd()
        if walk.feed(text, callee.end() - 1) is not End.DONE:
            return []
        call = read_python_call(text, at, callee.end() - 1, walk.at)
        if isinstance(call, str):
            return []
        read.append(call)
        at = _BETWEEN.match(text, walk.at).end()  # type: ignore[union-attr]
    found: list[ParsedCall] = []
    for call in read if at >= len(text) else ():
        first, last = call is read[0], call is read[-1]
        whole = start if first else start + places[call.start], end if last else start + places[call.end]
        inner = (start + places[one] for one in (call.start, call.name_end, call.open, call.close))
        item = _settled(scan, call, whole, tuple(inner), "double_encoded", form)
        if item is None:
            return []
        found.append(item)
    return found


_PIECE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{1,3}|\n|.)|.", re.DOTALL)


def _places(raw: str, text: str) -> list[int]:
    """Return where each character of a literal's text stands in the literal, and where the last one ends."""
    starts = [found.start() for found in _PIECE.finditer(raw, 1, len(raw) - 1) if not found.group().startswith("\\\n")]
    blank = len(starts) - len("".join(literal(raw)).lstrip())
    return [*starts[blank : blank + len(text)], len(raw) - 1]


def _settled(
    scan: Scanner, call: PythonCall, whole: tuple[int, int], inner: tuple[int, ...], repair: str, form: str
) -> ParsedCall | None:
    """Return the call; `inner`: where its name begins and ends, and its arguments."""
    arguments = bound(call, scan.tools.resolve(call.name).tool)
    if arguments is None:
        return None
    name_at, name_end, opens, closes = inner
    draft = Draft(
        call.name, arguments[0], scan.span(*whole), scan.span(name_at, name_end), scan.span(opens, closes),
        repairs=(repair, *call.repairs, *arguments[1]), format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return item if isinstance(item, ParsedCall) else None
