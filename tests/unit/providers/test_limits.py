"""How many requests a provider gets at the same time."""

from __future__ import annotations

import asyncio

import pytest

from tests.kit.virtual_time import run_in_virtual_time
from workbench.providers import limits
from workbench.providers.limits import Slots


def test_no_more_than_allowed() -> None:
    seen = []

    async def one(slots: Slots) -> None:
        async with slots:
            seen.append((slots.busy, slots.waiting))
            await asyncio.sleep(0.001)

    async def main() -> None:
        slots = Slots(2)
        async with asyncio.TaskGroup() as group:
            for _ in range(6):
                group.create_task(one(slots))
        assert (slots.busy, slots.waiting) == (0, 0)

    run_in_virtual_time(main())
    assert max(busy for busy, _ in seen) == 2
    assert len(seen) == 6


def test_cancelled_waiters_leave_no_trace() -> None:
    async def main() -> None:
        slots = Slots(0)
        async with slots:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01), slots:
                    pass
            assert (slots.busy, slots.waiting) == (1, 0)

    run_in_virtual_time(main())


def test_no_more_begin_within_a_minute_than_allowed() -> None:
    begun: list[float] = []

    async def one(slots: Slots) -> None:
        async with slots:
            begun.append(asyncio.get_running_loop().time())

    async def main() -> None:
        slots = Slots(8, per_minute=2)
        async with asyncio.TaskGroup() as group:
            for _ in range(5):
                group.create_task(one(slots))

    run_in_virtual_time(main())
    assert begun == pytest.approx([0, 0, 60, 60, 120])


def test_cancelled_wait_for_the_minute_releases_its_slot() -> None:
    async def main() -> None:
        slots = Slots(1, per_minute=1)
        async with slots:
            pass
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01), slots:
                pass
        assert (slots.busy, slots.waiting) == (0, 0)
        async with slots:
            assert asyncio.get_running_loop().time() == pytest.approx(60)

    run_in_virtual_time(main())


def test_requests_beside_the_number_are_counted_and_keep_to_the_minute() -> None:
    begun: list[float] = []

    async def one(slots: Slots) -> None:
        async with slots.beside().beside():
            assert slots.busy >= 1
            begun.append(asyncio.get_running_loop().time())
            await asyncio.sleep(1)

    async def main() -> None:
        slots = Slots(1, per_minute=3)
        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(one(slots))
        assert (slots.busy, slots.waiting) == (0, 0)

    run_in_virtual_time(main())
    assert begun == pytest.approx([0, 0, 0, 60])


def test_pace_spreads_requests_over_clients_that_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    pace = limits.Pace(30)

    async def send() -> None:
        async with Slots(4, 30, pace):
            pass

    for _ in range(3):
        asyncio.run(send())
    assert slept == [0.0, 2.0, 2.0]
