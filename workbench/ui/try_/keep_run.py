"""What is made of the run shown in Try: a case, or a report to whoever is to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.export.upstream_reports import UpstreamReports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.replay import TryReplay
    from workbench.ui.try_.view import TryPage


class TryKeep:
    """Opens dialogs over the run's recorded events; an example's are at hand already."""

    def __init__(self, shell: Shell, page: TryPage, replay: TryReplay) -> None:
        self._shell, self._page, self._replay = shell, page, replay
        self.reports = UpstreamReports(shell)
        page.verdict.keep_asked.connect(self.start)
        page.verdict.report_asked.connect(self.report)

    def start(self) -> None:
        """Keep the run that is shown."""
        if self._replay.possible:
            self._shell.tasks.latest("try: keep", self._keep(), on_error=self._on_error)

    async def _keep(self) -> None:
        await keep_case(self._shell, (await self._load())[0])

    def report(self) -> None:
        """Open the menu of receivers of a report on the run that is shown."""
        if self._replay.possible:
            self.reports.menu(self._page.verdict.report, self._load)

    async def _load(self) -> tuple[Sequence[RunEvent], bool]:
        """The run's events; its tools are known."""
        started, stored = self._page.run.started, self._replay.stored
        assert started is not None
        if stored is None:
            stored = await self._shell.wb.load(started.run_id)
        return stored.events, True

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
