"""What `workbench run` was asked for, as values: the plan, its jobs, and how each ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from workbench.cli.outcome import Outcome
from workbench.core.events import ChunkReceived, RunStarted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app import RunDraft, RunHandle
    from workbench.cli.inputs import Case
    from workbench.cli.options import TargetOptions
    from workbench.core.events import RunEvent
    from workbench.store import Store


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint named on the command line, for these runs only."""

    base_url: str
    key_env: str = ""
    wire: str = "openai_chat"
    tools: Literal["auto", "native", "emulated"] = "auto"
    name: str = "endpoint"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the command line asks for."""

    cases: tuple[Case, ...]
    options: TargetOptions
    tools: str = ""
    tool_mode: str = "mock"
    tool_choice: str = ""
    endpoint: Endpoint | None = None
    repeat: int = 1
    parallel: int = 1
    title: str = ""
    output: str = "text"
    """`text`, `json` or `events`."""
    quiet: bool = False
    check: bool = False

    @property
    def size(self) -> int:
        """How many runs it makes."""
        return len(self.cases) * self.repeat


@dataclass(slots=True)
class Job:
    """One run of a plan."""

    case: str
    """Id of its case; empty for a prompt."""
    repetition: int
    draft: RunDraft
    handle: RunHandle | None = None
    number: int | None = None
    """Display number, once it is recorded."""
    facts: list[RunEvent] = field(default_factory=list)
    """What happened, bytes left out."""

    async def finish(self, store: Store) -> None:
        """Wait for the run's end and learn its number."""
        assert self.handle is not None
        await self.handle.wait()
        self.number = (await asyncio.to_thread(store.find, self.handle.run_id)).number

    def take(self, events: Sequence[RunEvent]) -> None:
        """Keep what an outcome is made of."""
        self.facts += [event for event in events if not isinstance(event, ChunkReceived)]

    @property
    def run_id(self) -> str:
        """Id of the run; empty until its first fact is here."""
        first = self.facts[0] if self.facts else None
        return first.run_id if isinstance(first, RunStarted) else ""

    def outcome(self) -> Outcome:
        """Return how it ended."""
        return Outcome(self.facts, self.number)
