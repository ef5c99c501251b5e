"""The way of a run's events into the window: batches come from the pump, already on disk, and leave as one signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.events import RunFinished, VerdictGiven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent


class RunFeed(QObject):
    """One run's events. `watch` is handed to the run service; views listen to `batch_arrived`."""

    batch_arrived = Signal(object)
    """A tuple of events, in order."""
    run_finished = Signal(object)
    """The `RunFinished` event."""
    verdict_given = Signal(object)
    """The `Verdict`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self.events = 0
        """How many events came through."""

    def watch(self, events: Sequence[RunEvent]) -> None:
        """Take a batch; after `close` it is dropped (the record has it)."""
        if not self._open:
            return
        self.events += len(events)
        self.batch_arrived.emit(tuple(events))
        for event in events:
            match event:
                case RunFinished():
                    self.run_finished.emit(event)
                case VerdictGiven(verdict):
                    self.verdict_given.emit(verdict)
                case _:
                    pass

    def close(self) -> None:
        """Deliver nothing any more: the page shows another run."""
        self._open = False
