"""The page Scan: chooses what is read, follows the scan, exports what was found."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from workbench.app.scanning import Scanning
from workbench.core.atomic_files import write_file
from workbench.core.errors import InvalidInput
from workbench.core.whole_files import expanded
from workbench.ui.bridge.page import Page
from workbench.ui.run.run_words import PARSER_WORDS
from workbench.ui.scan.from_finding import FromFinding
from workbench.ui.scan.lines import progress_words, title_words
from workbench.ui.scan.listing import Listing
from workbench.ui.scan.running import RunningScan
from workbench.ui.scan.view import ScanView
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.quantities import counted, size
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.scan.finding import Finding
    from workbench.scan.scanner import Scan, Seen
    from workbench.scan.sources import Source
    from workbench.ui.bridge.page import Shell

FILE = "findings.json"
_LONGEST_PATH = 4_096
_HINT = tr("J / K next and previous finding · ↵ open as run · U report")


def _path_in(text: str) -> str:
    """The path, if a text is the whole path of a file or folder that is there, and nothing else."""
    named = text.strip().strip("\"'")
    if not named or len(named) > _LONGEST_PATH or "\n" in named:
        return ""
    path = expanded(named)
    with suppress(OSError, ValueError):
        return str(path) if path.is_absolute() and path.exists() else ""
    return ""


class ScanController(Page):
    """Controller of the page."""

    key = "scan"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = ScanView()
        self.scanning = Scanning(shell.wb, shell.wb.store)
        self.running = RunningScan(shell, self.scanning)
        self.listing = Listing(shell, self.page)
        self.from_finding = FromFinding(shell, self.page, self.scanning, lambda: self.listing.finding)
        self._paste = Button(tr("Paste"), icon="clipboard-text", on_click=self.paste)
        self._export = Button(tr("Export"), icon="export", on_click=self.export)
        self._again = Button(tr("Scan again"), icon="arrow-clockwise", on_click=self.again)
        self._connect()
        self._show_state()

    def _connect(self) -> None:
        page = self.page
        self.running.changed.connect(self._on_changed)
        page.places.places_chosen.connect(self.add_names)
        page.places.files_asked.connect(self.add_files)
        page.places.folder_asked.connect(self.add_folder)
        page.places.paste_asked.connect(self.paste)
        page.paths_dropped.connect(self.add_names)
        page.sources.add.clicked.connect(lambda _checked=False: self.open_add_menu())
        page.findings.read_as.clicked.connect(lambda _checked=False: self.open_kinds())
        page.sources.stop_asked.connect(self.running.stop)
        page.findings.group_opened.connect(lambda _group: self.from_finding.open())
        self.shell.theme.changed.connect(page.finding.raw.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._paste, self._export, self._again)

    def shown(self) -> None:
        if self.running.scan is None:
            self.shell.tasks.latest("scan places", self._show_places())
        else:
            self.page.findings.table.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _show_places(self) -> None:
        found = await asyncio.to_thread(self.scanning.usual_sources)
        self.page.places.show_places([(source.title, source.name) for source in found])
        self.page.places.take_focus()

    async def aclose(self) -> None:
        self.running.close()
        self.scanning.close()

    # what is read

    def add_names(self, names: Sequence[str]) -> None:
        """Read files and folders; the usual places too."""
        titles = {source.name: source for source in self.scanning.usual_sources()}
        sources: list[Source] = []
        for name in names:
            try:
                sources.append(titles.get(name) or self.scanning.source(name))
            except InvalidInput as error:
                self.shell.say(str(error))
        self._add(sources)

    def _add(self, sources: Iterable[Source]) -> None:
        wanted = list(sources)
        if not wanted:
            return
        if self.running.scan is None:
            self.listing.begin()
        if not self.running.add(wanted):
            self.shell.say(tr("That is among the sources already: Scan again reads it from its beginning."))
        self._show_state(self.running.seen)
        self.page.findings.table.setFocus(Qt.FocusReason.OtherFocusReason)  # Enter opens a finding, not this menu again

    def add_files(self) -> None:
        """Ask for files and read them."""
        self.shell.tasks.latest("scan files", self._ask_files())

    async def _ask_files(self) -> None:
        self.add_names([str(path) for path in await dialogs.ask_open_files(self.shell.window, tr("Files to scan"))])

    def add_folder(self) -> None:
        """Ask for a folder and read what is in it."""
        self.shell.tasks.latest("scan folder", self._ask_folder())

    async def _ask_folder(self) -> None:
        path = await dialogs.ask_folder(self.shell.window, tr("Folder to scan"))
        if path is not None:
            self.add_names([str(path)])

    def paste(self) -> None:
        """Read what is in the clipboard: files that were copied, the path of one, or a text."""
        data = QGuiApplication.clipboard().mimeData()
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data else []
        if not paths and data and (path := _path_in(data.text())):
            paths = [path]
        if paths:
            self.add_names(paths)
        elif data and data.text().strip():
            self._add([self.scanning.pasted_source(data.text())])
        else:
            self.shell.say(tr("The clipboard holds no text and no files. Copy a log, a reply, or files."))

    def open_add_menu(self) -> QMenu:
        """Open the menu of what can be added."""
        button = self.page.sources.add
        menu = Menu(button)
        menu.addAction(icon("file-text"), tr("Files…"), self.add_files)
        menu.addAction(icon("folder"), tr("Folder…"), self.add_folder)
        menu.addAction(icon("clipboard-text"), tr("What is in the clipboard"), self.paste)
        fresh = [one for one in self.scanning.usual_sources() if one.name not in self.running.names]
        if fresh:
            menu.addSeparator()
        for source in fresh:
            menu.addAction(icon("folder"), shown_line(source.title), lambda one=source.name: self.add_names([one]))
        open_below(menu, button)
        return menu

    def open_kinds(self) -> QMenu:
        """Open the menu of what a file can be that nobody knew."""
        seen, button = self.running.seen, self.page.findings.read_as
        menu = Menu(button)
        number = self.listing.chosen.source or (seen.sources[0].number if seen and seen.sources else 0)
        for kind, title in self.scanning.kinds():
            menu.addAction(title, partial(self.read_as, number, kind))
        open_below(menu, button)
        return menu

    def read_as(self, number: int, kind: str) -> None:
        """Read a source as a kind."""
        self.running.read_as(number, kind)
        self._show_state(self.running.seen)

    def again(self) -> None:
        """Read all sources from their beginning."""
        if not self.running.is_running:
            self.listing.begin()
            self.running.again()
            self._show_state()

    # what is seen

    def _on_changed(self) -> None:
        seen = self.running.seen  # once: the thread that scans gives newer ones meanwhile
        if seen is not None:
            self.listing.show(seen)
        self._show_state(seen)

    def _show_state(self, seen: Seen | None = None) -> None:
        running = self.running.is_running
        self.page.show_scan(shown=self.running.scan is not None)
        self._again.setEnabled(self.running.scan is not None and not running)
        self._export.setEnabled(seen is not None and seen.tally.findings > 0)
        right = PARSER_WORDS
        if seen is None:
            self.set_title(tr("Scan"), tr("sessions, logs and traces, looked through for lost calls"))
            self.page.sources.show_progress(tr("Looking what there is") if running else "", "", running=running)
            self.set_status(tr("Files are only read"), right)
            return
        self.set_title(tr("Scan"), title_words(seen))
        self.page.sources.show_progress(*progress_words(seen), running=running)
        self.set_status(tr("{hint} · {done} read, nothing written back", hint=_HINT, done=size(seen.done)), right)

    # what is done with it

    def export(self) -> None:
        """Ask for a file and write the findings that are listed as JSON."""
        scan = self.running.scan
        if scan is not None and self._export.isEnabled():
            self.shell.tasks.latest(
                "scan export", self._write(scan, list(self.listing.findings)), on_error=self._on_error
            )

    async def _write(self, scan: Scan, findings: list[Finding]) -> None:
        path = await dialogs.ask_save_file(self.shell.window, tr("Export the findings"), FILE, tr("JSON (*.json)"))
        if path is not None:
            document = self.scanning.document(scan, findings)
            text = await asyncio.to_thread(json.dumps, document, indent=1, ensure_ascii=False, default=str)
            await asyncio.to_thread(write_file, path, text + "\n")
            self.shell.say(tr("{findings} written to {path}", findings=counted(len(findings), "finding"), path=path))

    def _on_error(self, error: WorkbenchError) -> None:
        self.shell.say(str(error))
