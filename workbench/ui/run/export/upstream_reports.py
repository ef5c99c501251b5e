"""Upstream reports from any page: a menu of receivers, then the sheet with the report, made off the window's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMenu

from workbench.app.upstream_reports import ReportOrder, make_report
from workbench.core.atomic_files import write_file
from workbench.core.events import RunEvent
from workbench.export.report_layouts import PROVIDER, layouts
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.tasks import Stop
from workbench.ui.run.export.upstream_sheet import ShownReport, UpstreamSheet
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.menus import Menu, open_below

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.app.pasted_setup import ServerSetup
    from workbench.core.errors import WorkbenchError
    from workbench.export.upstream_report import UpstreamReport
    from workbench.replay.minimise import Minimising
    from workbench.ui.bridge.page import Shell

Load = Callable[[], Awaitable[tuple[Sequence[RunEvent], bool]]]
"""Gives the run, and whether its tools are known."""
TELL_MS = 150
_PROVIDER_TITLE = tr("a provider")


def receivers(first: str = "") -> list[tuple[str, str]]:
    """Names and titles of all receivers; `first`: the one that is likely meant."""
    found = [(name, _PROVIDER_TITLE if name == PROVIDER else layout.name) for name, layout in layouts().items()]
    return sorted(found, key=lambda one: one[0] != first)


def shown_report(report: UpstreamReport) -> ShownReport:
    """A report with what to think of before it is sent."""
    beside = (
        (tr("Look at"), report.warnings),
        (tr("Only you can add"), report.to_add),
        (tr("Search for duplicates"), report.search),
    )
    return ShownReport(report.title, report.body, report.new_issue, beside)


class UpstreamReports(QObject):
    """One report at a time; the receiver that was chosen last is kept for the next."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.window)
        self._shell = shell
        self.sheet: UpstreamSheet | None = None
        self._load: Load | None = None
        self._run: tuple[Sequence[RunEvent], bool] | None = None
        self._setup: ServerSetup | None = None
        self._report: UpstreamReport | None = None
        self._search: Minimising | None = None
        self._stop = Stop()
        self._tell = QTimer(self)
        self._tell.setInterval(TELL_MS)
        self._tell.timeout.connect(self._on_tell)

    def menu(self, below: QWidget, load: Load, setup: ServerSetup | None = None) -> QMenu:
        """Open the menu of receivers under a button; `setup`: what stood beside a pasted reply."""
        made = Menu(below)
        for name, title in receivers(setup.receiver if setup is not None else ""):
            made.addAction(
                icon("bug"), tr("Report to {title}", title=title), lambda one=name: self.start(one, load, setup)
            )
        open_below(made, below)
        return made

    def start(self, receiver: str, load: Load, setup: ServerSetup | None = None) -> None:
        """Open the sheet and make the report."""
        self._load, self._run, self._setup = load, None, setup
        sheet = UpstreamSheet(receivers(), receiver, self._shell.window)
        self.sheet = sheet
        sheet.receiver_chosen.connect(self._make)
        sheet.copy_asked.connect(self.copy)
        sheet.save_asked.connect(self.save)
        sheet.form_asked.connect(self._on_form)
        sheet.stop_asked.connect(self._on_stop)
        sheet.finished.connect(self._on_finished)
        sheet.open()
        self._make(receiver)

    def _make(self, receiver: str) -> None:
        self._stop.stop()
        self._stop = Stop()
        if self.sheet is not None:
            self.sheet.show_working(tr("Reading the run"))
        self._shell.tasks.latest("upstream report", self._show(receiver, self._stop), on_error=self._on_error)

    async def _show(self, receiver: str, stop: Stop) -> None:
        if self.sheet is None or self._load is None:
            return
        if self._run is None:
            self._run = await self._load()
        events, known = self._run
        order = ReportOrder(receiver, tools_known=known, setup=self._setup)

        def watch(search: Minimising) -> bool:
            self._search = search
            return stop()

        self._tell.start()
        try:
            self._report = await asyncio.to_thread(make_report, self._shell.wb, events, order, watch)
        finally:
            self._tell.stop()
            self._search = None
        if self.sheet is not None:
            self.sheet.show_report(shown_report(self._report))

    def _on_tell(self) -> None:
        if self.sheet is not None and (search := self._search) is not None:
            self.sheet.show_working(
                tr(
                    "Looking for the smallest reply: {length:,} → {search:,} characters, {tries:,} tries",
                    length=search.length,
                    search=len(search.text),
                    tries=search.tries,
                )
            )

    def _on_stop(self) -> None:
        self._stop.stop()

    def copy(self) -> None:
        """Put title and text on the clipboard as they stand in the sheet."""
        if self.sheet is not None and self.sheet.shows_report:
            copy_text(self._text())
            self.sheet.show_status(tr("Copied: title, then the text."), failed=False)
            self._shell.say(tr("Copied the report"))

    def _text(self) -> str:
        assert self.sheet is not None
        return f"# {self.sheet.title.text()}\n\n{self.sheet.text.toPlainText()}"

    def save(self) -> None:
        """Ask for a file and write the report."""
        if self.sheet is not None and self.sheet.shows_report:
            self._shell.tasks.latest("upstream report save", self._save(self._text()), on_error=self._on_error)

    async def _save(self, text: str) -> None:
        path = await dialogs.ask_save_file(self.sheet or self._shell.window, tr("Save the report"), "report.md")
        if path is not None:
            await asyncio.to_thread(write_file, path, text)
            if self.sheet is not None:
                self.sheet.show_status(tr("Saved to {path}", path=path), failed=False)

    def _on_form(self) -> None:
        if self._report is not None and self._report.new_issue:
            QDesktopServices.openUrl(QUrl(self._report.new_issue))

    def _on_finished(self) -> None:
        self._stop.stop()
        if self.sheet is not None:
            self.sheet.deleteLater()
        self.sheet = None

    def _on_error(self, error: WorkbenchError) -> None:
        if self.sheet is not None:
            self.sheet.show_problem(str(error))
        self._shell.say(str(error))
