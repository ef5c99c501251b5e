"""Roles and argument spans of finished steps: read at once where that is quick, else in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import UnknownName

if TYPE_CHECKING:
    from workbench.core.events import StepReply
    from workbench.ui.controllers.page import Shell
    from workbench.ui.views.try_page import TryPage

READ_AT_ONCE = 100_000
"""Characters up to which a reply is read in the window's own thread: some milliseconds."""


class TryReading(QObject):
    """Asks the application what the characters of a reply are, and tells the page."""

    said = Signal(str)
    """A line for the status bar."""

    def __init__(self, shell: Shell, page: TryPage) -> None:
        super().__init__(page)
        self._shell, self._page = shell, page
        page.step_finished.connect(self._on_step_finished)

    def _on_step_finished(self, number: int) -> None:
        reply = self._page.run.steps[number].reply
        if reply is None:
            return
        if len(reply.text) <= READ_AT_ONCE:
            self._read(number, reply)
        else:
            self._shell.tasks.start(self._read_later(number, reply), f"try: read step {number}")

    def _read(self, number: int, reply: StepReply) -> None:
        wb = self._shell.wb
        try:
            self._page.set_reading(number, wb.regions(reply), wb.fields(reply))
        except UnknownName as error:  # recorded with a format that is gone: the text stays plain
            self.said.emit(str(error))

    async def _read_later(self, number: int, reply: StepReply) -> None:
        wb = self._shell.wb
        try:
            regions, fields = await asyncio.to_thread(lambda: (wb.regions(reply), wb.fields(reply)))
        except UnknownName as error:
            self.said.emit(str(error))
            return
        step = self._page.run.steps.get(number)
        if step is not None and step.reply is reply:
            self._page.set_reading(number, regions, fields)
