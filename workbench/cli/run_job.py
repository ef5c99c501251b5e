"""One run of `workbench run`, from its draft to its number in the history."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.run_summary import RunSummary

if TYPE_CHECKING:
    from workbench.app import RunDraft, RunHandle
    from workbench.store import Store


@dataclass(slots=True)
class Job:
    """One run of an order."""

    case: str
    """Id of its case; empty for a prompt."""
    repetition: int
    draft: RunDraft
    handle: RunHandle | None = None
    number: int | None = None
    """Display number, once it is recorded."""
    run: RunSummary = field(default_factory=RunSummary)
    """What has happened so far."""

    async def finish(self, store: Store) -> None:
        """Wait for the run's end and learn its number."""
        assert self.handle is not None
        await self.handle.wait()
        self.number = (await asyncio.to_thread(store.find, self.handle.run_id)).number
