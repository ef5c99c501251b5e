"""Export of runs: the menu of kinds, the page that shows what will leave, then the files, all of them or none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QMenu

from workbench.export.files import check_secrets
from workbench.ui.bridge.tasks import in_thread
from workbench.ui.run.export.preview import ExportPreview, FilePreview
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.export.files import Export
    from workbench.ui.bridge.page import Shell
    from workbench.ui.bridge.tasks import Stop


class MenuForm(NamedTuple):
    """One form in the menu."""

    name: str
    title: str
    what: str
    icon: str


GROUPS = (
    (
        MenuForm("pytest", tr("pytest folder"), tr("runs with pytest alone against your own parse function"), "test-tube"),
        MenuForm("bundle", tr("Archive for a bug report"), tr("rows, exchanges, tests and a page to read"), "package"),
        MenuForm("html", tr("HTML file"), tr("everything to be read, in one file"), "globe"),
    ),
    (
        MenuForm("vcr", tr("vcrpy cassette"), tr("answers a program's requests without a network"), "archive"),
        MenuForm("har", tr("HTTP archive"), tr("every exchange as HAR 1.2, with the times of its pieces"), "archive"),
        MenuForm("curl", tr("curl script"), tr("every request as it was sent, the key left to an environment variable"), "terminal"),
        MenuForm("python", tr("Python program"), tr("the same requests, needing nothing but Python"), "code"),
    ),
    (
        MenuForm("promptfoo", "promptfoo", tr("tests with tools and checks, and the recorded calls"), "check-square"),
        MenuForm("inspect", tr("Inspect"), tr("samples, the task that asks them and its scorer"), "check-square"),
        MenuForm("openai-evals", tr("OpenAI evals"), tr("items with recorded samples and a grader"), "check-square"),
        MenuForm("bfcl", tr("Berkeley leaderboard"), tr("questions, possible answers and results"), "check-square"),
    ),
    (
        MenuForm("jsonl", tr("JSON lines"), tr("one line a run: case, replies with the calls that are right, verdict"), "brackets-curly"),
        MenuForm("csv", "CSV", tr("one row a reply, for spreadsheets"), "table"),
        MenuForm("parquet", tr("Parquet"), tr("the same for programs"), "table"),
    ),
)  # fmt: skip
"""Forms as the menu shows them, a rule between the groups."""
KINDS = tuple(kind for group in GROUPS for kind in group)


def add_kinds(menu: QMenu, start: Callable[[str], None]) -> None:
    """Put all forms into a menu."""
    for at, group in enumerate(GROUPS):
        if at:
            menu.addSeparator()
        for kind in group:
            menu.addAction(icon(kind.icon), f"{kind.title}: {kind.what}", lambda one=kind.name: start(one))


class Exporting:
    """Exports runs from any page."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self.preview: ExportPreview | None = None
        self._export: Export | None = None

    def menu(self, below: QWidget, refs: Sequence[str | int]) -> QMenu:
        """Open the menu of kinds under a button."""
        made = Menu(below)
        add_kinds(made, lambda kind: self.start(kind, refs))
        open_below(made, below)
        return made

    def start(self, kind: str, refs: Sequence[str | int]) -> None:
        """Make an export and show what is in it."""
        self._shell.tasks.latest("export", self._show(kind, list(refs)), on_error=self._on_error)

    async def _show(self, kind: str, refs: Sequence[str | int]) -> None:
        title = next(one.title for one in KINDS if one.name == kind)
        await self._show_made(await self._shell.wb.export(kind, refs), title)

    def start_made(self, title: str, make: Callable[[Stop], Export]) -> None:
        """Make an export off the window's thread and show what is in it; `make` ends when the window or another is asked for."""
        self._shell.tasks.latest("export", self._make_and_show(title, make), on_error=self._on_error)

    async def _make_and_show(self, title: str, make: Callable[[Stop], Export]) -> None:
        self._shell.say(tr("Making the export: {partition}", partition=title.partition(":")[0]))
        await self._show_made(await in_thread(make), title)

    async def _show_made(self, export: Export, title: str) -> None:
        await asyncio.to_thread(check_secrets, export, self._shell.wb.secrets.all_values())
        files = [FilePreview(one.path, one.text, one.size) for one in export.files]
        self._export = export
        self.preview = ExportPreview(
            tr("Export as {title}", title=title), export.summary, files, self._shell.window, left_out=export.left_out
        )
        self.preview.finished.connect(self._on_finished)
        self.preview.write_asked.connect(self._on_write)
        self.preview.open()

    def _on_finished(self) -> None:
        if self.preview is not None:
            self.preview.deleteLater()
        self.preview = None

    def _on_write(self) -> None:
        if self._export is not None:
            self._shell.tasks.latest("export write", self._ask_and_write(self._export), on_error=self._on_error)

    async def _ask_and_write(self, export: Export) -> None:
        if export.form == "folder":
            path = await dialogs.ask_folder(self.preview or self._shell.window, tr("Folder for the export"))
            path = path and path / f"{export.kind}-export"
        else:
            name = export.files[0].path if export.form == "file" else f"{export.kind}.zip"
            path = await dialogs.ask_save_file(self.preview or self._shell.window, tr("Export"), name)
        if path is not None:
            await self.write(export, path)

    async def write(self, export: Export, path: Path) -> None:
        """Write an export; the dialog of a single file has confirmed replacing by itself."""
        written = await asyncio.to_thread(self._shell.wb.write_export, export, path, replace=export.form != "folder")
        if self.preview is not None:
            self.preview.accept()
        self._shell.say(
            tr(
                "{files} written to {path}",
                files=counted(len(written), "file"),
                path=path,
            )
        )

    def _on_error(self, error: WorkbenchError) -> None:
        if self.preview is not None:
            self.preview.show_problem(str(error))
        self._shell.say(str(error))
