"""How many requests a provider gets at the same time."""

from __future__ import annotations

import asyncio

import pytest

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

    asyncio.run(main())
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

    asyncio.run(main())


def test_no_more_begin_within_a_minute_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_WINDOW", 0.2)
    begun: list[float] = []

    async def one(slots: Slots) -> None:
        async with slots:
            begun.append(asyncio.get_running_loop().time())

    async def main() -> None:
        slots = Slots(8, per_minute=2)
        async with asyncio.TaskGroup() as group:
            for _ in range(5):
                group.create_task(one(slots))

    asyncio.run(main())
    assert all(later - first >= 0.19 for first, later in zip(begun, begun[2:], strict=False))


def test_whoever_gives_up_before_the_minute_is_over_leaves_no_trace() -> None:
    async def main() -> None:
        slots = Slots(2, per_minute=1)
        async with slots:
            pass
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01), slots:
                pass
        assert (slots.busy, slots.waiting) == (0, 0)

    asyncio.run(main())
