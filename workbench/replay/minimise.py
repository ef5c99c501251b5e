"""Makes a failing reply small: the shortest text, the fewest pieces and tools found with which it still fails alike.

Parts are left out as long as the fault stays: first of the text, then tools, then what the tools say. Each try is one
reading by one parser or two, so thousands of them take seconds. What was found so far can be read at any moment from
another thread, and is kept when the search is stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.replay.faults import CutsMatter, find_fault
from workbench.replay.shrinking import fewer_tools, made, shorter_pieces, shorter_text, smaller_schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from workbench.core.tools import ToolSpec
    from workbench.replay.faults import Fault, FaultyReply, ReplyReader

MOST_READ = 60_000_000
"""Characters that are read at most in all tries of one phase together: some seconds of parsing."""
MOST_TRIES = 20_000
"""Tries of one phase."""


class ReplySizes(NamedTuple):
    """How large a reply is."""

    text: int
    """Characters."""
    chunks: int
    tools: int
    schema: int
    """Characters of all tools as JSON."""


def sizes_of(reply: FaultyReply) -> ReplySizes:
    """Measure a reply."""
    tools = reply.tools or ()
    return ReplySizes(
        len(reply.text), len(reply.pieces), len(tools), sum(len(str(tool.to_document())) for tool in tools)
    )


@dataclass(slots=True)
class Minimising:
    """One search. `run` works on it; the fields can be read meanwhile."""

    reply: FaultyReply
    """The smallest so far that fails in the same way."""
    fault: Fault
    before: ReplySizes
    """Of the reply at the beginning."""
    cuts_matter: bool = False
    tries: int = 0
    complete: bool = False
    """Nothing more can be left out: no single character, no tool."""
    _spent: list[int] = field(default_factory=lambda: [0, 0])
    """Tries and characters of the phase under way."""

    @property
    def text(self) -> str:
        """The smallest text so far."""
        return self.reply.text

    @property
    def length(self) -> int:
        """Of the text at the beginning."""
        return self.before.text

    @property
    def exhausted(self) -> bool:
        """The phase under way has cost as much as it may."""
        return self._spent[0] >= MOST_TRIES or self._spent[1] >= MOST_READ

    def run(self, stop: Callable[[], bool] = lambda: False) -> str:
        """Search to the end, or until `stop`; return the smallest text found."""
        ended = [self._drive(phase, stop) for phase in self._phases()]
        self.complete = all(ended)
        return self.text

    def _phases(self) -> Iterator[Generator[FaultyReply, bool, Any]]:
        reply = self.reply
        if self.cuts_matter:
            yield made(shorter_pieces(reply.pieces), self._in_pieces)
        else:
            yield made(shorter_text(reply.text), self._in_one_piece)
        if tools := self.reply.tools:
            meant_first = sorted(tools, key=lambda tool: tool.name != self.fault.name)
            yield made(fewer_tools(meant_first), self._with_tools)
        if tools := self.reply.tools:
            yield made(smaller_schemas(tools), self._with_tools)

    def _in_pieces(self, pieces: tuple[str, ...]) -> FaultyReply:
        return replace(self.reply, pieces=pieces)

    def _in_one_piece(self, text: str) -> FaultyReply:
        return replace(self.reply, pieces=(text,) if text else ())

    def _with_tools(self, tools: tuple[ToolSpec, ...]) -> FaultyReply:
        return replace(self.reply, tools=tools)

    def _drive(self, steps: Generator[FaultyReply, bool, Any], stop: Callable[[], bool]) -> bool:
        """Try candidates until there are none (True), or it is stopped or has cost too much."""
        self._spent = [0, 0]
        try:
            candidate = next(steps)
            while not stop() and not self.exhausted:
                self.tries += 1
                self._spent[0] += 1
                self._spent[1] += len(candidate.text)
                keeps = self.fault.stands_in(candidate)
                if keeps:
                    self.reply = candidate
                candidate = steps.send(keeps)
        except StopIteration:
            return True
        return False


def begin(reply: FaultyReply, reader: ReplyReader, code: str = "") -> Minimising | None:
    """Prepare a search; None where the reading has nothing that could be kept: no attempt and no problem.

    With `code` only that code is kept; raise InvalidInput where the reading has none such.
    """
    fault = find_fault(reply, reader, code)
    if fault is None:
        return None
    matter = isinstance(fault, CutsMatter)
    return Minimising(reply if matter else reply.whole, fault, sizes_of(reply), matter)
