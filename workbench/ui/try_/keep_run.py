"""Keeping the run shown in Try as a case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.keep_case import keep_case

if TYPE_CHECKING:
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.replay import TryReplay
    from workbench.ui.try_.view import TryPage


class TryKeep:
    """Opens the dialog over the run's recorded events; an example's are at hand already."""

    def __init__(self, shell: Shell, page: TryPage, replay: TryReplay) -> None:
        self._shell, self._page, self._replay = shell, page, replay
        page.verdict.keep_asked.connect(self.start)

    def start(self) -> None:
        """Keep the run that is shown."""
        if self._replay.possible:
            self._shell.tasks.latest("try: keep", self._keep(), on_error=self._on_error)

    async def _keep(self) -> None:
        started, stored = self._page.run.started, self._replay.stored
        assert started is not None
        if stored is None:
            stored = await self._shell.wb.load(started.run_id)
        await keep_case(self._shell, stored.events)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
