"""An event loop with a clock of its own: whoever sleeps is woken at once, and the clock says that the time has passed.

Tests of limits, paces and pauses are exact with it, take no time and do not depend on the machine. For coroutines that
wait for other coroutines only: sockets and threads live in real time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):  # type: ignore[valid-type,misc]
    """Does not wait for files; counts the seconds that it would have waited."""

    waited = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits, and nothing will ever happen"
        self.waited += max(0.0, timeout)
        return list(super().select(0))


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Use it as `asyncio.Runner(loop_factory=VirtualTimeLoop)`, or with `run_in_virtual_time`."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._virtual.waited


def run_in_virtual_time(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` on such a loop."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(main)
