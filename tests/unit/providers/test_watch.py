"""A time limit for many waits in a row."""

from __future__ import annotations

import asyncio

import pytest

from tests.kit.virtual_time import run_in_virtual_time
from workbench.providers.watch import WaitLimit


def test_waits_within_the_limit() -> None:
    async def main() -> list[int]:
        out = []
        with WaitLimit() as watch:
            for number in range(5):
                out.append(await watch.wait(asyncio.sleep(0.02, number), 0.06))
        return out

    assert run_in_virtual_time(main()) == [0, 1, 2, 3, 4]


def test_one_wait_too_long() -> None:
    async def main() -> None:
        with WaitLimit() as watch:
            assert await watch.wait(asyncio.sleep(0.01, "a"), 5.0) == "a"
            now = asyncio.get_running_loop().time
            start = now()
            with pytest.raises(TimeoutError):
                await watch.wait(asyncio.sleep(3), 0.05)
            assert now() - start == pytest.approx(0.05)
            assert await watch.wait(asyncio.sleep(0.01, "b"), 1.0) == "b"
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0

    run_in_virtual_time(main())


def test_time_between_waits_does_not_count() -> None:
    async def main() -> None:
        with WaitLimit() as watch:
            await watch.wait(asyncio.sleep(0), 0.03)
            await asyncio.sleep(0.08)
            await watch.wait(asyncio.sleep(0.01), 0.1)

    run_in_virtual_time(main())


def test_no_time_at_all() -> None:
    async def main() -> None:
        with WaitLimit() as watch, pytest.raises(TimeoutError):
            await watch.wait(asyncio.sleep(3), -1.0)

    run_in_virtual_time(main())


def test_cancelled_from_outside() -> None:
    async def main() -> None:
        with WaitLimit() as watch:
            await watch.wait(asyncio.sleep(3), 2.0)

    async def outer() -> None:
        async with asyncio.timeout(0.03):
            await main()

    with pytest.raises(TimeoutError):
        run_in_virtual_time(outer())

    async def stopped() -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_later(0.02, task.cancel)
        with pytest.raises(asyncio.CancelledError):
            await main()
        assert task.cancelling() == 1
        task.uncancel()

    run_in_virtual_time(stopped())


def test_errors_pass_through_and_timers_end() -> None:
    async def broken() -> None:
        raise ValueError("x")

    async def main() -> None:
        with WaitLimit() as watch:
            with pytest.raises(ValueError, match="x"):
                await watch.wait(broken(), 100.0)
            assert watch._timer is not None
        assert watch._timer is None

    run_in_virtual_time(main())
