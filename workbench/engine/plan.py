"""What a run is made of, resolved: who is asked, in which format, with which tools and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.core.target import FamilyFlags, Target

if TYPE_CHECKING:
    from workbench.core.events import CancelCause, ClientRequest, ParentRun, PartyInfo
    from workbench.core.messages import Message, ToolChoice
    from workbench.core.protocols import Format, ModelClient, Ticker
    from workbench.core.tools import ToolSetup, ToolSpec


@dataclass(frozen=True, slots=True)
class Party:
    """A model that takes part."""

    client: ModelClient
    info: PartyInfo
    format: Format | None
    """None for a planner: its reply is no tool-call format."""
    flags: FamilyFlags = field(default_factory=FamilyFlags)
    own_template: bool = False
    """The server's template renders the tools, so they go as fields, although the reply is read as text."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Everything that decides how a run goes."""

    run_id: str
    messages: tuple[Message, ...]
    target: Target
    executor: Party
    planner: Party | None = None
    tools: tuple[ToolSetup, ...] = ()
    tool_choice: ToolChoice = None
    wrapper: str = ""
    """Boost wrapper template, already checked; needed with a planner."""
    workspace: str = ""
    """Folder of executed tools; empty: that of the settings."""
    title: str = ""
    origin: str = "try"
    stop: tuple[str, ...] = ()
    """Stop sequences that were asked for, beside those of the format."""
    by_wire: dict[str, Any] = field(default_factory=dict)
    """Body fields for one wire only, see `ChatRequest.by_wire`."""
    client: ClientRequest | None = None
    """Set where a program asked through the gateway."""
    parent: ParentRun | None = None
    """Set where it was made from another run."""
    clock: Ticker | None = None
    """Set where the beginning is played from a record."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' definitions."""
        return tuple(setup.spec for setup in self.tools)

    def setup(self, name: str) -> ToolSetup | None:
        """The tool of that name."""
        return next((setup for setup in self.tools if setup.spec.name == name), None)


@dataclass(slots=True)
class CancelNote:
    """Whose cancel it is; written before the task is cancelled, read when the run ends."""

    cause: CancelCause | None = None
