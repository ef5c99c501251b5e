"""A reply while it is made: what faults may change, and what a persona hands out in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, Span

if TYPE_CHECKING:
    from workbench.core.messages import NativeCall
    from workbench.simulate.situation import Situation


class DraftCall(NamedTuple):
    """A call that the reply will make."""

    name: str
    arguments: dict[str, Any]

    def parsed(self, number: int, format_id: str) -> ParsedCall:
        """Return the call as formats take it to write it down."""
        nowhere = Span(0, 0)
        return ParsedCall(
            self.name, self.arguments, f"call_{number}", Outcome.STRICT, (), nowhere, nowhere, nowhere, format_id
        )


@dataclass(slots=True)
class ReplyDraft:
    """Parts of a reply, in the order in which they will stand."""

    situation: Situation
    format: str
    """Text format of the calls; empty for native calls."""
    calls: list[DraftCall] = field(default_factory=list)
    thinking: str = ""
    """Goes into the reply's text as a think block."""
    lead: str = ""
    body: str = ""
    """The calls as text, once they are written."""
    tail: str = ""
    answer: str = ""
    """Final words, of a reply without calls."""
    limit: int | None = None
    """Tokens after which the reply is cut off."""

    @property
    def text(self) -> str:
        """The reply as one text."""
        thinking = f"<think>{self.thinking}</think>\n" if self.thinking else ""
        return thinking + self.lead + self.body + self.answer + self.tail


@dataclass(frozen=True, slots=True)
class SimulatedReply:
    """What a persona says to one request, before it is cut by stop sequences and token limits."""

    text: str = ""
    calls: tuple[NativeCall, ...] = ()
    faults: tuple[str, ...] = ()
    """Labels of the faults that were put in, in the order in which they were."""
    limit: int | None = None
    """Tokens after which it is cut off."""
