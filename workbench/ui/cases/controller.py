"""The cases page: suites, cases, the document that is edited, the bin, import, and the way to Compare."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cases.bin import from_bin, to_bin
from workbench.cases.files import save_case
from workbench.core.atomic_files import write_file
from workbench.core.errors import WorkbenchError
from workbench.settings.paths import shown
from workbench.ui.bridge.page import Page
from workbench.ui.cases import files
from workbench.ui.cases.suite_actions import SuiteActions
from workbench.ui.cases.view import CasesView
from workbench.ui.run.case.check import check_document
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.keyboard import keyboard_is_here
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.ui.bridge.page import Shell
    from workbench.ui.cases.files import Document
    from workbench.ui.cases.rows import CaseLine

_KINDS = "Cases (*.yaml *.yml *.json *.jsonl);;All files (*)"


class CasesController(Page):
    """Controller of the cases page."""

    key = "cases"

    def __init__(
        self, shell: Shell, run_suite: Callable[[str], None], replay_suite: Callable[[str, str], None]
    ) -> None:
        super().__init__(shell)
        self.page = CasesView()
        self._documents: dict[str, Document] = {}
        self._drafts: dict[str, str] = {}
        """Texts that are not saved, by key: choosing another case loses nothing."""
        self._binned: list[tuple[Path, Path]] = []
        self._elsewhere: list[Path] = []
        """Case files that were opened from outside of the data folder."""
        self._shown = ""
        self.import_button = Button(
            tr("Import"), icon="export", tip=tr("Import case files"), on_click=self.import_cases
        )
        self.undo_button = Button(tr("Undo"), icon="arrow-counter-clockwise", tip=tr("Take the case out of the bin"),
                                  on_click=self.undo)  # fmt: skip
        self.suite_actions = SuiteActions(self.page, run_suite, replay_suite)
        self.undo_button.setEnabled(False)
        self._connect()
        self.set_title(tr("Cases"))

    def _connect(self) -> None:
        page = self.page
        page.suite_chosen.connect(lambda name: self._latest("suite", self._read_suite(name)))
        page.case_chosen.connect(self._show_case)
        page.new_asked.connect(self.new)
        page.duplicate_asked.connect(self.duplicate)
        page.delete_asked.connect(self.delete)
        page.new_suite_asked.connect(lambda: self._start(self._ask_suite()))
        page.editor.edited.connect(self._on_edited)
        page.editor.save_asked.connect(self.save)
        page.editor.revert_asked.connect(self.revert)
        page.editor.copy_asked.connect(self.duplicate)
        self.shell.theme.changed.connect(page.editor.colours.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    @property
    def folder(self) -> Path:
        """Where the user's suites are."""
        return self.shell.wb.home.suites

    def top_widgets(self) -> Sequence[QWidget]:
        return (self.undo_button, self.import_button, *self.suite_actions.buttons)

    @property
    def can_undo(self) -> bool:
        """A case that was deleted here waits in the bin."""
        return bool(self._binned)

    def shown(self) -> None:
        self._latest("suites", self._read(self.page.suite.name if self.page.suite else ""))
        self.page.table.setFocus()

    def hidden(self) -> None:
        self._keep_drafts()

    async def aclose(self) -> None:
        self._keep_drafts()

    def _keep_drafts(self) -> None:
        """What is not saved waits on disk, and stands in the editor at the next start."""
        try:
            files.keep_drafts(self._drafts)
        except WorkbenchError as error:
            self.shell.say(str(error))

    def show_case(self, suite: str, case_id: str) -> None:
        """Show a suite and one of its cases."""
        self._latest("suites", self._read(suite, case_id=case_id))

    def open_file(self, path: Path) -> None:
        """Show a case file. One that lies elsewhere is edited and run where it is, and listed until the window closes."""
        suite = files.suite_of(self.folder, path)
        if Path(suite).is_absolute() and path not in self._elsewhere:
            self._elsewhere.append(path)
        self._latest("suites", self._read(suite, str(path)))

    async def _read(self, suite: str = "", key: str = "", case_id: str = "") -> None:
        """Read the list of suites, choose one, and a case of it."""
        lines = await asyncio.to_thread(files.suite_lines, self.folder, tuple(self._elsewhere))
        page = self.page
        page.suite_list.blockSignals(True)
        page.suites.show_lines(lines)
        at = max(0, page.suites.row_of(suite))
        page.suite_list.choose_row(at)
        page.suite_list.blockSignals(False)
        await self._read_suite(lines[at].name, key, case_id)

    async def _read_suite(self, name: str, key: str = "", case_id: str = "") -> None:
        found = await asyncio.to_thread(files.documents, self.folder, name)
        left = await asyncio.to_thread(files.found_drafts, found)
        self._drafts = left | self._drafts
        page, line = self.page, self.page.suites.line(max(0, self.page.suites.row_of(name)))
        self._documents = {one.key: one for one in found}
        wanted = key or self._shown
        page.cases.show_lines([self._line(one) for one in found])
        page.show_suite(line)
        at = page.cases.row_of_id(case_id) if case_id else page.cases.row_of(wanted)
        if found:
            page.table.choose_row(max(0, at))
        else:
            page.case_pane.forget()
        page.show_rows(bool(found))
        self.suite_actions.set_enabled(bool(found) and not line.faults)
        self.set_title(tr("Cases"), f"{line.title} · {line.note}")
        self.set_status("", shown(self.folder))

    def _line(self, document: Document) -> CaseLine:
        built_in = self.page.suite is not None and self.page.suite.read_only
        return files.line_of(document, edited=document.key in self._drafts, built_in=built_in)

    def _show_case(self, key: str) -> None:
        document, line = self._documents[key], self.page.case
        if line is None:
            return
        self._shown = key
        self.page.case_pane.forget()
        name = document.path.name if document.path else line.id
        self.page.editor.show_document(name, document.text, self._drafts.get(key, document.text), line.read_only)

    def _on_edited(self) -> None:
        """Check what stands there; remember it until it is saved."""
        document, editor = self._documents.get(self._shown), self.page.editor
        if document is None:
            return
        if editor.changed:
            self._drafts[document.key] = editor.content
        else:
            self._drafts.pop(document.key, None)
        stem = document.path.stem if document.path else document.case.id if document.case else "case"
        found = check_document(editor.content, stem)
        editor.show_check(found.fault, tr("Not saved") if editor.changed else tr("As on disk") if document.path else "")
        self.page.case_pane.show_case(found.case)
        self.page.cases.replace_line(self._line(document))

    def save(self) -> None:
        """Write the document."""
        document, editor = self._documents.get(self._shown), self.page.editor
        if document is not None and document.path is not None and editor.save.isEnabled():
            self._start(self._save(document.path, editor.content))

    async def _save(self, path: Path, text: str) -> None:
        await asyncio.to_thread(write_file, path, text)
        await asyncio.to_thread(files.drop_draft, path)
        self._drafts.pop(str(path), None)
        await self._read(self._suite_name(), str(path))
        self.shell.say(tr("Saved {path}", path=path.name))

    def revert(self) -> None:
        """Go back to what is on disk; one undo brings the text back."""
        document = self._documents.get(self._shown)
        if document is not None:
            self.page.editor.text.set_text(document.text)
            if document.path is not None:
                files.drop_draft(document.path)

    def _suite_name(self) -> str:
        return self.page.suite.name if self.page.suite else ""

    def _own_suite(self) -> str:
        """The chosen suite, or one of the user's where that is built in or a single file."""
        suite = self.page.suite
        if suite is not None and not suite.read_only and (self.folder / suite.name).is_dir():
            return suite.name
        return files.free_suite(self.folder)

    def new(self) -> None:
        """Begin a case in the chosen suite."""
        self._start(self._add(self._own_suite(), lambda suite: files.new_case(self.folder, suite)))

    def duplicate(self) -> None:
        """Copy the chosen case, into a suite of the user's."""
        document = self._documents.get(self._shown)
        if document is not None and document.case is not None:
            case = document.case
            self._start(self._add(self._own_suite(), lambda suite: save_case(case, self.folder / suite)))

    async def _add(self, suite: str, make: Callable[[str], Path]) -> None:
        path = await asyncio.to_thread(make, suite)
        await self._read(suite, str(path))
        self.shell.say(tr("{path} is in {suite}", path=path.name, suite=suite))
        if keyboard_is_here(self.page):
            self.page.editor.text.setFocus()

    def delete(self) -> None:
        """Move the chosen case to the bin."""
        document = self._documents.get(self._shown)
        if document is None:
            return
        if document.path is None:
            line = self.page.case
            self.shell.say(
                tr(
                    "It cannot be deleted by itself: {read_only}.",
                    read_only=line.read_only if line else tr("unreadable"),
                )
            )
            return
        self._start(self._delete(document.path))

    async def _delete(self, path: Path) -> None:
        at = self.page.table.currentIndex().row()
        self._keep_drafts()
        self._drafts.pop(str(path), None)
        binned = await asyncio.to_thread(to_bin, self.folder, path)
        self._binned.append((binned, path))
        self.undo_button.setEnabled(True)
        self._shown = ""
        await self._read(self._suite_name())
        self.page.table.choose_row(min(at, self.page.cases.rowCount() - 1))
        self.shell.say(tr("{path} is in the bin; Undo takes it out again", path=path.name))

    def undo(self) -> None:
        """Take the case that was deleted last out of the bin."""
        if self._binned:
            self._start(self._undo(*self._binned.pop()))

    async def _undo(self, binned: Path, path: Path) -> None:
        back = await asyncio.to_thread(from_bin, binned, path)
        self.undo_button.setEnabled(bool(self._binned))
        await self._read(back.parent.name, str(back))
        self.shell.say(tr("{back} is back", back=back.name))

    async def _ask_suite(self) -> None:
        name = await dialogs.ask_text(
            self.shell.window, tr("New suite"), tr("A folder for cases."), tr("Make"), "my-cases"
        )
        if name and name.strip():
            await self._read(await asyncio.to_thread(files.new_suite, self.folder, self.shell.wb.keyless(name)))

    def import_cases(self) -> None:
        """Copy cases from a file into a suite."""
        self._start(self._import())

    async def _import(self) -> None:
        path = await dialogs.ask_open_file(self.shell.window, tr("Import cases"), _KINDS)
        if path is not None:
            suite = self._own_suite()
            mask = self.shell.wb.mask()
            written = await asyncio.to_thread(files.import_files, [path], self.folder, suite, mask)
            await self._read(suite, str(written[0]))
            self.shell.say(
                tr(
                    "{cases} imported into {suite}",
                    cases=counted(len(written), "case"),
                    suite=suite,
                )
            )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "cases", on_error=self._on_error)

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.latest(f"cases {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        self.page.editor.show_check(None, str(error))
        self.shell.say(str(error))
