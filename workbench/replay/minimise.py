"""Makes a failing reply small: the shortest text found that still fails in the same way under the same format.

Pieces are left out as long as the fault stays: first halves of the text, then ever smaller runs of lines, of words and
of characters. Each try is one reading by one parser, so thousands of them take seconds. What was found so far can be
read at any moment from another thread, and is kept when the search is stopped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParseResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_READ = 60_000_000
"""Characters that are read at most in all tries together: some seconds of parsing."""
MOST_TRIES = 20_000

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


class ReadingFault(NamedTuple):
    """How a reading failed: the outcome that counts, and its codes."""

    outcome: Outcome
    codes: frozenset[str]

    @property
    def words(self) -> str:
        """`reported: truncated`."""
        codes = ", ".join(sorted(self.codes)).replace("_", " ")
        return f"{self.outcome.value}: {codes}" if codes else self.outcome.value


def fault_of(result: ParseResult) -> ReadingFault:
    """What must stay: of a reply with several attempts the worst one's; of a good reply that there is a strict call."""
    outcome = result.outcome
    if outcome is Outcome.RECOVERED:
        codes = {code for call in result.calls for code in call.repairs}
    else:
        codes = {one.code for one in result.problems if one.outcome is outcome}
    if outcome is Outcome.NONE:
        codes = {one.code for one in result.problems}
    return ReadingFault(outcome, frozenset(codes))


@dataclass(slots=True)
class Minimising:
    """One search. `run` works on it; the fields can be read meanwhile."""

    text: str
    """The smallest text so far that fails in the same way."""
    read: Callable[[str], ParseResult]
    fault: ReadingFault
    length: int
    """Of the text at the beginning."""
    tries: int = 0
    characters: int = 0
    """Read in all tries."""
    complete: bool = False
    """Nothing more can be left out: no single character."""

    @property
    def exhausted(self) -> bool:
        """The search has cost as much as it may."""
        return self.tries >= MOST_TRIES or self.characters >= MOST_READ

    def keeps(self, text: str) -> bool:
        """A candidate fails in the same way."""
        self.tries += 1
        self.characters += len(text)
        return fault_of(self.read(text)) == self.fault

    def run(self, stop: Callable[[], bool] = lambda: False) -> str:
        """Search to the end, or until `stop`; return the smallest text found."""
        while not stop() and not self.exhausted:
            before = self.text
            for cut in (_LINES.findall, _WORDS.findall, list):
                self._leave_out(cut, stop)
            if self.text == before:
                self.complete = not stop() and not self.exhausted
                break
        return self.text

    def _leave_out(self, cut: Callable[[str], Sequence[str]], stop: Callable[[], bool]) -> None:
        """Leave out runs of pieces: half of them at first, at last single ones; from the end, where replies break."""
        pieces = list(cut(self.text))
        size = max(len(pieces) // 2, 1)
        while pieces:
            at = len(pieces)
            while at > 0:
                if stop() or self.exhausted:
                    return
                low = max(at - size, 0)
                rest = pieces[:low] + pieces[at:]
                if self.keeps(candidate := "".join(rest)):
                    pieces, self.text = rest, candidate
                at = low
            if size == 1:
                return
            size //= 2


def begin(text: str, read: Callable[[str], ParseResult]) -> Minimising | None:
    """Prepare a search; None where the reading has nothing that could be kept: no attempt and no problem."""
    fault = fault_of(read(text))
    if fault.outcome is Outcome.NONE and not fault.codes:
        return None
    return Minimising(text, read, fault, len(text))
