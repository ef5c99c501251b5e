"""Batches: cases × targets × repeats as ordinary recorded runs, some at a time, graded and on disk as they end.

A batch that was stopped or killed is resumed where it stood: what ran then runs again, with the same seed.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.batch_plan import ItemCounts, plan_items
from workbench.app.batch_work import CaseWork
from workbench.app.pricing import check_prices, run_cost
from workbench.core.batch import Batch, BatchItem, BatchSpec, BatchState, CaseVerdict, ItemState
from workbench.core.clock import Clock, new_id
from workbench.core.errors import InvalidInput, ProviderError, StoreError, WorkbenchError
from workbench.core.events import CancelCause
from workbench.core.run_summary import RunSummary
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.grading.sample import sample_of
from workbench.grading.stopping import looks_of, standing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.app.batch_work import AwayStarter, ItemRun, ItemWork, RunStarter
    from workbench.app.pricing import PriceOf
    from workbench.core.batch import BatchProgress, BatchRow, StoppingRule
    from workbench.core.case import Case, Suite
    from workbench.core.target import Target
    from workbench.store import Store

    Watch = Callable[["BatchProgress"], None]


class BatchHandle:
    """A batch under way."""

    def __init__(
        self,
        batch: Batch,
        runs: RunStarter,
        store: Store,
        prices: PriceOf,
        max_cost: float | None = None,
        work: ItemWork | None = None,
    ) -> None:
        self.spec = batch.spec
        self.max_cost = max_cost
        self._does = work or CaseWork(batch.spec)
        self._runs, self._store, self._prices = runs, store, prices
        self._costs = [item.sample.cost for item in batch.items if item.sample.cost is not None]
        self._items = list(batch.items)
        self._tally = ItemCounts(batch.spec, batch.items)
        self._cases = {case.id: case for case in batch.spec.cases}
        self._waiting = deque(item.position for item in batch.items if item.state is ItemState.WAITING)
        self._live: dict[int, ItemRun] = {}
        self._going = asyncio.Event()
        self._going.set()
        self._state = BatchState.RUNNING
        self._stopping = False
        self._watchers: list[Watch] = []
        self._allowed = batch.spec.repeats
        """Repeats that may be started before the next look."""
        self._worked_s, self._since, self._ended = 0.0, time.monotonic(), 0
        self._task: asyncio.Task[None] | None = None

    @property
    def batch_id(self) -> str:
        """Id of the batch."""
        return self.spec.id

    @property
    def batch(self) -> Batch:
        """The batch as it stands."""
        return Batch(self.spec, tuple(self._items), self._state)

    @property
    def progress(self) -> BatchProgress:
        """How far it has come."""
        found = self._tally.progress(self._state, self._elapsed(), self._ended)
        return replace(found, cost=self.cost, max_cost=self.max_cost)

    @property
    def cost(self) -> float:
        """What the runs that are done cost, those before a resume included."""
        return math.fsum(self._costs)

    @property
    def spent(self) -> bool:
        """No further run may be started: the limit of cost is reached, or would be by what runs now."""
        if self.max_cost is None:
            return False
        likely = self.cost / len(self._costs) if self._costs else 0.0
        return self.cost + likely * len(self._live) >= self.max_cost

    @property
    def halted(self) -> str:
        """Why runs are left although nobody stopped it; empty where none are, or somebody did."""
        left = self.batch.left
        if not (self.done and left and self.spent):
            return ""
        return (
            f"The limit of cost is reached: {self.cost:.4g} of {self.max_cost:.4g} spent,"
            f" {left} of {len(self._items)} runs were not started."
        )

    @property
    def done(self) -> bool:
        """It has ended, well or not, and everything is on disk."""
        return self._task is not None and self._task.done()

    def watch(self, callback: Watch) -> Callable[[], None]:
        """Have `callback` called after every change, in the event loop; call what is returned to stop that."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def pause(self) -> None:
        """Start nothing more for now; what runs goes on to its end."""
        if self._state is BatchState.RUNNING:
            self._worked_s, self._state = self._elapsed(), BatchState.PAUSED
            self._going.clear()
            self._tell()

    def unpause(self) -> None:
        """Go on."""
        if self._state is BatchState.PAUSED:
            self._since, self._state = time.monotonic(), BatchState.RUNNING
            self._going.set()
            self._tell()

    def cancel(self, cause: CancelCause = CancelCause.BATCH) -> None:
        """Stop; what runs is stopped too, keeps what came so far, and is run again when the batch is resumed."""
        self._stopping = True
        self._going.set()
        for run in list(self._live.values()):
            run.cancel(cause)

    async def trim(self, target: int) -> None:
        """Take a target out: what has run stays, what waits never runs."""
        gone = [self._items[position] for position in self._waiting if self._items[position].target == target]
        trimmed = [replace(item, state=ItemState.TRIMMED) for item in gone]
        for item in trimmed:
            self._waiting.remove(item.position)
            self._put(item)
        await self._store.batches.keep(self.batch_id, trimmed)
        self._tell()

    async def wait(self) -> Batch:
        """Wait for the end; raise StoreError if it could not be recorded. Cancelling the waiter leaves the batch."""
        assert self._task is not None
        await asyncio.shield(self._task)
        return self.batch

    def _elapsed(self) -> float:
        return self._worked_s + (time.monotonic() - self._since if self._state is BatchState.RUNNING else 0.0)

    def _tell(self) -> None:
        for watcher in list(self._watchers):
            watcher(self.progress)

    async def _run(self) -> None:
        try:
            if self.spec.stopping is None:
                await self._work_all()
            else:
                await self._until_decided(looks_of(self.spec.stopping, self.spec.repeats))
        except ExceptionGroup as failed:
            if all(isinstance(error, StoreError) for error in failed.exceptions):
                raise failed.exceptions[0] from failed
            raise
        finally:
            self.cancel()
            self._worked_s = self._elapsed()
            self._state = BatchState.STOPPED if self.batch.left else BatchState.DONE
            await asyncio.to_thread(self._store.batches.set_state, self.batch_id, self._state)
            self._tell()

    async def _work_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(self.spec.parallel):
                group.create_task(self._work())

    async def _until_decided(self, looks: Sequence[int]) -> None:
        """Run up to the next look, take out what no open question needs, and so on; first the look that a kill left out."""
        await self._look()
        while self._waiting and not self._stopping and not self.spent:
            following = self._items[self._waiting[0]].repeat
            self._allowed = next(repeats for repeats in looks if repeats > following)
            await self._work_all()
            await self._look()

    async def _look(self) -> None:
        found = await asyncio.to_thread(standing, self.batch)
        waiting = {self._items[position].target for position in self._waiting}
        for target in sorted(waiting - found.needed):
            await self.trim(target)

    async def _work(self) -> None:
        """Take one item after the other until none is left or the batch is stopped."""
        while True:
            await self._going.wait()
            if self._stopping or not self._waiting or self.spent:
                return
            if self._items[self._waiting[0]].repeat >= self._allowed:
                return
            await self._one(self._items[self._waiting.popleft()])

    async def _one(self, item: BatchItem) -> None:
        case, summary = self._cases[item.case_id], RunSummary()
        item = replace(item, state=ItemState.RUNNING, run_id=item.run_id or new_id())
        await self._keep(item)  # before anything is sent: whoever goes on after a kill looks for this run
        try:
            run = await self._runs.start(replace(self._does.draft(item), run_id=item.run_id), summary.add_all)
            verdict = await self._wait(item, run)
        except StoreError:
            raise
        except WorkbenchError as error:
            await self._does.ended(item, summary, None)
            await self._keep(replace(item, state=ItemState.DONE, run_id="", result=_could_not_start(error, case)))
            return
        if self._stopping and verdict.state is VerdictState.CANCELLED:
            await self._keep(replace(item, state=ItemState.WAITING, run_id=run.run_id))
            return
        cost = run_cost(summary, self.spec.targets[item.target], self._prices)
        sample = replace(sample_of(summary, case), cost=cost)
        if cost is not None:
            self._costs.append(cost)
        await self._does.ended(item, summary, cost)
        await self._keep(replace(item, state=ItemState.DONE, run_id=run.run_id, result=run.result, sample=sample))

    async def _wait(self, item: BatchItem, run: ItemRun) -> Verdict:
        self._live[item.position] = run
        try:
            if self._stopping:  # it came while this run was being started
                run.cancel(CancelCause.BATCH)
            if run.run_id != item.run_id:
                await self._keep(replace(item, run_id=run.run_id))
            return await run.wait()
        finally:
            self._live.pop(item.position, None)

    async def _keep(self, item: BatchItem) -> None:
        """An item's new state, on disk before anybody hears of it."""
        await self._store.batches.keep(self.batch_id, [item])
        self._put(item)
        self._ended += item.state is ItemState.DONE
        self._tell()

    def _put(self, item: BatchItem) -> None:
        self._tally.change(self._items[item.position], item)
        self._items[item.position] = item


