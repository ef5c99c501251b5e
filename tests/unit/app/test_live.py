"""Recorded runs sent once more through the application."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import draft, with_workbench
from tests.kit.batches import case
from workbench.app import Workbench
from workbench.app.live import LiveReplays, draft_of
from workbench.core.errors import SettingsError, StoreError
from workbench.core.events import CancelCause, RunFinished, RunStarted
from workbench.core.verdict import Basis, VerdictState
from workbench.replay.passes import PASSES, all_of, stored_runs
from workbench.replay.replay_basis import no_case
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.settings.values import ModelConfig, ProviderConfig
from workbench.store import StoredRun

STEADY = "provider=Simulator,model=mistral-steady,seed=3"


async def recorded(wb: Workbench, target: str = STEADY, **simulate: object) -> StoredRun:
    handle = await wb.runs.start(draft(target, **simulate))
    await handle.wait()
    return await wb.load(handle.run_id)


def test_a_run_sent_again_is_a_new_run_of_its_own_origin(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        stored = await recorded(wb)
        found = await wb.live.one(stored)
        fresh = await wb.load(found.new_id)
        assert (found.verdict, found.number, found.new_number) == (ReplayVerdict.SAME, 1, 2)
        assert fresh.run.origin == "replay"
        assert fresh.run.target_id == stored.run.target_id

    with_workbench(home, body)


def test_a_case_asks_and_judges_the_new_run(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        stored = await recorded(wb)
        rome = case("rome")
        asked = draft_of(stored, rome)
        assert asked is not None
        assert (asked.messages, asked.tools, asked.case) == (rome.messages, rome.tools, rome)
        found = await wb.live.one(stored, rome)
        fresh = await wb.load(found.new_id)
        assert fresh.verdict.basis is Basis.EXPECTATION
        assert found.verdict is ReplayVerdict.FIXED  # the record read a file; the case asks for the weather
        assert "asks something else" in found.note

    with_workbench(home, body)


class Refusing:
    def __init__(self, error: Exception) -> None:
        self._error = error

    async def start(self, _draft: object, _watch: object = None) -> object:
        raise self._error


def test_unsendable_replay_is_not_comparable(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        stored = await recorded(wb)
        found = await LiveReplays(Refusing(SettingsError("No key.")), wb.load, wb.check).one(stored)  # type: ignore[arg-type]
        assert (found.verdict, found.note, found.new_number) == (ReplayVerdict.NOT_COMPARABLE, "No key.", None)
        with pytest.raises(StoreError):
            await LiveReplays(Refusing(StoreError("Full.")), wb.load, wb.check).one(stored)  # type: ignore[arg-type]
        headless = replace(stored, events=stored.events[1:])
        assert draft_of(headless) is None
        assert (await wb.live.one(headless)).verdict is ReplayVerdict.NOT_COMPARABLE

    with_workbench(home, body)


def test_many_are_told_as_they_end_and_can_be_stopped(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        for _ in range(4):
            await recorded(wb)
        told: list[Replayed] = []
        await wb.live.many(stored_runs(wb.store, all_of("")), no_case, told.append, parallel=2)
        assert sorted(item.number for item in told) == [1, 2, 3, 4]
        assert wb.store.count("origin:replay") == 4

        told.clear()
        runs = stored_runs(wb.store, all_of("-origin:replay"))
        await wb.live.many(runs, no_case, told.append, stopped=lambda: len(told) == 2)
        assert [item.number for item in told] == [4, 3]

    with_workbench(home, body)


def test_cancelled_live_replay_is_recorded(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        stored = await recorded(wb, tokens_per_second=0)
        slow = replace(stored, events=tuple(_slowed(stored)))
        task = asyncio.get_running_loop().create_task(wb.live.one(slow))
        while not wb.runs.running:
            await asyncio.sleep(0.01)
        (handle,) = wb.runs.running
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await handle.wait()).state is VerdictState.CANCELLED
        (finished,) = [event for event in (await wb.load(2)).events if isinstance(event, RunFinished)]
        assert finished.cancel is CancelCause.USER

    with_workbench(home, body)


def _slowed(stored: StoredRun) -> list[object]:
    first = stored.events[0]
    sampling = first.target.sampling  # type: ignore[union-attr]
    slow = replace(sampling, extra={"simulate": {"tokens_per_second": 2}})
    return [replace(first, target=replace(first.target, sampling=slow)), *stored.events[1:]]  # type: ignore[union-attr,call-arg]


def test_family_flags_are_recorded_with_a_chosen_format(home: Path) -> None:
    """A reply of this family begins inside its reasoning: who forgets that reads another text."""

    async def body(wb: Workbench) -> None:
        known = ModelConfig(think_open=True)
        shop = ProviderConfig("Shop", base_url=await wb.simulator.start(), key="none", models={"qwen-hasty": known})
        wb.use(shop)
        stored = await recorded(wb, "provider=Shop,model=qwen-hasty,format=qwen_xml", rates={"*": 0})
        first = stored.events[0]
        assert isinstance(first, RunStarted)
        assert first.executor.detection is None
        assert first.executor.family.think_open
        for replayed in PASSES.values():
            found = await asyncio.to_thread(list, replayed(wb.store, all_of(""), wb.check))
            assert {item.verdict for item in found} == {ReplayVerdict.SAME}

    with_workbench(home, body)
