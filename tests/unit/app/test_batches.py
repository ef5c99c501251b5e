from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import fast
from tests.kit.batches import case
from tests.kit.waiting import until
from workbench.app import RunDraft, RunHandle, Workbench
from workbench.app.batches import BatchService
from workbench.core.batch import Batch, BatchItem, BatchProgress, BatchState, ItemState, StoppingRule
from workbench.core.case import Suite
from workbench.core.errors import InvalidInput, SettingsError, StoreError
from workbench.core.events import RunEvent, VerdictGiven
from workbench.core.target import Target
from workbench.core.variations import with_variations
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.stopping import standing
from workbench.settings.values import ModelConfig, ProviderConfig

SUITE = Suite("small", (case("rome"), case("thanks", "Thank you, that was kind!", no_call=True)))
STEADY, HASTY = "provider=Simulator,model=mistral-steady", "provider=Simulator,model=qwen-hasty,format=qwen_xml"
RIGHT: dict[str, object] = {"rates": {"*": 0}}


def in_service(home: Path, body: Callable[[Workbench, BatchService], Awaitable[None]]) -> None:
    async def main() -> None:
        async with Workbench.open(home) as wb:
            service = BatchService(wb.runs, wb.store)
            await body(wb, service)
            await service.aclose()

    asyncio.run(main())


def right(*names: str) -> list[Target]:
    return [fast(name, **RIGHT) for name in names]


def states(batch: Batch) -> list[str]:
    return [str(item.result.verdict.state) if item.result else str(item.state) for item in batch.items]


class Held:
    """Lets runs start one by one, and may refuse to."""

    def __init__(self, wb: Workbench, refuse: Exception | None = None, free: int = 0) -> None:
        self._wb, self._refuse = wb, refuse
        self.started: list[RunDraft] = []
        self.gate = asyncio.Semaphore(free)

    async def start(self, draft: RunDraft, watch: Callable[[Sequence[RunEvent]], None] | None = None) -> RunHandle:
        self.started.append(draft)
        await self.gate.acquire()
        if self._refuse:
            raise self._refuse
        return await self._wb.runs.start(draft, watch)


def test_every_item_is_an_ordinary_recorded_run_with_the_verdict_of_its_case(tmp_path: Path) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        heard: list[BatchProgress] = []
        handle = await service.start(SUITE, right(STEADY, HASTY), repeats=2, seed=3, watch=heard.append)
        assert service.running == (handle,)
        batch = await handle.wait()

        assert (batch.state, batch.left, states(batch)) == (BatchState.DONE, 0, ["pass"] * 8)
        assert service.running == ()
        assert batch == await service.load(handle.batch_id) == await service.load("last")
        assert (heard[-1].done, heard[-1].state, heard[-1].left_s) == (8, BatchState.DONE, 0)
        item = batch.items[0]
        stored = await wb.load(item.run_id)
        assert (stored.run.origin, stored.run.title) == ("suite", "rome")
        assert stored.verdict == item.result.verdict  # type: ignore[union-attr]
        assert [event.verdict.basis for event in stored.events if isinstance(event, VerdictGiven)] == [
            Basis.EXPECTATION
        ]
        assert item.sample.simulated
        assert item.sample.duration_us > 0
        assert wb.store.count("origin:suite") == 8

    in_service(tmp_path, body)


def test_the_same_seed_gives_the_same_verdicts_and_another_one_others(tmp_path: Path) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        found = []
        for seed in (1, 1, 2):
            handle = await service.start(Suite("s", SUITE.cases[:1]), [fast("model=gemma-tiny")], repeats=12, seed=seed)
            batch = await handle.wait()
            found.append([item.result for item in batch.items])

        assert found[0] == found[1] != found[2]
        assert len({str(result.verdict.state) for result in found[0] if result}) == 2

    in_service(tmp_path, body)


