"""Export of runs: the menu of kinds, the page that shows what will leave, then the files, all of them or none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from workbench.export.files import check_secrets
from workbench.ui.run.export_preview import ExportPreview, FilePreview
from workbench.ui.theme.icons import icon
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.errors import WorkbenchError
    from workbench.export.files import Export
    from workbench.ui.bridge.page import Shell

KINDS = (
    ("pytest", "pytest folder", "runs with pytest alone against your own parse function", "test-tube"),
    ("jsonl", "JSON lines", "one line a run: case, replies with the calls that are right, verdict", "brackets-curly"),
    ("vcr", "vcrpy cassette", "answers a program's requests without a network", "archive"),
    ("har", "HTTP archive", "every exchange as HAR 1.2, with the times of its pieces", "globe"),
    ("curl", "curl script", "every request as it was sent, the key left to an environment variable", "terminal"),
    ("python", "Python program", "the same requests, needing nothing but Python", "code"),
)
"""Kind, title, what it is, icon."""


class Exporting:
    """Exports runs from any page."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self.preview: ExportPreview | None = None
        self._export: Export | None = None

    def menu(self, below: QWidget, refs: Sequence[str | int]) -> QMenu:
        """Open the menu of kinds under a button."""
        made = QMenu(below)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind, title, what, glyph in KINDS:
            made.addAction(icon(glyph), f"{title}: {what}", lambda one=kind: self.start(one, refs))
        made.popup(below.mapToGlobal(QPoint(0, below.height() + 2)))
        return made

    def start(self, kind: str, refs: Sequence[str | int]) -> None:
        """Make an export and show what is in it."""
        self._shell.tasks.latest("export", self._show(kind, list(refs)), on_error=self._on_error)

    async def _show(self, kind: str, refs: Sequence[str | int]) -> None:
        wb = self._shell.wb
        export = await wb.export(kind, refs)
        await asyncio.to_thread(check_secrets, export, wb.secrets.all_values())
        title = next(title for name, title, _, _ in KINDS if name == kind)
        files = [FilePreview(one.path, one.text, one.size) for one in export.files]
        self._export = export
        self.preview = ExportPreview(
            f"Export as {title}", export.summary, files, self._shell.window, left_out=export.left_out
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
            path = await dialogs.ask_folder(self.preview or self._shell.window, "Folder for the export")
            path = path and path / f"{export.kind}-export"
        else:
            name = export.files[0].path if export.form == "file" else f"{export.kind}.zip"
            path = await dialogs.ask_save_file(self.preview or self._shell.window, "Export", name)
        if path is not None:
            await self.write(export, path)

    async def write(self, export: Export, path: Path) -> None:
        """Write an export; the dialog of a single file has confirmed replacing by itself."""
        written = await asyncio.to_thread(self._shell.wb.write_export, export, path, replace=export.form != "folder")
        if self.preview is not None:
            self.preview.accept()
        self._shell.say(f"{len(written)} file{'' if len(written) == 1 else 's'} written to {path}")

    def _on_error(self, error: WorkbenchError) -> None:
        if self.preview is not None:
            self.preview.show_problem(str(error))
        self._shell.say(str(error))
