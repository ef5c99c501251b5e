"""The comparison's page: sets up, runs, resumes and shows batches."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.cases.files import list_suites, load_suite
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.grading.matrix import matrix
from workbench.ui.bridge.page import Page
from workbench.ui.compare import from_batch
from workbench.ui.compare.by_hand import CompareByHand
from workbench.ui.compare.earlier import EarlierMenu
from workbench.ui.compare.export import CompareExport
from workbench.ui.compare.pair import ComparePair
from workbench.ui.compare.running import CompareRunning
from workbench.ui.compare.shown_batch import ShownBatch
from workbench.ui.compare.tabs_view import EARLIER, MATRIX, VERIFY, CompareTabs
from workbench.ui.compare.targets import CompareTargets
from workbench.ui.compare.values import SuiteChoice
from workbench.ui.compare.verify.controller import VerifyController
from workbench.ui.compare.view import CompareView
from workbench.ui.compare.why import CompareWhy
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.core.batch import Batch
    from workbench.grading.matrix import Row, TargetColumn
    from workbench.ui.bridge.page import Shell


class CompareController(Page):
    """Controller of the comparison's page."""

    key = "compare"

    def __init__(
        self, shell: Shell, open_case: Callable[[str, str], None], replay_failed: Callable[[str], None]
    ) -> None:
        super().__init__(shell)
        self.page = CompareView()
        self.targets = CompareTargets(shell, self.page.setup)
        self._open_case = open_case
        self.shown_batch = ShownBatch(shell, self.page)
        self._files: list[str] = []
        """Case files from outside of the data folder."""
        self._verified: set[str] = set()
        """Verifications in the list of earlier ones."""
        self._elsewhere = False
        """Another program works on what is shown."""
        self.by_hand = CompareByHand(shell, self.shown_batch, self.page, self.set_status)
        self.why = CompareWhy(shell, self.shown_batch, self.page)
        self.pairing = ComparePair(self.shown_batch, self.page, self.why.show)
        self.running = CompareRunning(self, self.page, self.shown_batch, self.pairing, self.show_batch, self.read_list)
        self.new_button = Button(tr("New"), icon="plus", tip=tr("New comparison"), on_click=self.new)
        self.exporting = CompareExport(shell, self.shown_batch, self.page)
        self.export_button = Button(tr("Export"), icon="export", tip=tr("Copy the table, export runs"),
                                    on_click=lambda: self.exporting.menu(self.export_button))  # fmt: skip
        self.again_button = Button(
            tr("Run again"), icon="play", tip=tr("Set up the same once more"), on_click=self.again
        )
        self._settled = False
        """What is shown has come whole, or the set-up was asked for: coming back to the page opens nothing by itself."""
        self.verify = VerifyController(self)
        self.tabs_view = CompareTabs(self.page, self.verify.page)
        self.earlier_menu = EarlierMenu(shell, self.tabs_view.earlier, replay_failed, self._on_tab)
        self._connect()
        self.set_title(tr("Compare"), tr("cases × targets × repeats"))

    def _connect(self) -> None:
        page, setup = self.page, self.page.setup
        self.tabs_view.tabs.tab_chosen.connect(lambda _key: self._on_tab())
        self.tabs_view.earlier.opened.connect(self._open_earlier)
        self.tabs_view.earlier.resumed.connect(self._resume_earlier)
        setup.run_asked.connect(self.run)
        setup.changed.connect(self._show_sum)
        setup.closed.connect(self._close_setup)
        setup.cases_asked.connect(lambda: self._open_case(setup.suite.value or "", ""))
        setup.earlier.opened.connect(lambda batch: self.shown_batch.latest("open", self._open(batch)))
        setup.earlier.resumed.connect(self.running.resume)
        page.cell_chosen.connect(self._on_cell)
        page.cell_opened.connect(self._on_cell_opened)
        page.panel.cell.run_opened.connect(lambda run_id: self.shown_batch.latest("run", self._open_run(run_id)))
        page.panel.cell.history_asked.connect(self.shell.find_runs)
        page.panel.cell.case_asked.connect(
            lambda case: self._open_case(self.batch.spec.suite if self.batch else "", case)
        )

    @property
    def batch(self) -> Batch | None:
        """What is shown."""
        return self.shown_batch.batch

    @property
    def view(self) -> QWidget:
        return self.tabs_view

    @property
    def tab(self) -> str:
        """Key of the tab in front."""
        return self.tabs_view.tabs.current

    @property
    def verifies(self) -> bool:
        """Verify is in front."""
        return self.tab == VERIFY

    def choose_verify(self) -> None:
        """Bring Verify to the front."""
        self.tabs_view.tabs.choose(VERIFY)

    def top_widgets(self) -> Sequence[QWidget]:
        if self.verifies:
            return self.verify.top_widgets()
        return (self.new_button, self.export_button, self.again_button) if self.tab == MATRIX else (self.new_button,)

    def shown(self) -> None:
        self._on_tab()

    def _on_tab(self) -> None:
        """Another tab is in front: its list, its title and its buttons."""
        self.top_widgets_changed.emit()
        if self.verifies:
            self.verify.shown()
            return
        self._show_buttons()
        if self.tab == EARLIER:
            self.shown_batch.latest("earlier", self._read_earlier())
            self.set_title(tr("Compare"), tr("earlier comparisons and verifications"))
            self.set_status(tr("Enter or a click opens a line, its dots tell what else can be done with it"), "")
            return
        self.set_title(
            tr("Compare"), from_batch.context_of(self.batch) if self.batch else tr("cases × targets × repeats")
        )
        if self.batch is not None:
            self.by_hand.show_foot(self.batch)
        else:
            self.set_status(tr("No comparison is shown"), "")
        self.shown_batch.latest("list", self.read_list(first=not self._settled))

    async def _read_earlier(self) -> None:
        """Comparisons and verifications in one list, the newest first."""
        batches, verified = await self.shell.wb.batches.list(), await self.shell.wb.verifications.list()
        rows = sorted([*batches, *verified], key=lambda row: -row.created_us)
        self._verified = {row.id for row in verified}
        found = await asyncio.to_thread(from_batch.choices, self.shell.wb.store, rows, self._verified)
        self.tabs_view.earlier.show_batches(await self.earlier_menu.marked(found, rows, self._verified))

    def _open_earlier(self, number: str) -> None:
        verified = number in self._verified
        self.tabs_view.tabs.choose(VERIFY if verified else MATRIX)
        if verified:
            self.verify.latest("open", self.verify.open(number))
        else:
            self.shown_batch.latest("open", self._open(number))

    def _resume_earlier(self, number: str) -> None:
        verified = number in self._verified
        self.tabs_view.tabs.choose(VERIFY if verified else MATRIX)
        (self.verify.running.resume if verified else self.running.resume)(number)

    async def read_list(self, *, first: bool = False) -> None:
        """Read suites and earlier batches; at first the newest batch is shown, if there is one."""
        rows = await self.shell.wb.batches.list()
        if first and rows and self.tab == MATRIX:  # else it is not what is looked at
            await self._open(self.batch.spec.id if self.batch is not None else rows[0].id)
        suites = await asyncio.to_thread(suite_choices, self.shell.wb.home.suites, tuple(self._files))
        setup = self.page.setup
        setup.show_suites(suites)
        setup.earlier.show_batches(await asyncio.to_thread(from_batch.choices, self.shell.wb.store, rows))
        setup.back.setVisible(self.batch is not None)
        self.targets.show()
        self._show_buttons()

    def _show_buttons(self) -> None:
        there = self.batch is not None
        self.export_button.setEnabled(there)
        self.again_button.setEnabled(there and not self.running.active)
        self.new_button.setEnabled(self.tab == EARLIER or not self.page.shows_setup)

    def _show_sum(self) -> None:
        self.page.setup.show_state(len(self.targets.asked), running=self.running.active)

    def new(self) -> None:
        """Set up a new comparison, whichever tab is in front."""
        self._settled = True
        self.tabs_view.tabs.choose(MATRIX)
        self.page.show_setup()
        self.page.setup.suite.setFocus(Qt.FocusReason.OtherFocusReason)  # its own button has nothing more to do
        self.shown_batch.latest("list", self.read_list())

    def again(self) -> None:
        """Set up the comparison that is shown once more."""
        if self.batch is None:
            return
        spec, setup = self.batch.spec, self.page.setup
        setup.variations_row.clear()
        self.targets.show(spec.targets)
        for field, value in ((setup.repeats, spec.repeats), (setup.parallel, spec.parallel), (setup.seed, spec.seed)):
            field.set_value(value)
        setup.suite.choose(spec.suite)
        setup.show_stopping(spec.stopping)
        self.new()

    def prepare(self, suite: str) -> None:
        """Set up a comparison over a suite, also over a case file that lies elsewhere."""
        if Path(suite).is_absolute() and suite not in self._files:
            self._files.append(suite)
        self._settled = True
        self.tabs_view.tabs.choose(MATRIX)
        self.page.show_setup()
        self.shown_batch.latest("list", self._prepare(suite))

    async def _prepare(self, suite: str) -> None:
        await self.read_list()
        self.page.setup.suite.choose(suite)
        self._show_sum()

    def _close_setup(self) -> None:
        if self.batch is None:
            return
        self.page.show_results()
        self._show_buttons()
        if not self.page.model.rowCount():  # the set-up came before the batch was shown
            self.shown_batch.latest("open", self._open(self.batch.spec.id))

    def run(self) -> None:
        """Start what is set up."""
        setup = self.page.setup
        if self.page.shows_setup and setup.run.isEnabled() and not self.running.active:
            setup.run.setEnabled(False)
            self._settled = True
            self.shown_batch.start(self._run(str(setup.suite.value)), self._on_setup_error)

    async def _run(self, name: str) -> None:
        setup = self.page.setup
        suite = await asyncio.to_thread(load_suite, name, self.shell.wb.home.suites)
        handle = await self.shell.wb.batches.start(
            suite, self.targets.asked, repeats=setup.repeats.value, seed=setup.seed.value,
            parallel=setup.parallel.value, max_cost=setup.max_cost.value, stopping=setup.stopping, watch=self.running.take,
        )  # fmt: skip
        await self.running.follow(handle)

    def _on_setup_error(self, error: WorkbenchError) -> None:
        self.page.setup.show_sum("", str(error))
        self.shell.say(str(error))

    async def _open(self, batch_id: str) -> None:
        if (handle := self.running.handle) is None or batch_id != handle.batch_id:
            await self.show_batch(await self.shell.wb.batches.load(batch_id), True)
        elif self.running.shown is None:
            await self.show_batch(handle.batch, True)
        else:
            self.page.show_results()

    async def show_batch(self, batch: Batch, fresh: bool) -> None:
        """Show a batch: matrix at once, what is around it and the panel's numbers as they are read and computed."""
        self.shown_batch.batch = batch
        before = ""
        if fresh:
            self.pairing.forget()
            self.shown_batch.baseline, self.shown_batch.hand = None, {}
            self.page.forget()
            before = await self._look_around(batch)
        found = await asyncio.to_thread(matrix, batch, self.shown_batch.baseline)
        if not self.shown_batch.is_shown(batch.spec.id):
            return
        self.page.show_matrix(found)
        self.page.show_results()
        self._show_standing(batch)
        if fresh:
            self.page.matrix.cells.viewport().repaint()  # before threads take their share of the interpreter
            await self._read_around(batch, before)
            if not self.shown_batch.is_shown(batch.spec.id):
                return
        self.shown_batch.refresh_cell(come=False)
        await self.pairing.show_scores()
        self._settled = True

    def _show_standing(self, batch: Batch) -> None:
        handle = self.running.shown
        far = handle.progress if handle else from_batch.standing(batch)
        self.page.show_progress(far, from_batch.names_of(batch.spec), elsewhere=self._elsewhere and handle is None)
        self.set_title(tr("Compare"), from_batch.context_of(batch))
        self.by_hand.show_foot(batch)
        self._show_buttons()

    async def _look_around(self, batch: Batch) -> str:
        """Find what flips are seen against, the id of the newest finished batch of the same suite before this one (empty:
        there is none), and whether another program works on this one."""
        spec, self._elsewhere = batch.spec, False
        for row in await self.shell.wb.batches.list():
            if row.id == spec.id:
                self._elsewhere = row.alive and self.running.shown is None
            elif row.suite == spec.suite and row.created_us < spec.created_us and row.done == row.total:
                return row.id
        return ""

    async def _read_around(self, batch: Batch, before: str) -> None:
        """Read what flips are seen against, and what was said by hand; the matrix that is shown gets its flips."""
        if before:
            baseline = await self.shell.wb.batches.load(before)
            if not self.shown_batch.is_shown(batch.spec.id):
                return
            self.shown_batch.baseline = baseline
            self.page.show_matrix(await asyncio.to_thread(matrix, batch, baseline), live=True)
        await self.why.offer(batch)
        await self.by_hand.read(batch)
        self.by_hand.show_foot(batch)

    def _on_cell(self, _row: Row, _column: TargetColumn) -> None:
        self.shown_batch.refresh_cell(come=True)

    def _on_cell_opened(self, row: Row, column: TargetColumn) -> None:
        runs = row.cells[column.target].runs
        if runs:
            self.shown_batch.latest("run", self._open_run(runs[0]))

    async def _open_run(self, run_id: str) -> None:
        self.shell.open_run(await self.shell.wb.load(run_id))


def suite_choices(folder: Path, elsewhere: Sequence[str] = ()) -> list[SuiteChoice]:
    """All suites with the number of their cases, and files that lie elsewhere; one that cannot be read says why."""
    found = []
    for name in (*list_suites(folder), *elsewhere):
        try:
            suite = load_suite(name, folder)
        except InvalidInput as error:
            found.append(SuiteChoice(name, 0, str(error), usable=False))
        else:
            found.append(SuiteChoice(name, len(suite.cases), "" if suite.path else tr("built in")))
    return found
