"""From the chosen finding to evidence: open it as a run, keep it as a case, report it, look at it in Forensics."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.app.scan_words import specimen_of_finding
from workbench.app.scanning import play_finding
from workbench.scan.dialects import dialects_in, is_unknown
from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.export.upstream_reports import UpstreamReports
from workbench.ui.run.format_draft import FormatDraft
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from workbench.app.scanning import Scanning
    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.scan.finding import Finding
    from workbench.ui.bridge.page import Shell
    from workbench.ui.scan.view import ScanView


class FromFinding:
    """Everything acts on the finding that is shown; what is recorded of it is masked once more."""

    def __init__(self, shell: Shell, page: ScanView, scanning: Scanning, chosen: Callable[[], Finding | None]) -> None:
        self._shell, self._page, self._scanning, self._chosen = shell, page, scanning, chosen
        self.reports = UpstreamReports(shell)
        self.format_draft = FormatDraft(shell, lambda _names: None, tr("F5 scans everything again with it."))
        self._runs: dict[tuple[object, ...], str] = {}
        """Ids of the runs that findings were recorded as; the same one after another scan is no second run."""
        pane = page.finding
        pane.open_asked.connect(self.open)
        pane.keep_asked.connect(self.keep)
        pane.report_asked.connect(self.report)
        pane.forensics_asked.connect(self.forensics)
        pane.format_asked.connect(self.make_format)

    @property
    def possible(self) -> bool:
        """There is a finding to act on."""
        return self._chosen() is not None

    def open(self) -> None:
        """Record the finding as a run, once, and show it in Try."""
        if (finding := self._chosen()) is not None:
            self._latest("open", self._open(finding))

    async def _open(self, finding: Finding) -> None:
        self._shell.open_run(await self._shell.wb.load(await self._recorded(finding)))

    async def _recorded(self, finding: Finding) -> str:
        key = (finding.place, finding.kind, finding.span, finding.raw, finding.at_us)
        if key not in self._runs:
            self._runs[key] = (await self._scanning.keep(finding)).run
        return self._runs[key]

    def keep(self) -> None:
        """Open the dialog that keeps the finding as a case."""
        if (finding := self._chosen()) is not None:
            self._latest("keep", self._keep(finding))

    async def _keep(self, finding: Finding) -> None:
        run = await self._recorded(finding)
        await keep_case(self._shell, (await self._shell.wb.load(run)).events)

    def report(self) -> None:
        """Open the menu of receivers of a report."""
        if (finding := self._chosen()) is not None:

            async def load() -> tuple[Sequence[RunEvent], bool]:
                played = await play_finding(finding, self._shell.wb.check)
                return await asyncio.to_thread(self._scanning.masked, played.events), bool(finding.reply.tools)

            self.reports.menu(self._page.finding.report, load)

    @property
    def is_unknown(self) -> bool:
        """The finding is a call in markup that no format reads."""
        finding = self._chosen()
        return finding is not None and is_unknown(finding)

    def make_format(self) -> None:
        """Draft a format from all findings that are written like the chosen one."""
        group = self._page.findings.chosen
        if group is not None and self.is_unknown:
            self.format_draft.begin([text for one in dialects_in(group.findings) for text in one.texts])

    def forensics(self) -> None:
        """Show all formats over the finding's text."""
        if (finding := self._chosen()) is not None:
            form = finding.format if finding.format != "native" else "native_openai"
            self._shell.examine(specimen_of_finding(finding), lambda: self._latest("open", self._open(finding)), form)

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._shell.tasks.latest(f"scan {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))
