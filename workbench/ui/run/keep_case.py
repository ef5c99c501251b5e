"""Keeping a run as a case: opens the dialog over a run's events, checks what is typed, writes the file."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.cases.files import dump_case, list_suites, save_case, slug
from workbench.cases.from_run import case_from_run
from workbench.core.case import Expectation
from workbench.ui.run.case_check import check_document
from workbench.ui.run.keep_case_dialog import AS_CALLED, NO_CALL, KeepCaseDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.ui.bridge.page import Shell

_EXPECT = "expect:"


class KeepCase(QObject):
    """One dialog over one run; it lives as long as the dialog."""

    def __init__(
        self, shell: Shell, events: Sequence[RunEvent], on_kept: Callable[[str, str], None] | None = None
    ) -> None:
        called = case_from_run(events)
        dialog = KeepCaseDialog(called.title, own_suites(shell.wb.home.suites), shell.window)
        super().__init__(dialog)
        self._shell, self._on_kept = shell, on_kept
        self._called, self.dialog = called, dialog
        self._case: Case | None = None
        self.dialog.edited.connect(self._check)
        self.dialog.kind_chosen.connect(self._on_kind)
        self.dialog.kept.connect(self._on_keep)
        self.dialog.finished.connect(self.dialog.deleteLater)
        shell.theme.changed.connect(self.dialog.colours.restyle)
        if not (self._called.expectation and self._called.expectation.calls):
            self.dialog.kind.choose(NO_CALL)
        self.dialog.show_expectation(expectation_text(self._called))

    def open(self) -> KeepCaseDialog:
        """Open the dialog."""
        self.dialog.open()
        self.dialog.title.setFocus()
        return self.dialog

    def _on_kind(self, kind: str) -> None:
        wanted = Expectation(no_call=True) if kind == NO_CALL else None
        case = self._called if kind == AS_CALLED else replace(self._called, expectation=wanted)
        self.dialog.show_expectation(expectation_text(case))

    def _check(self) -> None:
        """Read head and expectation as one document; a fault's line counts in the part that is seen."""
        title = self.dialog.title.text().strip() or self._called.title
        head = dump_case(replace(self._called, title=title, expectation=None, source_run=""))
        found = check_document(head + self.dialog.text.toPlainText(), "expectation")
        fault = found.fault
        if fault is not None:
            fault = fault._replace(line=max(1, fault.line - head.count("\n")), offset=max(0, fault.offset - len(head)))
        self._case = None
        if found.case is not None:
            self._case = replace(found.case, id=slug(title), source_run=self._called.source_run)
        self.dialog.show_check(self._case, fault, "" if fault else self._words())

    def _words(self) -> str:
        if self._case is not None and self._case.expectation is None:
            return "Without an expectation it enters no rate of correctness."
        return "Correct it where the run was wrong."

    def _on_keep(self) -> None:
        if self._case is not None:
            suite = slug(str(self.dialog.suite.value))
            self.dialog.keep.setEnabled(False)
            self._shell.tasks.start(self._keep(self._case, suite), "keep case", on_error=self._on_error)

    async def _keep(self, case: Case, suite: str) -> None:
        path = await asyncio.to_thread(save_case, case, self._shell.wb.home.suites / suite)
        self.dialog.accept()
        self._shell.say(f"Kept as {path.stem} in the suite {suite}")
        if self._on_kept is not None:
            self._on_kept(suite, path.stem)

    def _on_error(self, error: WorkbenchError) -> None:
        self.dialog.show_check(self._case, None, str(error))


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
