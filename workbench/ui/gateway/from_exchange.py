"""From the chosen exchange to evidence: keep it as a case, compare models over it, export it, open it in Try."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.cases.files import save_case
from workbench.cases.from_run import case_from_run
from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.export.exporting import Exporting
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.gateway.shown_conversation import ShownConversation
    from workbench.ui.gateway.view import GatewayView

SUITE = "from-the-gateway"
"""Where exchanges go that are to be compared."""


class FromExchange:
    """Everything acts on the recorded run of the chosen exchange."""

    def __init__(
        self, shell: Shell, page: GatewayView, shown: ShownConversation, compare_suite: Callable[[str], None]
    ) -> None:
        self._shell, self._page, self._shown, self._compare_suite = shell, page, shown, compare_suite
        self.exporting = Exporting(shell)
        page.keep_asked.connect(self.keep)
        page.compare_asked.connect(self.compare)

    @property
    def run_id(self) -> str:
        """The recorded run of the chosen exchange; empty where there is none."""
        seen = self._shown.find(self._page.area.current)
        return (seen.run_id or seen.given_run_id) if seen is not None and seen.done and seen.recorded else ""

    @property
    def possible(self) -> bool:
        """There is a recorded run to act on."""
        return bool(self.run_id)

    def keep(self) -> None:
        """Open the dialog that keeps the exchange as a case."""
        if run_id := self._wanted():
            self._latest("keep", self._keep(run_id))

    async def _keep(self, run_id: str) -> None:
        await keep_case(self._shell, (await self._shell.wb.load(run_id)).events)

    def compare(self) -> None:
        """Keep the exchange in a suite of its own kind and set up a comparison over it."""
        if run_id := self._wanted():
            self._latest("compare", self._compare(run_id))

    async def _compare(self, run_id: str) -> None:
        stored = await self._shell.wb.load(run_id)
        path = await asyncio.to_thread(save_case, case_from_run(stored.events), self._shell.wb.home.suites / SUITE)
        self._compare_suite(SUITE)
        self._shell.say(
            tr("Kept as {stem} in the suite {suite}: choose the models to compare", stem=path.stem, suite=SUITE)
        )

    def export(self, below: QWidget) -> None:
        """Open the menu of exports for the conversation's recorded runs."""
        here = self._shown.conversation
        refs = (
            [seen.run_id or seen.given_run_id for seen in here.exchanges if seen.done and seen.recorded] if here else []
        )
        if refs:
            self.exporting.menu(below, refs)
        else:
            self._shell.say(tr("Nothing of this conversation is recorded"))

    def open(self) -> None:
        """Show the exchange in Try, with its wire and timing."""
        if run_id := self._wanted():
            self._latest("open", self._open(run_id))

    async def _open(self, run_id: str) -> None:
        self._shell.open_run(await self._shell.wb.load(run_id))

    def _wanted(self) -> str:
        if not self.run_id:
            self._shell.say(tr("Choose an exchange that has ended and is recorded"))
        return self.run_id

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest(f"gateway {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
