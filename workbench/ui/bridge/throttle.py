"""Run now, then trail: for search boxes, resizing and saving of sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable


class Throttle(QObject):
    """Calls at once, then at most every `interval_ms`; the last request is never lost."""

    def __init__(self, interval_ms: int, call: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._call = call
        self._wanted = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._on_timeout)

    def request(self) -> None:
        """Ask for a call."""
        if self._timer.isActive():
            self._wanted = True
            return
        self._timer.start()
        self._call()

    def flush(self) -> None:
        """Make a waiting call now."""
        self._timer.stop()
        if self._wanted:
            self._wanted = False
            self._call()

    def _on_timeout(self) -> None:
        if self._wanted:
            self._wanted = False
            self._timer.start()
            self._call()
