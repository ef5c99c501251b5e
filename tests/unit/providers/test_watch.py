"""A time limit for many waits in a row."""

from __future__ import annotations

import asyncio
from typing import Any

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


def timers(limits: list[tuple[float, float]]) -> list[float]:
    """When timers were set for, in waits of `(how long it takes, its limit)`, in seconds since the beginning."""

    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        begun, due = loop.time(), []
        call_at = loop.call_at

        def noted(when: float, callback: Any, *args: Any, **more: Any) -> asyncio.TimerHandle:
            if getattr(callback, "__name__", "") == "_ring":
                due.append(round(when - begun, 6))
            return call_at(when, callback, *args, **more)

        loop.call_at = noted  # type: ignore[method-assign]
        with WaitLimit() as watch:
            for length, limit in limits:
                await watch.wait(asyncio.sleep(length), limit)
        return due

    return run_in_virtual_time(main())


def test_one_timer_serves_many_waits() -> None:
    """It is set anew where it rings too late, or where it rang while a later wait goes on."""
    assert timers([(1, 10), (1, 10), (1, 10)]) == [10]
    assert timers([(1, 10), (1, 3)]) == [10, 4]
    assert timers([(1, 10), (1, 9)]) == [10], "it rings at that moment"
    assert timers([(1, 3), (4, 9)]) == [3, 10]
    assert timers([(1, 2), (0, 5)]) == [2]


def test_a_timer_that_rings_while_nobody_waits_is_gone() -> None:
    async def main() -> None:
        with WaitLimit() as watch:
            await watch.wait(asyncio.sleep(0.01), 1)
            await asyncio.sleep(2)
            assert watch._timer is None
            with pytest.raises(TimeoutError):
                await watch.wait(asyncio.sleep(9), 1)

    run_in_virtual_time(main())


def test_a_cancel_at_the_moment_of_the_limit_is_a_cancel() -> None:
    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        with WaitLimit() as watch:
            loop.call_later(0.05, task.cancel)
            with pytest.raises(asyncio.CancelledError):
                await watch.wait(asyncio.sleep(3), 0.05)
        assert task.cancelling() == 1
        task.uncancel()

    run_in_virtual_time(main())


def test_a_limit_that_passed_leaves_no_trace_for_the_next_cancel() -> None:
    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        with WaitLimit() as watch:
            with pytest.raises(TimeoutError):
                await watch.wait(asyncio.sleep(3), 0.05)
            asyncio.get_running_loop().call_later(0.02, task.cancel)
            with pytest.raises(asyncio.CancelledError):
                await watch.wait(asyncio.sleep(3), 5)
        task.uncancel()

    run_in_virtual_time(main())
