"""While the window is open, runs beyond the limits of the settings are removed now and then. Without a limit nothing happens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from workbench.app.retention import EVERY_S, of_settings, trim
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.main.window import MainWindow


class HistoryTrim(QObject):
    """Looks once at the start and then every ten minutes."""

    def __init__(self, wb: Workbench, tasks: Tasks, window: MainWindow) -> None:
        super().__init__(window)
        self._wb, self._tasks, self._window = wb, tasks, window
        self._timer = QTimer(self, interval=int(EVERY_S * 1000))
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Remove what the settings leave no room for."""
        if any(of_settings(self._wb)):
            self._tasks.latest("history retention", self._trim(), on_error=lambda error: self._window.say(str(error)))

    async def _trim(self) -> None:
        rule = of_settings(self._wb)
        gone = await asyncio.to_thread(trim, self._wb, rule)
        if gone:
            self._window.say(tr("{gone:,} runs beyond {words} were removed", gone=gone, words=rule.words))

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
        self.deleteLater()
