"""Keeping a run as a case: opens the dialog over what is proposed, checks what is typed, writes the file."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.app.keeping import keepable_run
from workbench.cases.files import dump_case, list_suites, save_case, slug
from workbench.core.case import Expectation
from workbench.ui.run.case.check import check_document
from workbench.ui.run.case.keep_dialog import AS_CALLED, NO_CALL, NONE, PROPOSED, KeepCaseDialog
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from workbench.app.keeping import KeepableRun
    from workbench.core.case import Case
    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.ui.bridge.page import Shell

_EXPECT = "expect:"


async def keep_case(
    shell: Shell, events: Sequence[RunEvent], on_kept: Callable[[str, str], None] | None = None
) -> KeepCase:
    """Find out what should have come of a run, and open the dialog; raise InvalidInput for a run without beginning."""
    found = await asyncio.to_thread(keepable_run, shell.wb, events)
    keeper = KeepCase(shell, found, on_kept)
    keeper.open()
    return keeper


class KeepCase(QObject):
    """One dialog over one run; it lives as long as the dialog."""

    def __init__(self, shell: Shell, found: KeepableRun, on_kept: Callable[[str, str], None] | None = None) -> None:
        tools = [setup.spec for setup in found.case.tools]
        dialog = KeepCaseDialog(found.case.title, own_suites(shell.wb.home.suites), tools, shell.window)
        super().__init__(dialog)
        self._shell, self._on_kept = shell, on_kept
        self._found, self.dialog = found, dialog
        self._case: Case | None = None
        self._closed = False
        dialog.tags.setText(tags_text(found.case.tags))
        dialog.notes.setText(found.case.notes)
        dialog.edited.connect(self._check)
        dialog.form_edited.connect(self._on_form)
        dialog.kind_chosen.connect(self._on_kind)
        dialog.kept.connect(self._on_keep)
        dialog.finished.connect(self._on_finished)
        dialog.finished.connect(dialog.deleteLater)
        shell.theme.changed.connect(dialog.colours.restyle)
        step = next((place.step for place in found.proposal.places), -1)
        places = [place.span for place in found.proposal.places if place.step == step and place.span.source == "text"]
        guess = found.proposal.guess
        dialog.show_proposal(found.words, guess=guess, text=found.texts.get(step, ""), places=places)
        dialog.kind.choose(self._begins_with())
        dialog.show_expectation(expectation_text(found.case))

    def _begins_with(self) -> str:
        wanted = self._found.case.expectation
        if self._found.proposal.guess:
            return PROPOSED
        return NONE if wanted is None else NO_CALL if wanted.no_call else AS_CALLED

    def open(self) -> KeepCaseDialog:
        """Open the dialog."""
        self.dialog.open()
        self.dialog.title.setFocus()
        return self.dialog

    def _on_kind(self, kind: str) -> None:
        wanted = {
            PROPOSED: self._found.proposal.expectation,
            AS_CALLED: self._found.called,
            NO_CALL: Expectation(no_call=True),
        }.get(kind)
        self.dialog.show_expectation(expectation_text(replace(self._found.case, expectation=wanted)))

    def _on_form(self) -> None:
        """The form says other calls: the text follows."""
        calls, trouble = self.dialog.form.read()
        if trouble or self._case is None or self._case.expectation is None:
            self.dialog.show_status(trouble, failed=True)
            return
        wanted = replace(self._case.expectation, calls=calls)
        self.dialog.show_expectation(expectation_text(replace(self._case, expectation=wanted)))

    def _check(self) -> None:
        """Read head and expectation as one document; a fault's line counts in the part that is seen."""
        made, dialog = self._found.case, self.dialog
        title = dialog.title.text().strip() or made.title
        tags = tags_of(dialog.tags.text())
        bare = replace(made, title=title, expectation=None, source_run="", tags=tags, notes=dialog.notes.text().strip())
        head = dump_case(bare)
        found = check_document(head + dialog.text.toPlainText(), "expectation")
        fault = found.fault
        if fault is not None:
            fault = fault._replace(line=max(1, fault.line - head.count("\n")), offset=max(0, fault.offset - len(head)))
        self._case = None
        if found.case is not None:
            self._case = replace(found.case, id=slug(title), source_run=made.source_run)
        dialog.show_check(self._case, fault, "" if fault else self._words())

    def _words(self) -> str:
        if self._case is not None and self._case.expectation is None:
            return tr("Without an expectation it enters no rate of correctness.")
        if self._found.proposal.guess:
            return tr("Keeping it confirms what stands here; correct it first.")
        return tr("Correct it where the run was wrong.")

    def _on_keep(self) -> None:
        if self._case is not None:
            suite = str(self.dialog.suite.value)
            self.dialog.keep.setEnabled(False)
            self._shell.tasks.start(self._keep(self._case, suite), "keep case", on_error=self._on_error)

    async def _keep(self, case: Case, suite: str) -> None:
        path = await asyncio.to_thread(self._write, case, suite)
        if not self._closed:  # it may have been cancelled while the case was being written
            self.dialog.accept()
        suite = path.parent.name
        self._shell.say(tr("Kept as {stem} in the suite {suite}", stem=path.stem, suite=suite))
        if self._on_kept is not None:
            self._on_kept(suite, path.stem)

    def _write(self, case: Case, suite: str) -> Path:
        wb = self._shell.wb
        case = wb.mask().mask_value(case)  # what was typed may hold a key
        return save_case(replace(case, id=slug(case.title)), wb.home.suites / slug(wb.keyless(suite)))

    def _on_finished(self) -> None:
        self._closed = True

    def _on_error(self, error: WorkbenchError) -> None:
        if self._closed:
            self._shell.say(str(error))
        else:
            self.dialog.show_check(self._case, None, str(error))


def tags_text(tags: Sequence[str]) -> str:
    """Tags as they are edited: with commas between them, for a tag may have blanks."""
    text = ", ".join(tags)
    return f"{text}," if len(tags) == 1 and " " in text else text


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of such a text; without a comma blanks part them."""
    parts = text.split(",") if "," in text else text.split()
    return tuple(dict.fromkeys(filter(None, map(str.strip, parts))))


def own_suites(folder: Path) -> list[str]:
    """The user's suites that cases can be added to; a first one where there is none."""
    return [name for name in list_suites(folder) if (folder / name).is_dir()] or ["my-cases"]


def expectation_text(case: Case) -> str:
    """The part of a case's document that says what must come of it."""
    if case.expectation is None:
        return "# no expectation\n"
    text = dump_case(replace(case, tags=(), family="", notes="", source_run=""))
    start = text.find(f"\n{_EXPECT}") + 1
    return text[start:]
