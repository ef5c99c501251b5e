"""A time limit for many waits in a row, with one timer for all of them.

`asyncio.timeout` makes and drops a timer for every chunk of a stream; in the window each of those is a timer of Qt. Here
the timer runs on, and when it rings it only looks whether the present wait is too long.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


class WaitLimit:
    """Use it as a context, and wait inside with `wait`, one wait after the other."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._until = math.inf
        """When the present wait is too long."""
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        """When the timer rings."""
        self._task: asyncio.Task[object] | None = None
        self._rang = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def wait(self, what: Awaitable[T], limit: float) -> T:
        """Wait for something, at most `limit` seconds; raise TimeoutError."""
        task = self._task = asyncio.current_task()
        assert task is not None
        others = task.cancelling()
        self._set(limit)
        try:
            return await what
        except asyncio.CancelledError:
            if self._rang and task.uncancel() <= others:
                raise TimeoutError from None
            raise
        finally:
            self._until = math.inf
            self._rang = False

    def _set(self, limit: float) -> None:
        until = self._until = self._loop.time() + max(0.0, limit)
        if self._timer is not None and self._due > until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._arm(until)

    def _arm(self, due: float) -> None:
        self._due = due
        self._timer = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._until == math.inf:
            return  # nobody waits; the next wait sets a new timer
        if self._loop.time() >= self._until - 1e-4:
            self._rang = True
            assert self._task is not None
            self._task.cancel()
        else:
            self._arm(self._until)
