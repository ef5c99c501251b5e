"""How far the first steps are, looked at again while the start page stays in front.

A program that records beside the window, a batch that goes on, or a provider that a command adds finishes a step, and nothing in the
window says so. Looking stops with the last step, when the strip is closed, and while another page is in front.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from workbench.app.first_steps import first_steps
from workbench.ui.start.first_minute import StepLine

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Shell
    from workbench.ui.start.view import StartView

LOOK_MS = 2000
_SHARE = 50
"""So many times as long as a look takes is waited before the next one: a long history costs two per cent of a core at most."""


class StepsWatch:
    """Looks every two seconds, or less often where a look is slow."""

    def __init__(self, shell: Shell, page: StartView) -> None:
        self._shell, self._page = shell, page
        self._shown = False
        self._timer = QTimer(page)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look_soon)

    def start(self) -> None:
        """The page is shown."""
        self._shown = True

    def stop(self) -> None:
        """It no longer is."""
        self._shown = False
        self._timer.stop()

    def look_soon(self) -> None:
        """Look once, beside whatever else is done."""
        self._shell.tasks.latest("start steps", self.look())

    async def look(self) -> None:
        """Show how far they are, and look again later while one is left."""
        wb, begun = self._shell.wb, time.monotonic()
        steps = await asyncio.to_thread(first_steps, wb) if wb.saved_settings.ui.first_steps else ()
        taken_ms = (time.monotonic() - begun) * 1000
        self._page.show_steps([StepLine(*step) for step in steps])
        if self._shown and not all(step.done for step in steps):
            self._timer.start(max(LOOK_MS, int(taken_ms * _SHARE)))
