from __future__ import annotations

import asyncio
import threading

import pytest

from workbench.core.errors import InvalidInput
from workbench.ui.bridge.tasks import Stop, Tasks, in_thread


def test_an_error_of_the_world_is_reported(run_async) -> None:
    async def body() -> tuple[list[object], list[object]]:
        tasks, unhandled, handled = Tasks(), [], []
        tasks.failed.connect(unhandled.append)

        async def wrong() -> None:
            raise InvalidInput("no")

        tasks.start(wrong(), "a")
        tasks.start(wrong(), "b", on_error=handled.append)
        await asyncio.sleep(0.01)
        assert tasks.running() == []
        return unhandled, handled

    unhandled, handled = run_async(body())
    assert [str(error) for error in unhandled] == ["no"]
    assert [str(error) for error in handled] == ["no"]


def test_a_bug_is_seen(run_async, caplog: pytest.LogCaptureFixture) -> None:
    async def body() -> list[object]:
        tasks, crashes = Tasks(), []
        tasks.crashed.connect(crashes.append)

        async def bug() -> None:
            raise ZeroDivisionError

        tasks.start(bug(), "bug")
        await asyncio.sleep(0.01)
        return crashes

    assert isinstance(run_async(body())[0], ZeroDivisionError)
    assert "A task of the window failed" in caplog.text


def test_only_the_latest_goes_on(run_async) -> None:
    async def body() -> list[int]:
        tasks, done = Tasks(), []

        async def search(number: int) -> None:
            await asyncio.sleep(0.005)
            done.append(number)

        for number in range(3):
            tasks.latest("search", search(number))
        await asyncio.sleep(0.03)
        return done

    assert run_async(body()) == [2]


def test_closing_ends_everything_and_starts_nothing(run_async) -> None:
    async def body() -> tuple[list[str], list[int]]:
        tasks, done = Tasks(), []

        async def endless() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                done.append(1)

        tasks.start(endless(), "endless")
        await asyncio.sleep(0)
        await tasks.aclose()
        assert tasks.start(endless(), "late") is None
        return tasks.running(), done

    assert run_async(body()) == ([], [1])


def test_a_stop_is_for_good() -> None:
    stop = Stop()
    assert not stop()
    stop.stop()
    assert stop()


def test_what_is_made_in_a_thread_comes_back(run_async) -> None:
    stops: list[Stop] = []

    def make(stop: Stop) -> tuple[bool, bool]:
        stops.append(stop)
        return stop(), threading.current_thread() is threading.main_thread()

    assert run_async(in_thread(make)) == (False, False)
    assert stops[0]()


def test_a_thread_that_nobody_waits_for_is_stopped(run_async) -> None:
    begun, ended = threading.Event(), threading.Event()

    def make(stop: Stop) -> None:
        begun.set()
        while not stop():
            pass
        ended.set()

    async def body() -> None:
        tasks = Tasks()
        tasks.start(in_thread(make), "make")
        await asyncio.to_thread(begun.wait)
        await tasks.aclose()
        await asyncio.to_thread(ended.wait)

    run_async(body())


def test_an_error_in_the_thread_is_raised_here(run_async) -> None:
    def make(_stop: Stop) -> None:
        raise InvalidInput("no")

    with pytest.raises(InvalidInput, match="no"):
        run_async(in_thread(make))
