"""Decisions of people about calls: what is asked, what was decided, and who is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup


class DecidedBy(StrEnum):
    """Who decided."""

    USER = "user"
    RULE = "rule"
    """The user said so for all such calls of the run."""
    CLOCK = "clock"
    """Nobody decided in time: refused."""
    NOBODY = "nobody"
    """There is nobody who could be asked: refused."""


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """One call that waits."""

    run_id: str
    step: int
    index: int
    """Of the call within its step."""
    setup: ToolSetup
    arguments: dict[str, Any]
    """As the model gave them; they fit the schema."""
    seconds: float
    """After so long it is refused."""
    workspace: str = ""

    @property
    def key(self) -> tuple[str, int, int]:
        """Names the waiting call among all."""
        return (self.run_id, self.step, self.index)


@dataclass(frozen=True, slots=True)
class ApprovalDecision:
    """What was decided about a call."""

    allowed: bool
    by: DecidedBy = DecidedBy.USER
    arguments: dict[str, Any] | None = None
    """Edited ones to call with; None: as the model gave them."""
    answered: bool = False
    """The person gave the result; nothing is executed."""
    result: Any = None
    """Of an answered call."""
    reason: str = ""
    """Of a refusal, in the person's words: the model gets it."""


class Consequence(NamedTuple):
    """One sentence on what allowing a call would do, or one line of a difference."""

    kind: Literal["does", "undo", "warn", "removed", "added"]
    text: str


class Approver(Protocol):
    """Whoever decides. May take as long as it likes: the engine keeps the time."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Return the decision; a cancel means that it is not wanted any more."""
        ...


class NobodyToAsk:
    """Refuses every call, as nobody sits there."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:  # noqa: ARG002
        """Refuse."""
        return ApprovalDecision(False, DecidedBy.NOBODY)
