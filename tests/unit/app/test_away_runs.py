from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.app import fast, with_workbench
from tests.kit.batches import case
from tests.kit.waiting import until
from workbench.app import Workbench, away_runs
from workbench.app.away_runs import Away, PieceDone, RunPiece, do_piece
from workbench.app.batch_plan import draft_of
from workbench.core.batch import BatchState, ItemState
from workbench.core.case import Suite
from workbench.core.clock import new_id
from workbench.core.errors import InvalidInput, StoreError
from workbench.settings.values import ProviderConfig

SUITE = Suite("small", (case("rome"), case("thanks", "Thank you, that was kind!", no_call=True)))
TARGETS = [
    fast("provider=Simulator,model=mistral-steady", rates={"*": 0}),
    fast("provider=Simulator,model=qwen-hasty,format=qwen_xml", rates={"*": 0}),
]


class Threads:
    """Workers that are threads; implements `jobs.Executor`. Another `work` stands in for the real one."""

    own_homes = False

    def __init__(self, workers: int = 2, work: Callable[[Any], Any] | None = None) -> None:
        self.workers, self._work = workers, work
        self._pool = ThreadPoolExecutor(workers)
        self.pieces: list[Any] = []

    def submit(self, work: Callable[[Any], Any], piece: Any) -> Future[Any]:
        self.pieces.append(piece)
        return self._pool.submit(self._work or work, piece)

    def map(self, work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        return map(work, pieces)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()


def test_batch_at_workers_ends_as_one_that_runs_here(tmp_path: Path) -> None:
    async def body(wb: Workbench) -> None:
        here = await (await wb.batches.start(SUITE, TARGETS, repeats=2, seed=3)).wait()
        with Threads() as threads:
            wb.batches.away = Away(wb, threads)
            away = await (await wb.batches.start(SUITE, TARGETS, repeats=2, seed=3)).wait()
        assert away.state is BatchState.DONE
        assert [item.result for item in away.items] == [item.result for item in here.items]
        assert [item.sample.cost for item in away.items] == [item.sample.cost for item in here.items]
        assert len({item.run_id for item in away.items}) == len(threads.pieces) == 8
        assert (await wb.load(away.items[0].run_id)).run.origin == "suite"

    with_workbench(tmp_path, body)


def test_stopped_batch_stops_its_workers_and_goes_on_later(tmp_path: Path) -> None:
    async def body(wb: Workbench) -> None:
        slow = fast("provider=Simulator,model=mistral-steady", rates={"*": 0}, tokens_per_second=2)
        with Threads() as threads:
            wb.batches.away = Away(wb, threads)
            handle = await wb.batches.start(Suite("s", SUITE.cases[:1]), [slow])
            run_id = handle.batch.items[0].run_id
            await until(lambda: wb.store.holds(run_id) if run_id else bool(handle.batch.items[0].run_id))
            handle.cancel()
            batch = await handle.wait()
        assert (batch.state, batch.items[0].state) == (BatchState.STOPPED, ItemState.WAITING)
        assert batch.items[0].run_id

    with_workbench(tmp_path, body)


def test_worker_without_the_batch_says_so(tmp_path: Path) -> None:
    piece = RunPiece("none", replace(draft_of(SUITE.cases[0], TARGETS[0], 1), run_id=new_id()), str(tmp_path))
    done = do_piece(piece)
    assert "does not hold the batch" in done.fault
    assert "same database" in done.hint
    assert done.result is None


def test_piece_of_a_stopped_batch_sends_nothing(tmp_path: Path) -> None:
    async def body(wb: Workbench) -> str:
        handle = await wb.batches.start(Suite("s", SUITE.cases[:1]), TARGETS[:1])
        await handle.wait()
        return handle.batch_id

    batch_id = with_workbench(tmp_path, body)
    draft = replace(draft_of(SUITE.cases[0], TARGETS[0], 1), run_id=new_id())
    assert do_piece(RunPiece(batch_id, draft, str(tmp_path))) == PieceDone()


def test_requests_a_minute_are_shared_among_the_workers(tmp_path: Path) -> None:
    async def body(wb: Workbench) -> None:
        wb.use(
            ProviderConfig(
                "Slow", base_url="http://127.0.0.1:1/v1", key="none", requests_per_minute=7, tokens_per_minute=900
            )
        )
        target = fast("provider=Slow,model=m,format=qwen_xml")
        with Threads(3, lambda piece: PieceDone(fault="not asked")) as threads:
            wb.batches.away = Away(wb, threads)
            batch = await (await wb.batches.start(Suite("s", SUITE.cases[:1]), [target])).wait()
        assert [(piece.shares, piece.tokens) for piece in threads.pieces] == [((("Slow", 2),), (("Slow", 300),))]
        result = batch.items[0].result
        assert result is not None
        assert "not asked" in result.verdict.reason

        with Threads(8) as threads:
            with pytest.raises(InvalidInput, match="fewer than there are workers") as told:
                Away(wb, threads).check([target])
            assert "local:7" in told.value.hint

    with_workbench(tmp_path, body)


def test_no_more_runs_are_sent_than_a_provider_takes_at_once(tmp_path: Path) -> None:
    going, most, order = [0], [0], threading.Lock()
    both = threading.Barrier(2)

    def work(_piece: Any) -> PieceDone:
        with order:
            going[0] += 1
            most[0] = max(most[0], going[0])
        both.wait(20)  # two are under way, and a third would be counted before they end
        with order:
            going[0] -= 1
        return PieceDone(fault="not asked")

    async def body(wb: Workbench) -> None:
        wb.use(ProviderConfig("Two", base_url="http://127.0.0.1:1/v1", key="none", parallel=2))
        with Threads(4, work) as threads:
            wb.batches.away = Away(wb, threads)
            target = fast("provider=Two,model=m,format=qwen_xml")
            await (await wb.batches.start(SUITE, [target], repeats=3, parallel=4)).wait()
        assert (most[0], len(threads.pieces)) == (2, 6)

    with_workbench(tmp_path, body)


def test_history_that_a_worker_cannot_write_ends_the_batch(tmp_path: Path) -> None:
    async def body(wb: Workbench) -> None:
        with Threads(1, lambda piece: PieceDone(fault="The disk is full.", not_recorded=True)) as threads:
            wb.batches.away = Away(wb, threads)
            with pytest.raises(StoreError, match="disk is full"):
                await asyncio.wait_for((await wb.batches.start(SUITE, TARGETS[:1])).wait(), 60)

    with_workbench(tmp_path, body)


def test_run_that_was_stopped_at_its_very_end_cancels_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stopped(_piece: RunPiece) -> PieceDone:
        raise asyncio.CancelledError

    monkeypatch.setattr(away_runs, "_do", stopped)
    assert do_piece(RunPiece("b", draft_of(SUITE.cases[0], TARGETS[0], 1))) == PieceDone()
