"""Verify on the comparison's page: sets up, runs, resumes and shows verifications, and leads to the runs behind them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.compare import from_batch
from workbench.ui.compare.verify.choosing import VerifyChoosing
from workbench.ui.compare.verify.export import VerifyExport
from workbench.ui.compare.verify.policy_words import policy_lines
from workbench.ui.compare.verify.running import VerifyRunning, slot_names
from workbench.ui.compare.verify.shown_pair import ShownPair
from workbench.ui.compare.verify.shown_verification import ShownVerification
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted
from workbench.verify.verification_report import verification_markdown

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Page
    from workbench.ui.compare.verify.table_model import MetricRow
    from workbench.verify.judgement import Result
    from workbench.verify.verification import Verification


class VerifyController(ShownVerification):
    """Keeps the one verification that is shown, and the one that runs."""

    def __init__(self, owner: Page) -> None:
        super().__init__(owner.shell)
        self._owner = owner
        self.choosing = VerifyChoosing(self.shell, self.page.setup)
        self.running = VerifyRunning(self)
        self.pair = ShownPair(self)
        self.new_button = Button(tr("New"), icon="plus", tip=tr("New verification"), on_click=self.new)
        self.exporting = VerifyExport(self)
        self.export_button = Button(tr("Export"), icon="export", tip=tr("Evidence, report and files"),
                                    on_click=lambda: self.exporting.menu(self.export_button))  # fmt: skip
        self.more_button = Button(tr("Run until decided"), icon="play", tip=tr("More pairs until nothing is open"),
                                  on_click=self.running.until_decided)  # fmt: skip
        self._connect()
        self._show_buttons()

    def _connect(self) -> None:
        page = self.page
        page.setup.run_asked.connect(self.run)
        page.setup.closed.connect(self._close_setup)
        page.setup.earlier.opened.connect(lambda number: self.latest("open", self.open(number)))
        page.setup.earlier.resumed.connect(self.running.resume)
        page.cell_chosen.connect(self._on_cell)
        page.answer.why_asked.connect(self._on_why)
        page.panel.report_asked.connect(self.report)

    @property
    def active(self) -> bool:
        """A verification is under way."""
        return self.running.active

    def top_widgets(self) -> tuple[Button, ...]:
        """For the right end of the top bar."""
        return (self.new_button, self.export_button, self.more_button)

    def shown(self) -> None:
        """The tab came to the front."""
        self.latest("list", self.read_list(first=self.found is None))
        self.tell()

    async def read_list(self, *, first: bool = False) -> None:
        rows = await self.shell.wb.verifications.list()
        ids = [row.id for row in rows]
        self.page.setup.earlier.show_batches(
            await asyncio.to_thread(from_batch.choices, self.shell.wb.store, rows, ids)
        )
        self.page.setup.back.setVisible(self.found is not None)
        self.choosing.show_sum(self.active)
        if first and self.found is None and rows:
            await self.open(rows[0].id)
        self._show_buttons()

    def _show_buttons(self) -> None:
        there = self.found is not None
        self.export_button.setEnabled(there and not self.active)
        self.new_button.setEnabled(not self.page.shows_setup)
        self.more_button.setEnabled(there and not self.active and self.judged is not None and self.judged.open > 0)
        self.page.panel.report.setEnabled(there)

    def new(self) -> None:
        """Set up a new verification."""
        if self.found is not None and self.found.reference.target is not None:
            targets = [one.target for one in self.found.candidates if one.target is not None]
            self.choosing.take(self.found.reference.target, tuple(targets))
        self.page.show_setup()
        self.latest("list", self.read_list())

    def _close_setup(self) -> None:
        if self.found is not None:
            self.page.show_results()
            self._show_buttons()

    def run(self) -> None:
        """Start what is set up."""
        order = self.choosing.order()
        if self.page.shows_setup and order is not None and self.page.setup.run.isEnabled() and not self.active:
            self.page.setup.run.setEnabled(False)
            self.running.begin(order)

    async def open(self, number: str) -> None:
        """Show one that was run."""
        if (shown := self.running.shown) is not None and number == shown.id:
            self.page.show_results()
            return
        handle = self.running.handle
        live = handle is not None and number == handle.id
        found = await self.shell.wb.verifications.load(number)
        await self.show(found, running=live)
        standing = (
            handle.batch.progress
            if handle and live
            else from_batch.standing(await self.shell.wb.batches.load(found.id))
        )
        self.page.show_progress(standing, slot_names(found))

    async def show(self, found: Verification, *, running: bool) -> None:
        fresh = self.found is None or self.found.id != found.id
        judged = await asyncio.to_thread(found.judged)
        self.found, self.judged = found, judged
        if fresh:
            self.page.panel.clear()
        simulated = tr(" · simulated") if found.reference.simulated else ""
        self.page.what.setText(found.model)
        self.page.how.setText(
            tr(
                "{policy} · {complete:,} of {planned:,} pairs{simulated}",
                policy=found.policy.name,
                complete=found.complete,
                planned=found.planned,
                simulated=simulated,
            )
        )
        self.page.show_verification(found, judged, running=running)
        self.page.panel.policy.show_policy(found, policy_lines(found.policy))
        self.page.show_results()
        if not running and (chosen := self.page.chosen) is not None:
            self._on_cell(*chosen)
        elif not running:
            self.next_fail()
        self._show_buttons()
        self.tell()

    def tell(self) -> None:
        """Title and status bar of the tab."""
        found = self.found
        if found is None:
            self._owner.set_title(tr("Compare · Verify"), tr("one model at several endpoints"))
            self._owner.set_status(tr("No verification is shown"), "")
            return
        simulated = tr(" · simulated") if found.reference.simulated else ""
        context = tr(
            "{model} · reference and {candidates}{simulated}",
            model=found.model,
            candidates=counted(len(found.candidates), "candidate"),
            simulated=simulated,
        )
        self._owner.set_title(tr("Compare · Verify"), context)
        done = found.reference.replies + sum(one.replies for one in found.candidates)
        slots = found.measured + len(found.candidates)
        left = tr(
            "{done:,} of {planned:,} requests done · {unanswered} unanswered",
            done=done,
            planned=found.planned * slots,
            unanswered=found.unanswered,
        )
        self._owner.set_status(left, tr("interleaved, seed asked {seed}", seed=found.seed))

    def _on_cell(self, line: MetricRow, result: Result) -> None:
        if self.found is None or self.page.model.running:
            return
        self.page.panel.show_cell(self.found, line, result)

    def report(self) -> None:
        """Copy the report as Markdown."""
        if self.found is not None and self.judged is not None:
            copy_text(verification_markdown(self.found, self.judged))
            self.shell.say(tr("The verification is on the clipboard as Markdown"))

    def _on_why(self) -> None:
        self.next_fail()
        self.page.show_evidence()

    def next_fail(self) -> None:
        """Choose the next failed cell, row by row."""
        self.page.table.choose(self.page.model.next_fail(self.page.table.cells.currentIndex()))
