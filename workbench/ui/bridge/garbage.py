"""Python's garbage is looked for by the window's thread alone.

Python collects in whichever thread happens to make the object that is one too many. A widget in a ring of references,
such as a closed dialog, would then be destroyed beside Qt's own thread, in the middle of a paint event.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 100


class Garbage(QObject):
    """From its making until `stop`: collects from Qt's loop, when as much was made as Python itself waits for."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._by_python = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()

    def stop(self) -> None:
        """Give the work back to Python."""
        self._timer.stop()
        if self._by_python:
            gc.enable()
        self.deleteLater()


def collect_what_is_due() -> None:
    """Collect the oldest generation that is due."""
    made, limits = gc.get_count(), gc.get_threshold()
    due = [age for age in range(3) if limits[age] and made[age] > limits[age]]
    if due:
        gc.collect(due[-1])
