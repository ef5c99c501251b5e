from __future__ import annotations

import asyncio

import pytest

from tests.kit.fakes import MemoryRecorder
from tests.kit.virtual_time import run_in_virtual_time
from workbench.app import pump as pump_module
from workbench.app.pump import Pump
from workbench.core.errors import StoreError
from workbench.core.events import ChunkReceived, LoopStarted, RunEvent


def chunk(index: int) -> ChunkReceived:
    return ChunkReceived(0, 0, index, b"x", index)


def run_pump(events: list[RunEvent], recorder: MemoryRecorder) -> list[list[RunEvent]]:
    """Put all events, close, and return the batches as they were shown."""
    shown: list[list[RunEvent]] = []

    async def main() -> None:
        pump = Pump("r", recorder, [lambda batch: shown.append(list(batch))])
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())
            for event in events:
                await pump.put(event)
            pump.close()

    run_in_virtual_time(main())
    return shown


def test_everything_arrives_in_order_and_together() -> None:
    recorder = MemoryRecorder()
    events: list[RunEvent] = [LoopStarted(0, 0), *(chunk(i) for i in range(500)), LoopStarted(1, 9)]
    shown = run_pump(events, recorder)
    assert [event for batch in shown for event in batch] == events
    assert recorder.events == events
    assert len(shown) < 20


def test_nothing_is_shown_before_it_is_committed() -> None:
    order: list[str] = []

    class Slow(MemoryRecorder):
        async def commit(self, run_id: str, events: object) -> None:
            await asyncio.sleep(0.01)
            order.append("disk")

    async def main() -> None:
        pump = Pump("r", Slow(), [lambda _: order.append("screen")])
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())
            for index in range(3):
                await pump.put(LoopStarted(index, 0))
                await asyncio.sleep(0.02)
            pump.close()

    run_in_virtual_time(main())
    assert order == ["disk", "screen"] * 3


def test_chunks_wait_a_tick_for_company_and_structure_does_not() -> None:
    async def main() -> tuple[float, float]:
        loop, seen = asyncio.get_running_loop(), []
        pump = Pump("r", MemoryRecorder(), [lambda batch: seen.append((loop.time(), len(batch)))])
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())
            begun = loop.time()
            await pump.put(LoopStarted(0, 0))
            await asyncio.sleep(0.01)
            structural = seen[0][0] - begun
            begun = loop.time()
            for index in range(3):
                await pump.put(chunk(index))
            while len(seen) < 2:
                await asyncio.sleep(0.001)
            assert seen[1][1] == 3
            pump.close()
        return structural, seen[1][0] - begun

    structural, chunks = run_in_virtual_time(main())
    assert structural == 0
    assert chunks == pytest.approx(pump_module.TICK_S)


def test_with_a_tap_structure_waits_for_company_and_the_end_does_not() -> None:
    async def main() -> list[tuple[float, int]]:
        loop, seen, tapped = asyncio.get_running_loop(), list[tuple[float, int]](), list[RunEvent]()
        pump = Pump("r", MemoryRecorder(), [lambda batch: seen.append((loop.time(), len(batch)))], tap=tapped.append)
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())
            for event in (LoopStarted(0, 0), chunk(0), LoopStarted(1, 9)):
                await pump.put(event)
            assert len(tapped) == 3
            await asyncio.sleep(1)
            await pump.put(LoopStarted(2, 9))
            pump.close()
        return seen

    assert run_in_virtual_time(main()) == [(pytest.approx(pump_module.CALM_S), 3), (pytest.approx(1), 1)]


def test_full_queue_makes_the_producer_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump_module, "LIMIT", 10)
    release = None
    recorder = MemoryRecorder()

    async def main() -> int:
        nonlocal release
        release = asyncio.Event()
        commit = recorder.commit

        async def held(run_id: str, events: list[RunEvent]) -> None:
            await release.wait()
            await commit(run_id, events)

        recorder.commit = held  # type: ignore[method-assign,assignment]
        pump = Pump("r", recorder, [])
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())

            async def produce() -> None:
                for index in range(50):
                    await pump.put(chunk(index))
                pump.close()

            group.create_task(produce())
            await asyncio.sleep(0.05)
            assert len(pump._waiting) <= 10
            release.set()
        return pump.waited_us

    assert run_in_virtual_time(main()) > 0
    assert len(recorder.events) == 50


def test_a_failing_disk_ends_the_pump_and_shows_nothing_unsaved() -> None:
    recorder = MemoryRecorder(fail_after=1, error=StoreError("disk full"))
    shown: list[RunEvent] = []

    async def main() -> None:
        pump = Pump("r", recorder, [shown.extend])
        async with asyncio.TaskGroup() as group:
            group.create_task(pump.run())
            await pump.put(LoopStarted(0, 0))
            await asyncio.sleep(0.02)
            await pump.put(LoopStarted(1, 0))
            await asyncio.sleep(0.02)
            await pump.put(LoopStarted(2, 0))

    with pytest.raises(ExceptionGroup):
        run_in_virtual_time(main())
    assert shown == [LoopStarted(0, 0)]
