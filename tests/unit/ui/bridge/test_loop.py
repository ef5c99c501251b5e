"""The loop keeps asyncio's promises on top of Qt: order, precise timers, cancelled timers, closed generators."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import time
import weakref

import pytest
from PySide6.QtCore import QEventLoop, QTimer

from tests.kit.collecting import python_collects
from tests.kit.waiting import LIMIT_S, until
from workbench.ui.bridge.loop import DisplayLost, Loop, run_with_qt


def test_callbacks_run_in_order(run_async) -> None:
    async def body() -> list[int]:
        seen: list[int] = []
        loop = asyncio.get_running_loop()
        for number in range(200):
            loop.call_soon(seen.append, number)
        await asyncio.sleep(0.01)
        return seen

    assert run_async(body()) == list(range(200))


def test_sleep_is_precise_and_never_early(run_async) -> None:
    async def body() -> list[float]:
        took = []
        for wanted in (0.0005, 0.005, 0.02, 0.1):
            begun = time.perf_counter()
            await asyncio.sleep(wanted)
            took.append(time.perf_counter() - begun - wanted)
        return took

    assert all(-0.0002 <= late < 0.05 for late in run_async(body()))


def test_cancelled_timers_leave_nothing(run_async) -> None:
    async def body() -> int:
        for _ in range(500):
            async with asyncio.timeout(600):
                await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        return loop.live_timers()

    assert run_async(body()) == 0


def test_cancelling_a_timer_that_ran_stops_no_other_one(run_async) -> None:
    """Qt numbers its timers anew after some hundred: the number of one that ran may be another's by then."""

    async def body() -> None:
        loop = asyncio.get_running_loop()
        old = loop.call_later(0, lambda: None)
        await asyncio.sleep(0.01)
        for number in range(10_000):
            ran = asyncio.Event()
            later = [loop.call_later(0, ran.set) for _ in range(1 + number % 16)]
            again = [one for one in later if one.qt_timer == old.qt_timer]
            for other in later:
                if other not in again:
                    other.cancel()
            if again:
                old.cancel()
                async with asyncio.timeout(LIMIT_S):
                    await ran.wait()
                return
        raise AssertionError("no number came again")

    run_async(body())


def test_generators_left_early_are_closed(run_async) -> None:
    closed = []

    async def numbers():
        try:
            for number in range(10):
                yield number
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    async def body() -> None:
        async for _ in numbers():
            break
        await asyncio.sleep(0.02)

    run_async(body())
    assert closed == [True]


def test_nested_qt_loop_makes_tasks_wait(run_async) -> None:
    """A dialog's `exec` inside a task must not break the other tasks."""

    async def other(seen: list[int]) -> None:
        for number in range(3):
            seen.append(number)
            await asyncio.sleep(0.001)

    async def body() -> list[int]:
        seen: list[int] = []
        async with asyncio.TaskGroup() as group:
            group.create_task(other(seen))
            nested = QEventLoop()
            QTimer.singleShot(20, nested.quit)
            nested.exec()
        return seen

    assert run_async(body()) == [0, 1, 2]


def test_threads_and_exceptions(run_async) -> None:
    async def body() -> int:
        return await asyncio.to_thread(lambda: 7)

    assert run_async(body()) == 7


def test_threads_keep_the_order_and_a_closed_loop_is_left_alone(qapp) -> None:
    seen: list[int] = []

    async def body() -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        sender = threading.Thread(target=lambda: [loop.call_soon_threadsafe(seen.append, at) for at in range(100)])
        sender.start()
        while len(seen) < 100:
            await asyncio.sleep(0.001)
        sender.join()
        return loop

    with asyncio.Runner(loop_factory=lambda: Loop(qapp)) as runner:
        loop = runner.run(body())
        loop.call_soon_threadsafe(seen.append, -1)
    loop.call_soon_threadsafe(seen.append, -2)
    qapp.processEvents()
    assert seen[:100] == list(range(100))
    assert -2 not in seen


def test_a_closed_loop_may_end_in_any_thread(qapp) -> None:
    """A QObject that a thread destroys stays in Qt's list of timers if one of its timers runs: the process would die."""

    async def body() -> None:
        asyncio.get_running_loop().call_later(0.02, lambda: None)

    loop = Loop(qapp)
    ended_in: list[int] = []
    weakref.finalize(loop, lambda: ended_in.append(threading.get_ident()))
    loop.run_until_complete(body())
    loop.close()
    loop.itself = loop
    del loop
    elsewhere = threading.Thread(target=gc.collect)
    elsewhere.start()
    elsewhere.join()
    assert ended_in == [elsewhere.ident]
    time.sleep(0.03)
    qapp.processEvents()


def test_no_thread_collects_while_the_loop_lives(qapp) -> None:
    async def body() -> tuple[bool, bool]:
        return gc.isenabled(), await asyncio.to_thread(gc.isenabled)

    with python_collects():
        assert run_with_qt(qapp, body) == (False, False)
        assert gc.isenabled()


def test_a_loop_that_qt_ends_by_itself_is_told_as_a_lost_display(qapp) -> None:
    async def body() -> None:
        asyncio.get_running_loop().call_soon(qapp.exit)
        await asyncio.Event().wait()

    with pytest.raises(DisplayLost):
        run_with_qt(qapp, body)


def test_errors_of_the_program_stay_what_they_are(qapp) -> None:
    async def body() -> None:
        raise RuntimeError("of ours")

    with pytest.raises(RuntimeError, match="of ours"):
        run_with_qt(qapp, body)


def test_long_turns_give_way_to_qt(run_async) -> None:
    """A hundred callbacks of 1 ms must not keep a 10 ms Qt timer waiting until the end."""

    async def body() -> list[str]:
        seen: list[str] = []
        QTimer.singleShot(10, lambda: seen.append("qt"))
        loop = asyncio.get_running_loop()
        for _ in range(100):
            loop.call_soon(time.sleep, 0.001)
        loop.call_soon(seen.append, "last")
        await until(lambda: "last" in seen)
        return seen

    assert run_async(body()) == ["qt", "last"]


def test_signals_reach_the_loop(run_async) -> None:
    async def body() -> bool:
        seen = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, seen.set)
        os.kill(os.getpid(), signal.SIGUSR1)
        async with asyncio.timeout(LIMIT_S):
            await seen.wait()
        return loop.remove_signal_handler(signal.SIGUSR1)

    assert run_async(body())


def test_none_keeps_its_references(run_async) -> None:
    """PySide6 6.12.0 loses one with every timer event, until the process dies."""

    async def body() -> None:
        for _ in range(1000):
            await asyncio.sleep(0)

    before = sys.getrefcount(None)
    run_async(body())
    assert sys.getrefcount(None) > before - 500
