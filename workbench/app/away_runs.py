"""Runs of a batch that the workers of a job do: processes of this computer, or those of a Dask cluster.

A piece is one run. Its worker opens the same history, records there as everybody does, and goes on where another worker
was lost. Whoever sends the pieces keeps what holds for all of them: requests at the same time by handing out no more runs
than a provider takes, requests a minute by giving each worker its share, money by what has ended. A worker looks whether
its sender is still there, and stops where it is not: nobody pays for runs that nobody waits for.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput, StoreError, WorkbenchError
from workbench.core.events import CancelCause
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.providers.limits import TokenMinute, WorkerPace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Future

    from workbench.app.runs import RunDraft, RunHandle
    from workbench.app.workbench import Workbench
    from workbench.core.batch import CaseVerdict
    from workbench.core.events import RunEvent
    from workbench.core.target import Target
    from workbench.jobs import PieceExecutor
    from workbench.settings.values import ProviderConfig

LOOK_S = 0.5
"""How often a worker looks whether it shall go on."""
_STOPPED = Verdict(VerdictState.CANCELLED, Basis.INTRINSIC, "the job was stopped")


@dataclass(frozen=True, slots=True)
class RunPiece:
    """One run for a worker."""

    batch_id: str
    draft: RunDraft
    home: str = ""
    """The data folder; empty: the worker's own."""
    shares: tuple[tuple[str, int], ...] = ()
    """Requests a minute that each worker may send, by provider."""
    tokens: tuple[tuple[str, int], ...] = ()
    """Tokens a minute that each worker may use, by provider."""


class PieceDone(NamedTuple):
    """What a worker tells; the run itself is in the history."""

    run_id: str = ""
    result: CaseVerdict | None = None
    """None: it was stopped, or could not be run."""
    fault: str = ""
    hint: str = ""
    not_recorded: bool = False
    """The history could not be written, so that nothing of the kind can go on."""


def do_piece(piece: RunPiece) -> PieceDone:
    """Run one piece to its end: what a worker does."""
    try:
        return asyncio.run(_do(piece))
    except WorkbenchError as error:  # the errors themselves have constructors that pickle does not know
        return PieceDone(fault=error.message, hint=error.hint, not_recorded=isinstance(error, StoreError))
    except (
        asyncio.CancelledError
    ):  # a run that was stopped at its very end; it is no cancel of whoever waits for the piece
        return PieceDone()


async def _do(piece: RunPiece) -> PieceDone:
    from workbench.app.workbench import Workbench

    async with Workbench.open(Path(piece.home) if piece.home else None) as wb:
        here = threading.get_ident()
        wb.keep_pace(
            {name: _pace(here, name, share) for name, share in piece.shares},
            {name: _tokens(here, name, share) for name, share in piece.tokens},
        )
        batches = wb.store.batches
        if not await asyncio.to_thread(batches.is_known, piece.batch_id):
            raise InvalidInput(
                f"The history of the worker, {wb.store.name}, does not hold the batch.",
                hint="Give all workers the same database as here, and the same WORKBENCH_HOME on one computer.",
            )
        if not await asyncio.to_thread(batches.is_going, piece.batch_id):
            return PieceDone()
        handle = await wb.runs.start(piece.draft)
        await _watch(wb, piece.batch_id, handle)
        return PieceDone(handle.run_id, handle.result)


async def _watch(wb: Workbench, batch_id: str, handle: RunHandle) -> None:
    """Wait for a run's end, and stop it where nobody waits for it any more."""
    while not handle.done:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):
                await handle.wait()
        if not handle.done and not await asyncio.to_thread(wb.store.batches.is_going, batch_id):
            handle.cancel(CancelCause.BATCH)  # once: what it writes at its end is not to be cut off
            break
    await handle.wait()


@cache
def _pace(_thread: int, _provider: str, share: int) -> WorkerPace:
    """Kept from one piece of a worker to its next."""
    return WorkerPace(share)


@cache
def _tokens(_thread: int, _provider: str, share: int) -> TokenMinute:
    return TokenMinute(share)