def _could_not_start(error: WorkbenchError, case: Case) -> CaseVerdict:
    basis = Basis.EXPECTATION if case.expectation else Basis.INTRINSIC
    code = f"provider.{error.info.kind}" if isinstance(error, ProviderError) else "provider.setup"
    return CaseVerdict(Verdict(VerdictState.ERROR, basis, str(error), (code,)))


class BatchService:
    """Starts and resumes batches, and owns their tasks."""

    def __init__(self, runs: RunStarter, store: Store, prices: PriceOf = lambda _: None) -> None:
        self._runs, self._store, self._prices = runs, store, prices
        self._running: dict[str, BatchHandle] = {}
        self.away: AwayStarter | None = None
        """Set where the runs of batches are done by the workers of a job."""

    @property
    def running(self) -> tuple[BatchHandle, ...]:
        """Handles of all batches under way."""
        return tuple(self._running.values())

    async def start(
        self,
        suite: Suite,
        targets: Sequence[Target],
        *,
        repeats: int = 1,
        seed: int = 0,
        parallel: int = 4,
        title: str = "",
        max_cost: float | None = None,
        stopping: StoppingRule | None = None,
        watch: Watch | None = None,
    ) -> BatchHandle:
        """Plan, record and start a batch; raise InvalidInput where there is nothing to run, StoreError.

        With `max_cost` no further run is started once it is reached; a model without a price is then refused. With a
        `stopping` rule, which has its own limit of cost, `repeats` are the most.
        """
        now = Clock().now_us()
        spec = BatchSpec(
            new_id(now), title or suite.name, suite.name, suite.cases, tuple(targets), repeats, seed, parallel, now,
            stopping,
        )  # fmt: skip
        batch = Batch(spec, plan_items(spec))
        return await self.launch(batch, watch=watch, max_cost=stopping.max_cost if stopping else max_cost)

    async def launch(
        self,
        batch: Batch,
        *,
        work: ItemWork | None = None,
        verification: object | None = None,
        max_cost: float | None = None,
        watch: Watch | None = None,
    ) -> BatchHandle:
        """Record and start a batch that is planned already; `verification` says what it is for, and is recorded with it.

        Raise InvalidInput where a limit of cost cannot be kept, StoreError.
        """
        if max_cost is not None:
            check_prices(batch.spec.targets, self._prices)
        if self.away is not None:
            self.away.check(batch.spec.targets)
        await asyncio.to_thread(self._store.batches.add, batch, verification)
        return self._launch(batch, watch, max_cost, work)

    async def resume(
        self,
        batch_id: str,
        *,
        parallel: int | None = None,
        retry_errors: bool = False,
        max_cost: float | None = None,
        watch: Watch | None = None,
        work: ItemWork | None = None,
    ) -> BatchHandle:
        """Go on with a batch; raise InvalidInput if nothing is left of it, StoreError if another program works on it.

        Runs that ended in an error of provider or network are done; `retry_errors` runs them again. What was spent
        before counts towards `max_cost`; without one, a stopping rule's own limit holds.
        """
        found = await self.load(batch_id)
        if max_cost is None and found.spec.stopping is not None:
            max_cost = found.spec.stopping.max_cost
        if max_cost is not None:
            check_prices(found.spec.targets, self._prices)
        if self.away is not None:
            self.away.check(found.spec.targets)
        if found.spec.id in self._running:
            raise InvalidInput(f"Batch {found.spec.id!r} is running already.")
        again = [replace(item, state=ItemState.WAITING, run_id="", result=None)
                 for item in found.items if retry_errors and _erred(item)]  # fmt: skip
        if not found.left and not again:
            raise InvalidInput(f"Batch {found.spec.id!r} is complete: nothing is left to run.")
        await asyncio.to_thread(self._store.batches.claim, found.spec.id, parallel)
        await self._store.batches.keep(found.spec.id, again)
        return self._launch(await self.load(found.spec.id), watch, max_cost, work)

    async def load(self, batch_id: str) -> Batch:
        """A batch by id, the unique beginning of one, or `last`; raise InvalidInput."""
        if batch_id in self._running:
            return self._running[batch_id].batch
        return await asyncio.to_thread(self._store.batches.load, batch_id)

    async def list(self, limit: int = 200) -> list[BatchRow]:
        """The newest batches first."""
        return await asyncio.to_thread(self._store.batches.list, limit)

    def _launch(self, batch: Batch, watch: Watch | None, max_cost: float | None, work: ItemWork | None) -> BatchHandle:
        runs = self._runs if self.away is None else self.away.runs_of(batch.spec.id)
        handle = BatchHandle(batch, runs, self._store, self._prices, max_cost, work)
        if watch is not None:
            handle.watch(watch)
        # A batch outlives whoever started it, as a run does; this service owns its task.
        handle._task = asyncio.create_task(handle._run(), name=f"batch {handle.batch_id}")  # noqa: TID251
        self._running[handle.batch_id] = handle
        handle._task.add_done_callback(lambda _: self._running.pop(handle.batch_id, None))
        return handle

    async def aclose(self, limit_s: float = 5.0) -> None:
        """Stop all batches so that they can be resumed; call it before the runs are closed."""
        tasks = [handle._task for handle in self._running.values() if handle._task]
        for handle in list(self._running.values()):
            handle.cancel(CancelCause.SHUTDOWN)
        if tasks:
            await asyncio.wait(tasks, timeout=limit_s)


def _erred(item: BatchItem) -> bool:
    state = item.result.verdict.state if item.result else None
    return item.state is ItemState.DONE and state is VerdictState.ERROR
