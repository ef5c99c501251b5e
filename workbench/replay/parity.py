"""Stream parity: a recorded reply fed to its parser again, cut in other ways. The reading must not depend on the cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import ReasoningRead, TextRead
from workbench.formats import get_format
from workbench.replay.difference import Difference, compare_readings, same_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import ParseEvent, ParseResult
    from workbench.core.protocols import StreamParser
    from workbench.store.rows import StoredReply

SIZES = (1, 2, 3, 5, 7, 16, 61)
"""Lengths of pieces that are tried."""
MOST_CUTS = 256
"""Single cuts that are tried, spread over the text."""


class Cutting(NamedTuple):
    """One way of cutting under which the reading came out differently."""

    name: str
    """Such as `cut at 17`, `pieces of 3`."""
    pieces: tuple[str, ...]
    difference: Difference
    told: bool = False
    """The final result agrees, but the events on the way told another text."""


@dataclass(frozen=True, slots=True)
class Parity:
    """What came of all cuttings."""

    checked: int
    differing: tuple[Cutting, ...] = ()


def check_parity(reply: StoredReply) -> Parity:
    """Try the cuttings; native replies have no text to cut. Raise UnknownName if the format is gone."""
    found = get_format(reply.format)
    if found.native or not reply.tools or not reply.text:
        return Parity(0)
    flags = reply.flags

    def parser() -> StreamParser:
        return found.parser(reply.tools, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning)

    whole, _ = read_pieces(parser(), (reply.text,), reply.finish_reason)
    checked, differing = 0, []
    for name, pieces in cuttings(reply.text):
        checked += 1
        result, told = read_pieces(parser(), pieces, reply.finish_reason)
        if not same_reading(whole, result):
            differing.append(Cutting(name, pieces, compare_readings(whole, result)))
        elif told != (whole.text, whole.reasoning):
            differing.append(Cutting(name, pieces, Difference(), told=True))
    return Parity(checked, tuple(differing))


def cuttings(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield ways of cutting a text: in pieces of one size, and in two."""
    for size in SIZES:
        if size < len(text):
            yield f"pieces of {size}", tuple(text[at : at + size] for at in range(0, len(text), size))
    step = max(1, len(text) // MOST_CUTS)
    for at in range(1, len(text), step):
        yield f"cut at {at}", (text[:at], text[at:])


def read_pieces(parser: StreamParser, pieces: Sequence[str], reason: str) -> tuple[ParseResult, tuple[str, str]]:
    """Feed a parser; return its result, and the text and reasoning that its events told on the way."""
    events: list[ParseEvent] = []
    for piece in pieces:
        events += parser.feed(piece)
    events += parser.finish(reason)
    text = "".join(event.text for event in events if isinstance(event, TextRead))
    reasoning = "".join(event.text for event in events if isinstance(event, ReasoningRead))
    return parser.result(), (text, reasoning)