class Away:
    """Has the runs of batches done by an executor."""

    def __init__(self, wb: Workbench, executor: PieceExecutor) -> None:
        self._wb, self._executor = wb, executor
        self._home = "" if executor.own_homes else str(wb.home.path)

    def check(self, targets: Iterable[Target]) -> None:
        """Raise InvalidInput where a provider allows less than one request a minute for each worker, UnknownName."""
        for config in _providers(self._wb, targets):
            if config.requests_per_minute and not self._share(config):
                raise InvalidInput(
                    f"Provider {config.name!r} takes {config.requests_per_minute} requests a minute,"
                    f" fewer than there are workers ({self._executor.workers}).",
                    hint=f"Take fewer workers, such as --on local:{config.requests_per_minute}.",
                )

    def runs_of(self, batch_id: str) -> AwayRuns:
        """What starts the runs of one batch."""
        return AwayRuns(self, batch_id)

    def _share(self, config: ProviderConfig) -> int:
        return config.requests_per_minute // self._executor.workers

    def send(self, batch_id: str, draft: RunDraft) -> Future[PieceDone]:
        """Hand a run to some worker."""
        found = _providers(self._wb, [draft.target])
        shares = tuple((one.name, self._share(one)) for one in found if one.requests_per_minute)
        tokens = tuple(
            (one.name, max(1, one.tokens_per_minute // self._executor.workers))
            for one in found
            if one.tokens_per_minute
        )
        return self._executor.submit(do_piece, RunPiece(batch_id, draft, self._home, shares, tokens))

    async def turns(self, draft: RunDraft, stack: AsyncExitStack) -> None:
        """Wait until each provider of a run takes one more."""
        for config in _providers(self._wb, [draft.target]):
            await stack.enter_async_context(self._wb.turns(config.name))

    async def events_of(self, run_id: str) -> Sequence[RunEvent]:
        """What was recorded of a run."""
        return (await self._wb.load(run_id)).events

    def stop(self, batch_id: str) -> None:
        """Have the workers stop what they do for a batch."""
        from workbench.core.batch import BatchState

        self._wb.store.batches.set_state(batch_id, BatchState.STOPPED)


@dataclass(slots=True)
class AwayRuns:
    """Implements `RunStarter`: the runs of one batch."""

    away: Away
    batch_id: str
    stopped: bool = False

    async def start(self, draft: RunDraft, watch: Callable[[Sequence[RunEvent]], None] | None = None) -> AwayRun:
        """Send one run as soon as its providers have room for it."""
        async with AsyncExitStack() as stack:
            await self.away.turns(draft, stack)
            sent = self.away.send(self.batch_id, draft)
            return AwayRun(self, draft.run_id, sent, watch, stack.pop_all())

    def stop(self) -> None:
        """Tell the workers once."""
        if not self.stopped:
            self.stopped = True
            self.away.stop(self.batch_id)


@dataclass(slots=True)
class AwayRun:
    """A run that a worker does."""

    runs: AwayRuns
    run_id: str
    sent: Future[PieceDone]
    watch: Callable[[Sequence[RunEvent]], None] | None
    turns: AsyncExitStack
    result: CaseVerdict | None = field(default=None)

    async def wait(self) -> Verdict:
        """Wait for the end and read what was recorded; raise StoreError, or another WorkbenchError where it could not run."""
        async with self.turns:
            done = await asyncio.wrap_future(self.sent)
        if done.fault:
            raise (StoreError if done.not_recorded else WorkbenchError)(done.fault, hint=done.hint)
        if done.result is None:
            return _STOPPED
        self.run_id, self.result = done.run_id, done.result
        if self.watch is not None:
            self.watch(await self.runs.away.events_of(self.run_id))
        return self.result.verdict

    def cancel(self, cause: CancelCause = CancelCause.BATCH) -> None:  # noqa: ARG002  a job is stopped as a whole
        """Stop it, with all others of its batch."""
        self.runs.stop()


def _providers(wb: Workbench, targets: Iterable[Target]) -> list[ProviderConfig]:
    """Whom targets ask, each once, in an order in which nobody waits for another in a circle."""
    asked = {ref.provider for target in targets for ref in (target.executor, target.planner) if ref is not None}
    return [found for _, found in sorted({config.name: config for config in map(wb.provider, asked)}.items())]
