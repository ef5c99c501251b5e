"""One scan and those that follow it: runs off the window's thread, tells what it has so far, takes further sources."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.scan.sources import Source, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.app.scanning import Scanning
    from workbench.core.errors import WorkbenchError
    from workbench.scan.scanner import Scan, Seen
    from workbench.ui.bridge.page import Shell

LOOK_MS = 250
PAINT_MS = 12
"""After which what has changed is painted: so long the thread that reads files lets the window's have the interpreter."""
PATIENCE_S = 0.0005
"""How long the window's thread waits for the interpreter while files are read: painting a list asks for it a hundred times."""


class RunningScan(QObject):
    """What people chose to have read, and what came of it so far."""

    changed = Signal()
    """There is more to be seen, or the scan has ended."""

    def __init__(self, shell: Shell, scanning: Scanning) -> None:
        super().__init__(shell.window)
        self._shell, self._scanning = shell, scanning
        self.scan: Scan | None = None
        self.seen: Seen | None = None
        """A copy of what the scan has; None: nothing was scanned yet."""
        self._wanted: list[Source] = []
        self._shown: Seen | None = None
        self._busy = False
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._painted = QTimer(self)
        self._painted.setSingleShot(True)
        self._painted.setInterval(PAINT_MS)
        self._painted.timeout.connect(self._go_on)

    @property
    def is_running(self) -> bool:
        """Files are being read now."""
        return self._busy

    @property
    def names(self) -> frozenset[str]:
        """What was chosen so far."""
        return frozenset(source.name for source in self._wanted)

    def add(self, sources: Iterable[Source]) -> int:
        """Read these too; those that were chosen before are passed over. Return how many are new."""
        fresh = [source for source in sources if source.text is not None or source.name not in self.names]
        if not fresh:
            return 0
        self._wanted += fresh
        if self.scan is None:
            self._begin(fresh)
            return len(fresh)
        for source in fresh:
            self.scan.add(_pristine(source))
        if not self._busy:
            self.scan.stopped = False
            self._start(self.scan)
        return len(fresh)

    def read_as(self, number: int, kind: str) -> None:
        """Read a source that nobody knew as a kind; it stays one when everything is read again."""
        if self.scan is None:
            return
        source = self.scan.read_as(number, kind)
        self._wanted = [
            replace(one, kind=kind) if (one.name, one.text) == (source.name, source.text) else one
            for one in self._wanted
        ]
        if not self._busy:
            self.scan.stopped = False
            self._start(self.scan)

    def again(self) -> None:
        """Read everything that was chosen from its beginning."""
        if self._wanted and not self._busy:
            self._begin(self._wanted)

    def stop(self) -> None:
        """End the scan before its next reply; what it has stays."""
        if self.scan is not None and self._busy:
            self.scan.stop()

    def close(self) -> None:
        """End the scan; nobody looks any more."""
        self.stop()
        self._look.stop()
        self._go_on()

    def _begin(self, sources: Iterable[Source]) -> None:
        self.scan = self._scanning.scan([_pristine(source) for source in sources])
        self.seen = self._shown = None
        self._start(self.scan)

    def _start(self, scan: Scan) -> None:
        self._busy = True
        scan.watch(lambda: self._note(scan))
        self._look.start()
        self._shell.tasks.latest("scan", self._run(scan), on_error=self._on_error)

    def _note(self, scan: Scan) -> None:
        """From the thread that scans: an assignment is all that crosses over."""
        self.seen = scan.seen()

    async def _run(self, scan: Scan) -> None:
        patience = sys.getswitchinterval()
        sys.setswitchinterval(min(patience, PATIENCE_S))
        try:
            while True:
                await asyncio.to_thread(scan.run)
                if scan.stopped or not any(source.state is SourceState.QUEUED for source in scan.sources):
                    break
        except asyncio.CancelledError:
            scan.stop()  # the thread goes on until it looks
            raise
        finally:
            sys.setswitchinterval(patience)
            self._busy = False
            self._look.stop()
            if self.scan is scan:
                self.seen = scan.seen()
                self.changed.emit()

    def _on_look(self) -> None:
        if self.seen is not self._shown and self.scan is not None:
            self._shown = self.seen
            self.scan.wait()
            self.changed.emit()
            self._painted.start()

    def _go_on(self) -> None:
        if self.scan is not None:
            self.scan.go_on()

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))


def _pristine(source: Source) -> Source:
    return replace(source, problems=[])
