"""Reasoning blocks: their text, and what becomes of calls inside them.

A call in a closed block is only rehearsed. In a block that is never closed, a call at the very end is meant: this is
known only when the block closes or the reply ends, so such a call waits until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import CallRead, ParseEvent, ProblemRead, TextRead
from workbench.formats.kit.openers import finder

if TYPE_CHECKING:
    from workbench.formats.kit.parser_output import Output
    from workbench.formats.kit.toolset import ToolSet
    from workbench.formats.kit.window import Step


REHEARSED = "it stands in a closed reasoning block"


def read_opened(scan: Output) -> Step[int]:
    """The reply begins inside a reasoning block, whose opener may be repeated once."""
    at = yield from scan.space(0)
    opened = yield from scan.literal(at, *scan.grammar.reasoning)
    scan.prose.mark()
    return (yield from read_reasoning(scan, max(opened, 0), *scan.grammar.reasoning.values()))


def read_headless(scan: Output) -> Step[int]:
    """A reply that begins with the label of a reasoning block whose opener is lost, if the block is closed."""
    for head, closer in scan.grammar.reasoning_heads.items():
        at = yield from scan.literal(0, head)
        if at >= 0 and (yield from scan.find(at, closer)) is not None:
            scan.prose.mark()
            return (yield from read_reasoning(scan, at, closer))
    return 0


def read_reasoning(scan: Output, at: int, *closers: str) -> Step[int]:
    """Read a reasoning block from `at` on; return where it ends."""
    search, hold, _ = finder(*closers)
    calls = scan.grammar.nested
    scan.unclosed = len(scan.reasoning), scan.base + at
    while True:
        close = search.search(scan.text, at)
        call = calls.search(scan.text, at, close.start() if close else len(scan.text))
        if call is not None and not close and not scan.closed and scan.hold(calls, at) <= call.start():
            call = None
        if call is not None:
            start = call.start()
            scan.thought(at, start)
            call = close = None
            return (yield from _held(scan, start, *closers))
        if close is not None:
            scan.thought(at, close.start())
            scan.prose.mark()
            scan.rehearsed, scan.unclosed = scan.unclosed, None
            return close.end()
        size = len(scan.text)
        tail = hold.search(scan.text, max(at, size - 64))
        stop = size if scan.closed else min(tail.start() if tail else size, scan.hold(calls, at))
        scan.thought(at, stop)
        if scan.closed:
            return size
        piece = yield
        at = scan.slide(stop, piece)


def _held(scan: Output, at: int, *closers: str) -> Step[int]:
    """A call began inside the block."""
    close = yield from scan.find(at, *closers)
    end = close[0] if close else len(scan.text)
    inner = scan.inner(scan.base + at)
    events = inner.feed(scan.text[at:end])
    events += inner.finish(scan.reason if close is None else None)
    if close is not None and not scan.calls_in_reasoning:
        scan.thought(at, end)
        scan.mentioned(events, REHEARSED)
    elif close is not None:
        _give(scan, events, "channel_fix")
    elif _ends_with_call(events, scan.tools):
        _give(scan, events, "think_unclosed")
    else:
        scan.thought(at, end)
        scan.mentioned(events, "it stands in the reasoning")
        scan.prose.mark()
        return end
    scan.rehearsed, scan.unclosed = scan.unclosed, None
    scan.prose.mark()
    return close[1] if close else end


def _give(scan: Output, events: list[ParseEvent], repair: str) -> None:
    """Give out the calls of a block; what stands between them is reasoning."""
    for event in events:
        if isinstance(event, CallRead):
            made = event.call.id == scan.grammar.ident(event.number + 1)
            scan.emit(event.call._replace(id="") if made else event.call, repair)
        elif isinstance(event, ProblemRead):
            scan.emit(event.problem)
        elif isinstance(event, TextRead):
            scan.thought(event.span.start - scan.base, event.span.end - scan.base)


def _ends_with_call(events: list[ParseEvent], tools: ToolSet) -> bool:
    """True if calls to declared tools (or a call that was cut off) are the last thing in an unclosed block."""
    good = False
    for event in events:
        if isinstance(event, CallRead):
            good = True
        elif isinstance(event, ProblemRead):
            problem = event.problem
            good = problem.code == "truncated" and (not tools.declared or problem.name in tools.by_name)
        elif isinstance(event, TextRead) and event.text.strip():
            good = False
    return good
