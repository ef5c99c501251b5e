"""Code fences: a call that is fenced is meant if the fence is the whole reply or its label says so, else it is only shown."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Item, mention
from workbench.formats.kit.grammar import CALLING_LABELS
from workbench.formats.kit.talk import is_template

if TYPE_CHECKING:
    from workbench.core.calls import Span
    from workbench.formats.kit.parser_output import Output
    from workbench.formats.kit.window import Step

_FENCE = re.compile(r"[ \t]*(`+|~+)")
_PLAIN = ("", "text", "python", "plaintext")
"""Labels of a fence that say nothing of what stands in it, where it holds a format's own markers."""
_RUNS = {char: re.compile(f"{char}*+") for char in "`~"}


def read_fence(scan: Output, start: int, inside: int) -> Step[int]:
    """Read the fence that begins at `start`, its content at `inside`; return where to go on."""
    label = scan.text[start:inside].strip().strip("`~ \t").lower().partition(":")[0]
    fence = _FENCE.match(scan.text, start).group(1)  # type: ignore[union-attr]
    at = yield from scan.space(inside)
    calls = scan.grammar.nested
    while True:
        match = calls.match(scan.text, at)
        if scan.closed or scan.hold(calls, at) > at:
            break
        if not (yield from scan.more()):
            break
    if match is None:
        return (yield from _code(scan, start, at, fence))
    match = None
    scan.deferred = True
    scan.progress.begin(scan.base + at, scan.number)
    items, passed, end, whole = yield from _calls(scan, at, fence)
    scan.progress.end()
    scan.deferred = False
    after = whole and (yield from _text_follows(scan, end))
    if whole and _counts(scan, label, items, after=after):
        scan.prose.mark()
        for item in items:
            scan.emit(item, *(() if scan.grammar.fenced_is_strict else ("fenced",)))
        for empty in passed:
            scan.passed(*empty)
        return end
    if whole and items:
        for item in items:
            scan.problem(mention(item.span, item.name, "it stands in a code block"))
        scan.say(start, end)
        return end
    return (yield from _code(scan, start, at, fence))


def _calls(scan: Output, at: int, fence: str) -> Step[tuple[list[Item], list[tuple[str, str, Span]], int, bool]]:
    """Read the calls inside, and the markers without any; the last value says whether the fence holds nothing else."""
    items: list[Item] = []
    passed: list[tuple[str, str, Span]] = []
    calls = scan.grammar.nested
    while (match := calls.match(scan.text, at)) is not None:
        kind, token, start = calls.kind(match), match.group(), match.start()
        reading = scan.grammar.read(scan, match, kind)
        match = None  # it holds the text, which grows
        attempt = yield from reading
        if attempt is None or attempt.as_text:
            return [], [], at, False
        items.extend(attempt.items)
        if not attempt.items:
            passed.append((kind, token, scan.span(start, attempt.end)))
        at = yield from scan.space(attempt.end)
        while not scan.closed and scan.hold(calls, at) <= at:
            yield from scan.more()
    stop = yield from scan.literal(at, fence[0] * 3)
    stop = stop if stop < 0 else (yield from scan.past(stop, _RUNS[fence[0]]))
    if stop - at < len(fence):
        return items, passed, at, at >= len(scan.text)
    yield from scan.space(stop)
    return items, passed, stop, True


def _text_follows(scan: Output, at: int) -> Step[bool]:
    """True if text stands behind the fence: a token that ends the turn is none, nor is another fence."""
    at = yield from scan.space(at)
    while (token := (yield from scan.literal(at, *scan.grammar.turn_tokens))) >= 0:
        at = yield from scan.space(token)
    return at < len(scan.text) and (yield from scan.literal(at, "```", "~~~")) < 0


def _counts(scan: Output, label: str, items: list[Item], *, after: bool) -> bool:
    """True if the calls are meant."""
    if scan.prose.mentioned():
        return False
    if not scan.prose.spoke and not after:
        return True
    if any(isinstance(item, ParsedCall) and is_template(item) for item in items):
        return False
    known = label in scan.grammar.fence_labels or label.replace("-", "_") in CALLING_LABELS
    if scan.grammar.markerless:
        return known and (bool(label) or not after or scan.prose.announced_below)
    if not all(isinstance(item, ParsedCall) for item in items):
        return False
    if not known and label not in _PLAIN:
        return False
    if after:
        return scan.prose.announced_below
    return known or not scan.prose.offered_below


@cache
def _ends(fence: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what closes a fence, what closes it at the end of the reply, and what may grow into either."""
    line = rf"^[ \t]{{0,16}}{fence}{fence[0]}{{0,24}}[ \t]{{0,16}}"
    close = re.compile(rf"{line}(?=\r?\n)", re.MULTILINE)
    last = re.compile(rf"{line}\r?\Z", re.MULTILINE)
    hold = re.compile(rf"^[ \t]{{0,16}}(?:{fence[0]}{{1,27}}[ \t]{{0,16}}\r?)?\Z", re.MULTILINE)
    return close, last, hold


def _code(scan: Output, start: int, at: int, fence: str) -> Step[int]:
    """Code that is only shown: text up to the closing fence; calls in it are noted as mentioned."""
    scan.say(start, at)
    parts: list[str] = []
    origin = scan.base + at
    close, last, hold = _ends(fence)
    while True:
        match = close.search(scan.text, at) or (last.search(scan.text, at) if scan.closed else None)
        held = None if scan.closed else hold.search(scan.text, max(at, len(scan.text) - 64))
        stop = match.end() if match else held.start() if held else len(scan.text)
        parts.append(scan.text[at : match.start() if match else stop])
        scan.say(at, stop)
        if match is not None or scan.closed:
            break
        piece = yield
        at = scan.slide(stop, piece)
    code = "".join(parts)
    if not scan.nested and scan.grammar.nested.search(code) is not None:
        inner = scan.inner(origin)
        scan.mentioned(inner.feed(code) + inner.finish(), "it stands in a code block")
    return stop
