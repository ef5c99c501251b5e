"""Fills the inspector's tabs Forensics and Chunks: reads the shown step with all formats, and plays its chunks again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.app.forensics import examine, step_specimen
from workbench.core.events import StepStarted
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.tasks import Stop
from workbench.ui.run import forensics_lines
from workbench.ui.run.inspector.chunk_player import ChunkPlayer
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.app.forensics import Examination, Specimen
    from workbench.ui.bridge.page import Shell
    from workbench.ui.run.run_view import RunView, StepView
    from workbench.ui.try_.view import TryPage


class TryForensics(QObject):
    """One step at a time: the one that the inspector shows."""

    def __init__(self, shell: Shell, page: TryPage) -> None:
        super().__init__(page)
        self._shell, self._page = shell, page
        self._inspector = page.inspector
        self._for: StepView | None = None
        self._specimen: Specimen | None = None
        self._exam: Examination | None = None
        self._stop = Stop()
        inspector = self._inspector
        inspector.reading_wanted.connect(self._on_wanted)
        inspector.forensics.open_asked.connect(self.open_page)
        page.bar.formats_asked.connect(self.open_page)
        inspector.forensics.copy_asked.connect(self.copy_report)
        self._player = ChunkPlayer(shell.tasks, inspector.chunks, "try")

    def _on_wanted(self, tab: str) -> None:
        """A tab is in front, or its step is another one, or has ended."""
        step = self._inspector.step
        if step is None:
            return
        if step is not self._for or self._specimen is None:
            self._begin(step)
        if self._specimen is None:
            self._inspector.forensics.show_waiting(running=True)
            self._inspector.chunks.show_waiting(
                tr("Still arriving"), tr("The chunks can be played when the reply has ended.")
            )
        elif tab == "forensics" and self._exam is None:
            self._inspector.forensics.show_waiting()
            self._shell.tasks.latest("try forensics", self._examine(self._specimen, self._stop))
        elif tab == "chunks":
            self._player.show(self._specimen)

    def _begin(self, step: StepView) -> None:
        """Forget the step before."""
        self._stop.stop()
        self._stop = Stop()
        self._player.forget()
        self._for, self._exam = step, None
        self._specimen = specimen_of_view(self._page.run, step)

    async def _examine(self, specimen: Specimen, stop: Stop) -> None:
        exam = await asyncio.to_thread(examine, specimen, self._shell.wb.check, stop)
        if specimen is self._specimen and not stop():
            self._exam = exam
            lines = forensics_lines.format_lines(exam)
            self._inspector.forensics.show_reading(forensics_lines.verdict_words(exam), lines, len(specimen.text))

    def open_page(self, name: str = "") -> None:
        """Show the inspected step's reply in Forensics; with a name, as that format reads it."""
        step = self._inspector.step
        specimen = specimen_of_view(self._page.run, step) if step is not None else None
        if specimen is None:
            self._shell.say(tr("Forensics reads a reply when it has ended."))
            return
        self._shell.examine(specimen, lambda: self._shell.go("try"), name)

    def copy_report(self) -> None:
        """Put all readings of the inspected step on the clipboard."""
        if self._exam is not None:
            copy_text(forensics_lines.report(self._exam))
            self._shell.say(tr("Copied the report, with the raw text"))

    def close(self) -> None:
        """Nobody waits any more."""
        self._stop.stop()
        self._player.close()


def specimen_of_view(run: RunView, step: StepView) -> Specimen | None:
    """The reply of a step as it is shown; None while it is arriving."""
    if run.started is None or step.reply is None:
        return None
    begun = StepStarted(
        step.number, step.loop, step.role, step.request, step.format, step.wire, step.news, step.started_us
    )
    exchange = step.exchange
    chunks, asked_us = (exchange.chunks, exchange.started_us) if exchange else ([], step.started_us)
    return step_specimen(run.started, begun, step.reply, chunks, asked_us)
