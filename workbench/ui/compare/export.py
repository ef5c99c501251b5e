"""What leaves a comparison: the table as Markdown, and runs as fixtures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from workbench.core.verdict import VerdictState
from workbench.export.batch_report import markdown
from workbench.export.stoppable import stoppable
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.tasks import in_thread
from workbench.ui.run.export.exporting import Exporting, add_kinds
from workbench.ui.theme.icons import icon
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.core.batch import Batch
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView

MOST = 200
"""Runs of one export; more make a folder that nobody reads."""


REPORTS = (
    ("html", tr("HTML file: targets, cases, sentences and a row for every run")),
    ("markdown", tr("Markdown file: the same without the runs")),
    ("csv", tr("CSV: a row for every run, with its model, seeds, hashes and versions")),
    ("junit", tr("JUnit XML: for servers that run tests")),
    ("inspect", tr("Inspect logs: one for each target")),
    ("promptfoo", tr("promptfoo results")),
)
"""Forms of a whole batch, and what they are."""


class CompareExport:
    """The menu behind Export."""

    def __init__(self, shell: Shell, shown: ShownBatch, view: CompareView) -> None:
        self._shell, self._shown, self._page = shell, shown, view
        self.exporting = Exporting(shell)

    def failing(self) -> list[str]:
        """Runs that failed."""
        batch = self._shown.batch
        items = batch.items if batch is not None else ()
        failed = (item for item in items if item.result and item.result.verdict.state is VerdictState.FAIL)
        return [item.run_id for item in failed if item.run_id]

    def of_cell(self) -> list[str]:
        """Runs of the chosen cell."""
        if self._page.chosen is None:
            return []
        row, column = self._page.chosen
        return list(row.cells[column.target].runs)

    def menu(self, below: QWidget) -> QMenu:
        """Open the menu under a button."""
        made = Menu(below)
        made.addAction(icon("copy"), tr("Copy the table as Markdown"), self.copy_markdown)
        if self._shown.batch is not None:
            reports = made.addMenu(icon("table"), tr("Report of the comparison"))
            for kind, title in REPORTS:
                reports.addAction(title, partial(self.report, kind, title))
        for words, refs in ((tr("failing run"), self.failing()), (tr("run of the chosen cell"), self.of_cell())):
            if not refs:
                continue
            made.addSeparator()
            first, _, rest = words.partition(" of ")
            told = counted(len(refs), first) + (tr(" of {rest}", rest=rest) if rest else "")
            if len(refs) > MOST:
                told = tr("First {most} of {told}", most=MOST, told=told)
            below_it = made.addMenu(icon("export"), told)
            add_kinds(below_it, partial(self._start, refs[:MOST]))
        open_below(made, below)
        return made

    def report(self, kind: str, title: str) -> None:
        """Show what a report of the whole batch would write."""
        if (batch := self._shown.batch) is not None:
            baseline = self._shown.baseline
            self.exporting.start_made(title, lambda stop: self._shell.wb.export_batch(kind, batch, baseline, stop=stop))

    def _start(self, refs: list[str], kind: str) -> None:
        self.exporting.start(kind, refs)

    def copy_markdown(self) -> None:
        """Put the batch's report on the clipboard."""
        if self._shown.batch is not None:
            self._shown.latest("copy", self._copy(self._shown.batch))

    async def _copy(self, batch: Batch) -> None:
        baseline = self._shown.baseline
        text = await in_thread(lambda stop: markdown(stoppable(batch, stop), baseline))
        copy_text(text)
        self._shell.say(tr("The comparison is on the clipboard as Markdown"))
