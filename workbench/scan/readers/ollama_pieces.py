"""What Ollama's parsers were given, piece by piece: a record has no request's name, so replies are told apart by their ends.

level=DEBUG msg="chat request"                                        a request begins
level=TRACE msg="builtin parser input" parser=… content="…"           a piece
[GIN] … POST     "/api/chat"                                           a request ends

Requests that waited for each other are read one after the other. Where two were answered at the same time their pieces are
mixed, and nobody can say which belongs to which: that is told in place of a call that looks broken.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.calls import Outcome
from workbench.formats.survey.crossread import best_reading


class EndedReply(NamedTuple):
    """A reply that came to its end."""

    text: str
    at_once: int
    """Requests that were under way with it, itself too; 1: nobody else."""

    @property
    def mixed(self) -> bool:
        """Whether pieces of other replies stand in it: several were under way, and a call in it is broken."""
        if self.at_once < 2:
            return False
        found = best_reading(self.text, None)
        return bool(found.lost) or any(call.outcome is not Outcome.STRICT for call in found.calls)


class OllamaPieces:
    """Joins pieces to replies."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._running = 0
        self._most = 0
        self._ends_told = False

    def piece(self, text: str) -> None:
        """Take a piece."""
        self._pieces.append(text)
        self._most = max(self._most, self._running, 1)

    def began(self) -> EndedReply | None:
        """A request begins; where ends are not logged, that is the end of the reply before."""
        if not self._ends_told:
            self._running = 1
            return self._take()
        self._running += 1
        if self._pieces:
            self._most = max(self._most, self._running)
        return None

    def ended(self) -> EndedReply | None:
        """A request ends."""
        if not self._ends_told:
            self._ends_told, self._running = True, 1
        self._running = max(self._running - 1, 0)
        return self._take()

    def finish(self) -> EndedReply | None:
        """The log ends."""
        return self._take()

    def _take(self) -> EndedReply | None:
        text, most = "".join(self._pieces), self._most
        self._pieces, self._most = [], 0
        return EndedReply(text, most) if text else None
