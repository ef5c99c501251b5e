"""What the gateway page shows, as values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.ui.run.run_words import StepChip


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """One conversation in the list."""

    id: str
    title: str
    client: str
    count: int
    """Its exchanges."""
    at: float
    """When the last one began, in UTC seconds."""
    findings: Counter[str] = field(default_factory=Counter)
    """By group: `lost`, `leaked`, …; `repaired` among them."""
    held: bool = False
    open: bool = False
    """Something of it is under way."""


@dataclass(frozen=True, slots=True)
class ExchangeLine:
    """One exchange, as its card's header shows it."""

    number: int
    """Within its conversation, from 1."""
    run_id: str
    """The run that is shown; empty where none has begun."""
    summary: str
    chips: tuple[StepChip, ...] = ()
    figures: str = ""
    live: bool = False
    held: bool = False
    trouble: bool = False
    """Worth a look: its card opens by itself."""
    note: str = ""
    """Why there is nothing to open."""
    wire: str = ""
    """The protocol that the agent speaks."""
    way: str = "route"
    tools: str = ""
    """How the tools were carried, in a few words."""
    results: int = 0
    """New tool results in the request."""
    left_out: tuple[str, ...] = ()
    said: str = ""
    """What a person did with it."""
    lifted: tuple[str, ...] = ()
    """Tools whose calls were lifted out of the text."""
    given: str = ""
    """Where a person wrote the reply: the run that holds it."""

    @property
    def shown_run(self) -> str:
        """The model's run, or the one that holds what a person wrote where no model was asked; empty as long as there is none."""
        return self.run_id or self.given


@dataclass(frozen=True, slots=True)
class RouteLine:
    """One line of the table of routes."""

    asked_for: str
    tier: str
    """`BIG`, `MIDDLE`, `SMALL`, `explicit`, or nothing."""
    target: str
    icon: str
    way: str
    fault: str = ""
    """Why it leads nowhere."""
    fixed: bool = False
    """It stands for whatever no route fits, and cannot be moved."""


@dataclass(frozen=True, slots=True)
class HeldView:
    """A held exchange as its row shows it."""

    number: int
    exchange: int
    """Number of the exchange within its conversation."""
    is_request: bool
    document: str
    blank_reply: str
    notes: tuple[str, ...]
    streams: bool
    left_s: float
    of_s: float


@dataclass(frozen=True, slots=True)
class RouteDraft:
    """A route as its editor holds it."""

    asked_for: str = ""
    leads_to: str = "model"
    """A tier, or `model`."""
    model: str = ""
    """PROVIDER / MODEL."""
    way: str = "route"
    """`route`, `repair` or `pass-through`."""
    format: str = "auto"
    planner: str = ""
    seconds: float | None = None
