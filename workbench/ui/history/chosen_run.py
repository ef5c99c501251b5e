"""From a recorded run to evidence: keep it as a case, replay it in each of the ways, export it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.core.versions import PARSER_VERSION
from workbench.replay.passes import offline_once
from workbench.ui.history.from_store import reparsed, sentence_of, told_places
from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.export.exporting import Exporting
from workbench.ui.run.export.upstream_reports import UpstreamReports
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from workbench.core.case import Case
    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.replay.result import Replayed
    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


class ChosenRun:
    """Serves the buttons of the history's preview; everything acts on the chosen run."""

    def __init__(self, shell: Shell, page: HistoryView) -> None:
        self._shell, self._page = shell, page
        self.exporting = Exporting(shell)
        self.reports = UpstreamReports(shell)
        preview = page.preview
        preview.keep_button.clicked.connect(lambda _checked=False: self.keep())
        preview.report_button.clicked.connect(lambda _checked=False: self.report())
        preview.export_button.clicked.connect(lambda _checked=False: self.export())
        preview.replay.button.clicked.connect(lambda _checked=False: self.reparse())
        preview.replay.offline.clicked.connect(lambda _checked=False: self.offline())
        preview.replay.live.clicked.connect(lambda _checked=False: self.live())

    def show(self, stored: StoredRun) -> None:
        """A run is shown: say what sending it once more takes."""
        self._page.preview.replay.show_tokens(stored.summary().input_tokens)

    def keep(self) -> None:
        """Open the dialog that keeps the run as a case."""
        if (line := self._page.chosen) is not None:
            self._latest("keep", self._keep(line.id))

    async def _keep(self, run_id: str) -> None:
        await keep_case(self._shell, (await self._shell.wb.load(run_id)).events)

    def export(self) -> None:
        """Open the menu of exports."""
        if (line := self._page.chosen) is not None:
            self.exporting.menu(self._page.preview.export_button, [line.id])

    def fork(self) -> None:
        """Let the run go another way from one of its iterations on, in Try."""
        if (line := self._page.chosen) is not None:
            self._latest("fork", self._fork(line.id))

    async def _fork(self, run_id: str) -> None:
        self._shell.fork_run(await self._shell.wb.load(run_id))

    def report(self) -> None:
        """Open the menu of receivers of a report."""
        if (line := self._page.chosen) is not None:
            run_id = line.id

            async def load() -> tuple[Sequence[RunEvent], bool]:
                return (await self._shell.wb.load(run_id)).events, True

            self.reports.menu(self._page.preview.report_button, load)

    def reparse(self) -> None:
        """Read the chosen run again with today's parser."""
        self._replay("parse")

    def offline(self) -> None:
        """Run today's engine over the recorded exchanges; never the network."""
        self._replay("offline")

    def live(self) -> None:
        """Send the same once more; it is a new run, and what came of it is held against the recorded one."""
        self._replay("live")

    def _replay(self, mode: str) -> None:
        if (line := self._page.chosen) is not None:
            self._page.preview.replay.show_running(mode)
            self._latest(mode, self._again(mode, line.id))

    async def _again(self, mode: str, run_id: str) -> None:
        wb = self._shell.wb
        stored = await wb.load(run_id)
        case = await asyncio.to_thread(wb.store.batches.case_of, run_id)
        found = await self._replayed(mode, stored, case)
        word = tr("no reply") if found is None else found.verdict.value.replace("_", " ")
        if self._page.chosen is not None and self._page.chosen.id == run_id:
            words = tr("There is no reply to read.") if found is None else sentence_of(found)
            places = [] if found is None else told_places(found)
            self._page.preview.replay.show_result(word, words, places, mode)
        then = tr(" with parser {parser_version}", parser_version=PARSER_VERSION) if mode == "parse" else ""
        self._shell.say(
            tr("Run {number:,}, replay {mode}{then}: {word}", number=stored.number, mode=mode, then=then, word=word)
        )

    async def _replayed(self, mode: str, stored: StoredRun, case: Case | None) -> Replayed | None:
        wb = self._shell.wb
        if mode == "parse":
            return await asyncio.to_thread(reparsed, wb, stored, case)
        if mode == "offline":
            return await offline_once(stored, wb.check, case)
        return await wb.live.one(stored, case)

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest(f"history {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._page.preview.replay.reset()
        self._shell.say(str(error))
