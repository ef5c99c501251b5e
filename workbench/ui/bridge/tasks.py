"""The one owner of the window's tasks. Slots are plain functions: what takes time is started here and never forgotten."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_log = logging.getLogger(__name__)
Made = TypeVar("Made")


class Tasks(QObject):
    """Starts coroutines, keeps them, reports what they raise, and ends them all at closing."""

    failed = Signal(object)
    """A task raised a `WorkbenchError` that nobody else took."""
    crashed = Signal(object)
    """A task raised anything else: a bug of ours."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._latest: dict[str, asyncio.Task[Any]] = {}
        self._closed = False

    def start(
        self,
        work: Coroutine[Any, Any, Any],
        name: str,
        *,
        on_error: Callable[[WorkbenchError], None] | None = None,
    ) -> asyncio.Task[Any] | None:
        """Start a coroutine; `on_error` takes the errors of the world. After closing nothing starts."""
        if self._closed:
            work.close()
            return None
        task = asyncio.get_running_loop().create_task(self._guard(work, on_error), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: work.close())  # it never began if the task was cancelled at once
        return task

    def latest(
        self,
        key: str,
        work: Coroutine[Any, Any, Any],
        *,
        on_error: Callable[[WorkbenchError], None] | None = None,
    ) -> None:
        """Start a coroutine and cancel the one that was started before under the same key."""
        before = self._latest.pop(key, None)
        if before is not None:
            before.cancel()
        task = self.start(work, key, on_error=on_error)
        if task is not None:
            self._latest[key] = task

    def running(self) -> list[str]:
        """Return the names of the tasks that run now."""
        return sorted(task.get_name() for task in self._tasks)

    async def _guard(self, work: Coroutine[Any, Any, Any], on_error: Callable[[WorkbenchError], None] | None) -> None:
        try:
            await work
        except WorkbenchError as error:
            if on_error is None:
                self.failed.emit(error)
            else:
                on_error(error)
        except Exception as error:  # noqa: BLE001  # the task owner's edge: a bug must be seen, and must not end the window
            _log.exception("A task of the window failed")
            self.crashed.emit(error)

    async def aclose(self, limit_s: float = 3.0) -> None:
        """Cancel everything and wait for it, at most `limit_s` seconds."""
        self._closed = True
        mine = asyncio.current_task()
        rest = [task for task in self._tasks if task is not mine]
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=limit_s)


class Stop:
    """Says to a running count that nobody waits for it any more."""

    def __init__(self) -> None:
        self._stopped = False

    def stop(self) -> None:
        """End the count at its next look."""
        self._stopped = True

    def __call__(self) -> bool:
        return self._stopped


async def in_thread(make: Callable[[Stop], Made]) -> Made:
    """Make something off the window's thread; its stop is set once nobody waits for it, since a thread cannot be cancelled."""
    stop = Stop()
    try:
        return await asyncio.to_thread(make, stop)
    finally:
        stop.stop()
