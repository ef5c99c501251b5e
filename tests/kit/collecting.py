"""Python's garbage between tests: what is Qt's ends in the thread it belongs to, before another file's tests begin.

Python collects in whichever thread makes the one object too many, and what reads a command's output is a thread. A QObject
whose timer still runs stays in Qt's list of timers when a thread destroys it, and the process dies once the timer is due,
in a test that has nothing to do with it. So from a file's first test with a window to the file's end Python does not
collect by itself: the main thread does, between tests, and all of it at the end.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


class Collector:
    """Of one process of the test run."""

    def __init__(self) -> None:
        self._standing = gc.get_freeze_count()

    def keep_what_stands(self) -> None:
        """Look at what tests make alone from now on: modules and tests are a million objects."""
        gc.collect()
        gc.freeze()
        self._standing = gc.get_freeze_count()

    @contextmanager
    def around(self, test: pytest.Item, following: pytest.Item | None) -> Iterator[None]:
        """Collect for a test that opens widgets, and for those after it in its file."""
        if "qapp" in test.fixturenames:  # type: ignore[attr-defined]  # of every function that is a test
            gc.disable()
        yield
        if gc.isenabled():
            return
        from workbench.ui.bridge.garbage import collect_what_is_due  # most tests have no need of Qt

        if following is not None and following.path == test.path:
            collect_what_is_due()
        else:
            self._end_file()

    def _end_file(self) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if gc.get_freeze_count() != self._standing:  # a window keeps what its start made
            gc.unfreeze()
            self.keep_what_stands()
        else:
            gc.collect()
        gc.enable()


@contextmanager
def python_collects() -> Iterator[None]:
    """Have Python collect by itself meanwhile, as where nothing of Qt's is about."""
    before = gc.isenabled()
    gc.enable()
    try:
        yield
    finally:
        if not before:
            gc.disable()
