"""How many requests a provider gets at the same time."""

from __future__ import annotations

import asyncio

import pytest

from tests.kit.virtual_time import run_in_virtual_time
from workbench.providers import limits
from workbench.providers.limits import Slots, TokenMinute


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
    pace = limits.WorkerPace(30)

    async def send() -> None:
        async with Slots(4, 30, pace):
            pass

    for _ in range(3):
        asyncio.run(send())
    assert slept == [0.0, 2.0, 2.0]


def begun_with(limit: int, used: int, requests: int, seconds: float = 1.0) -> list[float]:
    """When requests begin that each use so many tokens, told at their end."""
    begun: list[float] = []

    async def one(slots: Slots) -> None:
        async with slots.beside() if len(begun) % 2 else slots as turn:
            begun.append(asyncio.get_running_loop().time())
            await asyncio.sleep(seconds)
            turn.spend(used)

    async def main() -> None:
        slots = Slots(1, tokens=TokenMinute(limit, asyncio.get_running_loop().time))
        for _ in range(requests):
            await one(slots)
        assert (slots.busy, slots.waiting) == (0, 0)

    run_in_virtual_time(main())
    return begun


def test_no_more_tokens_within_a_minute_than_allowed() -> None:
    begun = begun_with(limit=100, used=40, requests=5)
    assert begun == pytest.approx([0, 1, 61, 62, 122])


def test_a_request_larger_than_the_minute_is_sent_alone() -> None:
    assert begun_with(limit=100, used=500, requests=2) == pytest.approx([0, 61])


def test_requests_under_way_count_as_those_before() -> None:
    begun: list[float] = []

    async def one(slots: Slots) -> None:
        async with slots:
            begun.append(asyncio.get_running_loop().time())
            await asyncio.sleep(10)
            slots.spend(30)

    async def main() -> None:
        slots = Slots(9, tokens=TokenMinute(100, asyncio.get_running_loop().time))
        await one(slots)
        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(one(slots))

    run_in_virtual_time(main())
    assert begun == pytest.approx([0, 10, 10, 70, 80], abs=0.3)


def test_a_cancelled_wait_for_tokens_leaves_no_trace() -> None:
    async def main() -> None:
        slots = Slots(1, tokens=TokenMinute(10, asyncio.get_running_loop().time))
        async with slots:
            slots.spend(10)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1), slots:
                pass
        assert (slots.busy, slots.waiting) == (0, 0)
        async with slots:
            assert asyncio.get_running_loop().time() == pytest.approx(60)

    run_in_virtual_time(main())


def test_a_minute_is_used_to_its_last_token() -> None:
    async def main() -> None:
        now = asyncio.get_running_loop().time
        begun, minute = now(), TokenMinute(30, now)
        for waited in (0, 0, 0, 60):
            await minute.begin()
            assert now() - begun == waited
            minute.end()
            minute.spend(10)

    run_in_virtual_time(main())


def test_a_request_is_expected_to_use_what_the_others_used_on_average() -> None:
    async def main() -> None:
        now = asyncio.get_running_loop().time
        begun, minute = now(), TokenMinute(160, now)
        for used in (10, 90):
            await minute.begin()
            minute.end()
            minute.spend(used)
        await minute.begin()
        assert now() == begun, "another 50 are left, not another 90"

    run_in_virtual_time(main())


def test_a_request_goes_soon_after_another_has_used_less_than_was_thought() -> None:
    begun: list[float] = []

    async def one(slots: Slots, used: int) -> None:
        async with slots:
            begun.append(asyncio.get_running_loop().time())
            await asyncio.sleep(3)
            slots.spend(used)

    async def main() -> None:
        slots = Slots(9, tokens=TokenMinute(100, asyncio.get_running_loop().time))
        await one(slots, 45)
        async with asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(one(slots, 1))

    run_in_virtual_time(main())
    assert begun == pytest.approx([0, 3, 6], abs=0.5)


def test_a_minute_is_over_after_sixty_seconds() -> None:
    now = [0.0]
    tokens = TokenMinute(10, lambda: now[0])
    tokens.spend(10)
    now[0] = 59.9
    assert not tokens._has_room()
    now[0] = 60.0
    assert tokens._has_room()
    tokens.spend(0)
    assert not tokens._spent


def test_requests_may_begin_again_when_the_first_is_a_minute_old() -> None:
    async def main() -> list[float]:
        slots, now, begun = Slots(8, per_minute=1), asyncio.get_running_loop().time, []
        for wait in (0.0, 60.0, 59.0, 0.0):
            await asyncio.sleep(wait)
            async with slots:
                begun.append(now())
        return [round(at - begun[0], 6) for at in begun]

    assert run_in_virtual_time(main()) == [0, 60, 120, 180]


def test_who_counts_beside_is_the_same_again() -> None:
    async def main() -> None:
        tokens = TokenMinute(100)
        slots = Slots(1, tokens=tokens)
        beside = slots.beside()
        assert beside.beside() is beside
        async with slots, beside, beside:
            assert (slots.busy, slots.waiting) == (3, 0)
        assert (slots.busy, tokens._under_way) == (0, 0)
        beside.spend(7)
        assert [used for _, used in tokens._spent] == [7]

    run_in_virtual_time(main())


def test_requests_under_way_count_also_when_the_minute_is_empty() -> None:
    now = [0.0]
    tokens = TokenMinute(10, lambda: now[0])
    tokens.spend(8)
    tokens._under_way = 1
    now[0] = 61.0
    assert not tokens._has_room()
    tokens._under_way = 0
    assert tokens._has_room()
