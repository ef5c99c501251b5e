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
        call = _settled(scan, found[0], (at, found[1] + 1), found[0].start, "unescaped_quote", form)
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
    found: list[ParsedCall] = []
    at = 0
    while (callee := CALLEE.match(text, at)) is not None:
        walk = PythonEnd()
        if walk.feed(text, callee.end() - 1) is not End.DONE:
            return []
        call = read_python_call(text, at, callee.end() - 1, walk.at)
        if isinstance(call, str):
            return []
        where = max(scan.text.find(call.name, found[-1].name_span.end - scan.base if found else start, end), start)
        item = _settled(scan, call, (start, end), where, "double_encoded", form)
        if item is None:
            return []
        found.append(item)
        at = _BETWEEN.match(text, walk.at).end()  # type: ignore[union-attr]
        if at >= len(text):
            return found
    return []


def _settled(
    scan: Scanner, call: PythonCall, where: tuple[int, int], at: int, repair: str, form: str
) -> ParsedCall | None:
    arguments = bound(call, scan.tools.resolve(call.name).tool)
    if arguments is None:
        return None
    start, end = where
    opens, closes = scan.text.find("(", at, end) + 1, scan.text.rfind(")", at, end)
    draft = Draft(
        call.name, arguments[0], scan.span(start, end), scan.span(at, at + len(call.name)), scan.span(opens, closes),
        repairs=(repair, *call.repairs, *arguments[1]), format=form,
    )  # fmt: skip
    item = settle(draft, scan.tools)
    return item if isinstance(item, ParsedCall) else None
