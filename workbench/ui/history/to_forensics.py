"""From a recorded run to the page Forensics: its most telling reply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.forensics import specimen_of
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


class HistoryForensics:
    """Opens the chosen run's reply, with a way back to the run."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._shell, self._page = shell, page
        page.preview.forensics_button.clicked.connect(lambda _checked=False: self.open())

    def open(self) -> None:
        """Read the chosen run's telling reply with all formats."""
        if (line := self._page.chosen) is not None:
            self._shell.tasks.latest("history open", self._open(line.id), on_error=self._on_error)

    async def _open(self, run_id: str) -> None:
        stored = await self._shell.wb.load(run_id)
        specimen = specimen_of(stored.events)
        if specimen is None:
            self._shell.say(tr("Run {number:,} has no reply to read.", number=stored.number))
            return
        place = tr(
            "Run {number:,} · {place}",
            number=stored.number,
            place=f"{specimen.place[:1].lower()}{specimen.place[1:]}",
        )
        self._shell.examine(replace(specimen, place=place), lambda: self._shell.open_run(stored), "")

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