def test_pause_starts_nothing_more_and_unpause_goes_on(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        held = Held(wb)
        service = BatchService(held, wb.store)
        handle = await service.start(SUITE, right(STEADY), repeats=2, parallel=1)
        await until(lambda: len(held.started) == 1)
        handle.pause()
        held.gate.release()
        await until(lambda: handle.progress.done == 1)
        await asyncio.sleep(0.05)
        assert (len(held.started), handle.progress.state) == (1, BatchState.PAUSED)
        before = handle.progress.elapsed_s
        await asyncio.sleep(0.02)
        assert handle.progress.elapsed_s == before

        for _ in range(3):
            held.gate.release()
        handle.unpause()
        assert (await handle.wait()).state is BatchState.DONE

    in_service(tmp_path, body)


def test_stopped_batch_resumes_at_the_next_item(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        held = Held(wb, free=3)
        first = BatchService(held, wb.store)
        handle = await first.start(SUITE, right(STEADY), repeats=3, parallel=1)
        await until(lambda: handle.progress.done == 3)
        handle.cancel()
        held.gate.release()
        batch = await handle.wait()
        assert (batch.state, batch.left) == (BatchState.STOPPED, 3)
        (row,) = await first.list()
        assert (row.resumable, row.done, row.total) == (True, 3, 6)
        ran = [item.run_id for item in batch.items[:3]]

        service = BatchService(wb.runs, wb.store)
        again = await service.resume(handle.batch_id, parallel=2)
        whole = await again.wait()
        assert (whole.state, states(whole)) == (BatchState.DONE, ["pass"] * 6)
        assert [item.run_id for item in whole.items[:3]] == ran
        with pytest.raises(InvalidInput, match="complete"):
            await service.resume(handle.batch_id)

    in_service(tmp_path, body)


def test_running_items_of_a_stopped_batch_run_again(tmp_path: Path) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        slow = fast(STEADY, tokens_per_second=2, **RIGHT)
        handle = await service.start(Suite("s", SUITE.cases[:1]), [slow], parallel=1)
        await until(lambda: handle.progress.running == 1)
        run_id = handle.batch.items[0].run_id
        await service.aclose()

        assert handle.done
        item = handle.batch.items[0]
        assert (item.state, item.run_id) == (ItemState.WAITING, run_id)
        assert (await wb.load(run_id)).verdict.state is VerdictState.CANCELLED

    in_service(tmp_path, body)


def test_trimmed_target_keeps_finished_items(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        held = Held(wb, free=2)
        service = BatchService(held, wb.store)
        handle = await service.start(SUITE, right(STEADY, HASTY), repeats=1, parallel=1)
        await until(lambda: handle.progress.done == 2)
        await handle.trim(1)
        for _ in range(2):
            held.gate.release()
        batch = await handle.wait()

        assert states(batch) == ["pass", "pass", "pass", "trimmed"]
        assert batch.state is BatchState.DONE
        assert (await service.load("last")).items == batch.items

    in_service(tmp_path, body)


def test_a_target_is_trimmed_while_one_of_its_runs_is_about_to_start(tmp_path: Path, monkeypatch) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        keep, asked, let = wb.store.batches.keep, asyncio.Event(), asyncio.Event()

        async def held(batch_id: str, items: Sequence[BatchItem]) -> None:
            if any(item.state is ItemState.RUNNING for item in items):
                asked.set()
                await let.wait()
            await keep(batch_id, items)

        monkeypatch.setattr(wb.store.batches, "keep", held)
        handle = await service.start(SUITE, right(STEADY), repeats=2, parallel=1)
        await asked.wait()
        await handle.trim(0)
        let.set()
        batch = await handle.wait()

        assert states(batch) == ["pass", "trimmed", "trimmed", "trimmed"]
        assert (await service.load("last")).items == batch.items

    in_service(tmp_path, body)


def test_invalid_target_is_an_error_item(tmp_path: Path) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        handle = await service.start(SUITE, [*right(STEADY), fast("provider=nobody,model=x")])
        batch = await handle.wait()

        assert states(batch) == ["pass", "error", "pass", "error"]
        result = batch.items[1].result
        assert result is not None
        assert result.verdict.codes == ("provider.setup",)
        assert "nobody" in result.verdict.reason

    in_service(tmp_path, body)


def test_errors_may_be_run_again(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        broken = BatchService(Held(wb, SettingsError("No key."), free=9), wb.store)
        handle = await broken.start(SUITE, right(STEADY))
        assert states(await handle.wait()) == ["error", "error"]

        service = BatchService(wb.runs, wb.store)
        with pytest.raises(InvalidInput, match="complete"):
            await service.resume("last")
        again = await service.resume("last", retry_errors=True)
        assert states(await again.wait()) == ["pass", "pass"]

    in_service(tmp_path, body)


def test_store_error_ends_the_batch(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        service = BatchService(Held(wb, StoreError("The disk is full."), free=9), wb.store)
        handle = await service.start(SUITE, right(STEADY))
        with pytest.raises(StoreError, match="disk is full"):
            await handle.wait()
        assert handle.batch.state is BatchState.STOPPED
        assert (await service.list())[0].resumable

    in_service(tmp_path, body)


def test_nothing_to_run_is_refused_before_anything_is_recorded(tmp_path: Path) -> None:
    async def body(wb: Workbench, service: BatchService) -> None:
        with pytest.raises(InvalidInput, match="no case"):
            await service.start(Suite("empty", ()), right(STEADY))
        assert await service.list() == []
        with pytest.raises(InvalidInput, match="no batch"):
            await service.resume("last")

    in_service(tmp_path, body)


def test_a_batch_under_way_is_not_resumed_twice(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        held = Held(wb)
        service = BatchService(held, wb.store)
        handle = await service.start(SUITE, right(STEADY))
        stop = handle.watch(lambda _: None)
        stop()
        with pytest.raises(InvalidInput, match="running already"):
            await service.resume(handle.batch_id)
        handle.cancel()
        for _ in range(2):
            held.gate.release()
        await handle.wait()

    in_service(tmp_path, body)


async def priced(wb: Workbench, price: float) -> Target:
    """A simulated model behind a provider that wants money."""
    config = ProviderConfig(
        "Shop", base_url=await wb.simulator.start(), key="none",
        models={"mistral-steady": ModelConfig(input_price=0.0, output_price=price)},
    )  # fmt: skip
    wb.use(config)
    return fast("provider=Shop,model=mistral-steady,format=native_openai", **RIGHT)


def test_nothing_more_is_started_once_the_limit_of_cost_is_reached(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        target = await priced(wb, 1_000_000)
        whole = await (await wb.batches.start(SUITE, [target], repeats=1)).wait()
        costs = [item.sample.cost for item in whole.items]
        assert all(costs)
        one = sum(cost for cost in costs if cost)

        handle = await wb.batches.start(SUITE, [target], repeats=5, parallel=1, max_cost=one * 2)
        batch = await handle.wait()
        assert batch.state is BatchState.STOPPED
        assert 3 <= len(batch.items) - batch.left <= 5
        assert handle.cost < one * 3
        assert "The limit of cost is reached" in handle.halted
        assert (handle.progress.cost, handle.progress.max_cost) == (handle.cost, one * 2)

        again = await wb.batches.resume(handle.batch_id, max_cost=one * 2)
        assert (await again.wait()).left == batch.left
        rest = await wb.batches.resume(handle.batch_id, max_cost=one * 99)
        assert (await rest.wait()).state is BatchState.DONE
        assert rest.halted == ""
        assert rest.cost > one * 4

    in_service(tmp_path, body)


def test_a_limit_of_cost_needs_prices(tmp_path: Path) -> None:
    async def body(wb: Workbench, _: BatchService) -> None:
        wb.use(ProviderConfig("Shop", base_url="http://127.0.0.1:9/v1", key="none"))
        with pytest.raises(InvalidInput, match="price of 'Shop/m'"):
            await wb.batches.start(SUITE, [fast("provider=Shop,model=m")], max_cost=1)
        assert await wb.batches.list() == []
        free = await wb.batches.start(SUITE, right(STEADY), max_cost=0.01)
        batch = await free.wait()
        assert (batch.state, free.cost) == (BatchState.DONE, 0)

    in_service(tmp_path, body)


def test_a_batch_with_a_rule_ends_when_it_is_decided_and_spares_the_rest(tmp_path: Path) -> None:
    cases = Suite("many", tuple(case(f"c{at}") for at in range(12)))
    wrong = fast("model=gemma-tiny", rates={"*": 0, "argument missing": 1})

    async def body(wb: Workbench, service: BatchService) -> None:
        handle = await service.start(
            cases, [*right(STEADY), wrong], repeats=6, parallel=6, seed=1, stopping=StoppingRule()
        )
        batch = await handle.wait()

        found = standing(batch)
        assert (batch.state, batch.left, found.looks, found.beaten) == (BatchState.DONE, 0, 1, {1})
        assert [states(batch).count(word) for word in ("pass", "fail", "trimmed")] == [12, 12, 120]
        assert wb.store.count("origin:suite") == 24
        assert (await service.load("last")) == batch

    in_service(tmp_path, body)


def test_resumed_batch_makes_the_look_that_was_left_out(tmp_path: Path) -> None:
    cases = Suite("many", tuple(case(f"c{at}") for at in range(12)))
    wrong = fast("model=gemma-tiny", rates={"*": 0, "argument missing": 1})

    async def body(wb: Workbench, service: BatchService) -> None:
        first = await service.start(cases, [*right(STEADY), wrong], repeats=4, parallel=6, seed=1)
        await until(lambda: first.progress.done >= 26)
        first.cancel()
        stopped = await first.wait()
        spec = replace(stopped.spec, id="0199ruled", stopping=StoppingRule())
        again = [replace(item, state=ItemState.WAITING, run_id="", result=None) if item.repeat else item
                 for item in stopped.items]  # fmt: skip
        wb.store.batches.add(Batch(spec, tuple(again), BatchState.STOPPED))

        batch = await (await service.resume("0199ruled")).wait()

        assert (standing(batch).looks, batch.left) == (1, 0)
        assert states(batch).count("trimmed") == 72

    in_service(tmp_path, body)


def test_a_rule_needs_two_targets(tmp_path: Path) -> None:
    async def body(_: Workbench, service: BatchService) -> None:
        with pytest.raises(InvalidInput, match="which target is best"):
            await service.start(SUITE, right(STEADY), stopping=StoppingRule())
        with pytest.raises(InvalidInput, match="level between"):
            await service.start(SUITE, right(STEADY, HASTY), stopping=StoppingRule(level=0.9))
        targets = with_variations(right(STEADY), ["tools=shuffled"])
        with pytest.raises(InvalidInput, match="hangs on the asking"):
            await service.start(SUITE, targets, stopping=StoppingRule())

    in_service(tmp_path, body)
