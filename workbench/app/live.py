"""Live replay: recorded runs are sent once more as new runs, some at a time, each held against its record as it ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.runs import RunDraft
from workbench.core.errors import StoreError, WorkbenchError
from workbench.core.events import CancelCause, ParentRun
from workbench.replay.live import live_result, not_sent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from workbench.app.batch_work import RunStarter
    from workbench.core.case import Case
    from workbench.core.protocols import SchemaChecker
    from workbench.replay.fork import Fork
    from workbench.replay.replay_basis import Cases
    from workbench.replay.result import Replayed
    from workbench.store import StoredRun

ORIGIN = "replay"
FORKED = "fork"
"""Origin of a run that went another way."""


class LiveReplays:
    """Sends recorded runs once more."""

    def __init__(self, runs: RunStarter, load: Callable[[str], Awaitable[StoredRun]], check: SchemaChecker) -> None:
        self._runs, self._load, self._check = runs, load, check

    async def one(self, stored: StoredRun, case: Case | None = None) -> Replayed:
        """Send one run again and compare; what cannot be sent is not comparable. Raise StoreError.

        Whoever cancels this cancels the new run too; it is kept as far as it came.
        """
        draft = draft_of(stored, case)
        if draft is None:
            return not_sent(stored, "The record does not say how the run began.")
        try:
            handle = await self._runs.start(draft)
        except StoreError:
            raise
        except WorkbenchError as error:
            return not_sent(stored, str(error))
        try:
            await handle.wait()
        except asyncio.CancelledError:
            handle.cancel(CancelCause.USER)
            raise
        return live_result(stored, await self._load(handle.run_id), self._check, case)

    async def many(
        self,
        runs: Iterable[StoredRun],
        cases: Cases,
        tell: Callable[[Replayed], None],
        *,
        parallel: int = 1,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Send many; `tell` hears of each as it ends, `stopped` is asked before each is begun."""
        left = iter(runs)
        reading = asyncio.Lock()

        async def work() -> None:
            while not stopped():
                async with reading:  # one reader: the runs are loaded as they are needed, never all at once
                    stored = await asyncio.to_thread(_next, left)
                if stored is None:
                    return
                case = await asyncio.to_thread(cases, stored.run.id)
                tell(await self.one(stored, case))

        async with asyncio.TaskGroup() as group:
            for _ in range(parallel):
                group.create_task(work())


def _next(runs: Iterator[StoredRun]) -> StoredRun | None:
    return next(runs, None)


def fork_draft(stored: StoredRun, found: Fork) -> RunDraft:
    """A fork as a draft; it is judged by itself, whatever case the run was made for."""
    started = stored.summary().started
    choice, title = (started.tool_choice, started.title) if started else (None, "")
    return RunDraft(found.messages, found.target, found.tools, choice, title, FORKED, parent=found.parent)


def draft_of(stored: StoredRun, case: Case | None = None) -> RunDraft | None:
    """The same run as a draft, format and all decided anew; None where the record has no beginning.

    With a case, what the case asks today is asked: it may have been corrected since.
    """
    started = stored.summary().started
    if started is None:
        return None
    draft = RunDraft(
        started.messages, started.target, started.tools, started.tool_choice, started.title, ORIGIN, case,
        parent=ParentRun(stored.run.id),
    )  # fmt: skip
    if case is None:
        return draft
    return replace(draft, messages=case.messages, tools=case.tools, tool_choice=case.tool_choice)
