"""From the run shown in Try to one that goes another way from the inspected step on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.replay.fork import iterations
from workbench.ui.run.forking import RunFork

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app import RunDraft
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.replay import TryReplay
    from workbench.ui.try_.view import TryPage


class TryFork:
    """Opens the dialog; `send` starts what comes of it."""

    def __init__(self, shell: Shell, page: TryPage, replay: TryReplay, send: Callable[[RunDraft], None]) -> None:
        self._shell, self._page, self._replay, self._send = shell, page, replay, send
        page.bar.fork_asked.connect(self.start)

    def start(self) -> None:
        """Ask what shall be different."""
        if self._replay.possible:
            self._shell.tasks.latest("try: fork", self._ask(), on_error=self._on_error)

    async def _ask(self) -> None:
        started, stored = self._page.run.started, self._replay.stored
        assert started is not None
        if stored is None:
            stored = await self._shell.wb.load(started.run_id)
        step = self._page.inspector.step
        numbers = [one.number for one in iterations(stored.summary())]
        at = numbers.index(step.number) + 1 if step is not None and step.number in numbers else 1
        RunFork(stored, at, self._send, self._shell.window).open()

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
