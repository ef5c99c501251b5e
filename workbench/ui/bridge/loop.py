"""The one event loop of Qt and asyncio: qasync's, with its timers, order and generator hooks put right.

What differs from qasync 0.28:
- callbacks run in the order they were given, from one queue, and give way to painting after a few milliseconds;
- timers are precise, never early, and a cancelled one is taken from Qt at once;
- asynchronous generators left early are closed by the loop, as asyncio's own loop does;
- what threads send after the loop was closed is dropped;
- a nested Qt loop inside a task (a dialog's `exec`) makes other tasks wait instead of breaking them for good.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimerEvent, Signal  # before qasync, which looks for PyQt5 first

import qasync  # isort: skip

from workbench.core.errors import WorkbenchError
from workbench.ui.bridge.garbage import Garbage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextvars import Context

    from PySide6.QtWidgets import QApplication

_TURN_S = 0.008
"""Work of one turn before Qt may paint and read input."""
_NESTED_MS = 2
_STOPPED = "Event loop stopped before Future completed."
"""What qasync says where Qt's loop ended by itself."""


class _Later(asyncio.TimerHandle):
    """A timer handle that knows its Qt timer."""

    __slots__ = ("qt_timer",)
    qt_timer: int


class _Timers(QObject):
    """Runs handles from Qt's timer events: a queue for `call_soon`, one Qt timer for each `call_at`."""

    woken = Signal()
    """A thread has put something into `from_threads`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self._soon: deque[asyncio.Handle] = deque()
        self._soon_timer = 0
        self._later: dict[int, _Later] = {}
        self.from_threads: deque[asyncio.Handle] = deque()
        self.woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    def _on_woken(self) -> None:
        while self.from_threads:
            handle = self.from_threads.popleft()
            if not self._loop.is_closed():
                self.add_soon(handle)

    def add_soon(self, handle: asyncio.Handle) -> None:
        self._soon.append(handle)
        self._arm(0)

    def add_later(self, handle: _Later, delay: float) -> None:
        handle.qt_timer = self.startTimer(max(0, math.ceil(delay * 1000)), Qt.TimerType.PreciseTimer)
        self._later[handle.qt_timer] = handle

    def drop(self, handle: _Later) -> None:
        """Take a cancelled handle's timer from Qt; of one that ran, Qt may have given the number to another since."""
        if self._later.get(handle.qt_timer) is handle:
            del self._later[handle.qt_timer]
            self.killTimer(handle.qt_timer)

    def timerEvent(self, event: QTimerEvent) -> None:
        number = event.timerId()
        if number == self._soon_timer:
            self._run_soon()
            return
        self.killTimer(number)
        handle = self._later.pop(number, None)
        if handle is None or handle.cancelled():
            return
        if asyncio.current_task(self._loop) is not None:  # inside a nested Qt loop: wait for the task's turn
            self.add_later(handle, _NESTED_MS / 1000)
            return
        handle._run()

    def _run_soon(self) -> None:
        """Run what was queued when the turn began; what is added meanwhile belongs to the next turn."""
        self.killTimer(self._soon_timer)
        self._soon_timer = 0
        if asyncio.current_task(self._loop) is not None:
            self._arm(_NESTED_MS)
            return
        until = time.perf_counter() + _TURN_S
        for _ in range(len(self._soon)):
            handle = self._soon.popleft()
            if not handle.cancelled():
                handle._run()
            if time.perf_counter() > until:
                break
        if self._soon:
            self._arm(0)

    def _arm(self, delay_ms: int) -> None:
        if not self._soon_timer:
            kind = Qt.TimerType.PreciseTimer if delay_ms else Qt.TimerType.CoarseTimer
            self._soon_timer = self.startTimer(delay_ms, kind)

    def live(self) -> int:
        """Return how many delayed callbacks are waiting."""
        return len(self._later)

    def stop(self) -> None:
        for number in [*self._later, self._soon_timer]:
            if number:
                self.killTimer(number)
        self._later.clear()
        self._soon.clear()
        self._soon_timer = 0

    def set_debug(self, _enabled: bool) -> None:
        """Called by qasync."""


class DisplayLost(WorkbenchError):
    """Qt ended its loop by itself, which it does when the screen that it draws on is gone."""

    def __init__(self) -> None:
        super().__init__(
            "The display that the window was on is gone.",
            hint="What was recorded is kept; open the window again where there is one.",
        )


class Loop(qasync.QEventLoop):  # type: ignore[misc]  # noqa: TID251  # qasync has no types, and this is the one place
    """The loop that the window, its tasks and the loopback servers run on."""

    def __init__(self, app: QApplication | None = None) -> None:
        super().__init__(app)
        self._timer = _Timers(self)

    def live_timers(self) -> int:
        """Return how many delayed callbacks are waiting; for leak checks."""
        return self._timer.live()

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Context | None = None) -> asyncio.Handle:
        """Queue a callback for the next turn."""
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._timer.add_soon(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Queue a callback from any thread; after closing it is dropped: nobody waits for it any more."""
        handle = asyncio.Handle(callback, args, self, context)
        if not self.is_closed():
            self._timer.from_threads.append(handle)
            self._timer.woken.emit()
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback after `delay` seconds."""
        handle: asyncio.TimerHandle = self.call_at(self.time() + delay, callback, *args, context=context)
        return handle

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback at a time of this loop's clock."""
        self._check_closed()
        handle = _Later(when, callback, args, self, context)
        handle._scheduled = True  # type: ignore[attr-defined]  # makes `cancel` call `_timer_handle_cancelled`
        self._timer.add_later(handle, when - self.time())
        return handle

    def _add_callback(self, handle: asyncio.Handle, _delay: float = 0) -> asyncio.Handle:
        """Take a handle that asyncio made itself: those of signals."""
        self._timer.add_soon(handle)
        return handle

    def _timer_handle_cancelled(self, handle: _Later) -> None:
        self._timer.drop(handle)

    def run_until_complete(self, future: Awaitable[Any]) -> Any:
        """Run Qt's loop until the future is done; raise DisplayLost where Qt ends it before."""
        try:
            return super().run_until_complete(future)
        except RuntimeError as error:
            if str(error) != _STOPPED:
                raise
            raise DisplayLost from error

    def run_forever(self) -> Any:
        """Run Qt's loop until `stop`."""
        before = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        try:
            return super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*before)


def run_with_qt(app: QApplication, main: Callable[[], Any]) -> Any:
    """Run the coroutine that `main` returns on a loop of Qt's and close the loop whatever happens.

    Until no thread of the loop's is left, garbage is looked for in this thread alone.
    """
    garbage = Garbage(app)
    try:
        with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
            return runner.run(main())
    finally:
        garbage.stop()
