from __future__ import annotations

from workbench.ui.bridge.throttle import Throttle


def test_runs_now_and_trails(qtbot) -> None:
    calls: list[int] = []
    throttle = Throttle(20, lambda: calls.append(1))
    for _ in range(5):
        throttle.request()
    assert len(calls) == 1
    qtbot.waitUntil(lambda: len(calls) == 2)
    qtbot.wait(60)
    assert len(calls) == 2


def test_flush_loses_nothing(qtbot) -> None:
    calls: list[int] = []
    throttle = Throttle(10_000, lambda: calls.append(1))
    throttle.flush()
    throttle.request()
    throttle.request()
    throttle.flush()
    assert len(calls) == 2
