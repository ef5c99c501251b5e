"""The history page: pages of runs, facets that may be late, the chosen run's texts, reading again, the bin."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.store.filter import FIELDS, parse_filter
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.page import Page
from workbench.ui.bridge.tasks import Stop
from workbench.ui.history.by_hand import HistoryByHand
from workbench.ui.history.chosen_run import ChosenRun
from workbench.ui.history.day_chart import since_of
from workbench.ui.history.facets import facet_lines, filled_days, values_of, with_value
from workbench.ui.history.from_store import days_of, facet_groups
from workbench.ui.history.live_rows import LiveRows
from workbench.ui.history.model_summary import ModelSummary
from workbench.ui.history.replay_all import HistoryReplays
from workbench.ui.history.rows import PAGE
from workbench.ui.history.run_diff import HistoryDiff
from workbench.ui.history.saved_views import SavedViews
from workbench.ui.history.size_meter import SizeMeter
from workbench.ui.history.to_forensics import HistoryForensics
from workbench.ui.history.view import HistoryView
from workbench.ui.run.glance import glance_of
from workbench.ui.run.run_words import PARSER_WORDS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from workbench.ui.bridge.page import Shell

BINNED = "is:binned"


class HistoryController(Page):
    """Controller of the history page."""

    key = "history"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = HistoryView()
        self._stop = Stop()
        self._total = 0
        self._empty_bin = Button(tr("Empty the bin"), icon="trash", on_click=self.empty_bin)
        self._empty_bin.hide()
        self.forensics = HistoryForensics(shell, self.page)
        self.chosen_run = ChosenRun(shell, self.page)
        self.by_hand = HistoryByHand(shell, self.page)
        self.diff = HistoryDiff(shell, self.page)
        self.models = ModelSummary(
            shell,
            self.page,
            lambda words: self.set_status(words, PARSER_WORDS),
        )
        self.again = HistoryReplays(shell, self.page, lambda: self.query, self._on_sent)
        self.size = SizeMeter(shell, self.page)
        self.views = SavedViews(shell, self.page, self.refresh)
        self.live = LiveRows(shell, self.page, lambda: self.query, self._on_ended, self.refresh, self._count_again)
        choices = {name: field.choices for name, field in FIELDS.items() if field.choices}
        self.page.filter.set_language({name: field.help for name, field in FIELDS.items()}, choices)
        if shell.wb.shared:
            self.page.show_users()
        self._connect()
        self.set_title(tr("History"))

    def _connect(self) -> None:
        page = self.page
        page.filter.filter_changed.connect(lambda _text: self.refresh())
        page.filter.names_wanted.connect(lambda field, part: self._latest("names", self._offer(field, part)))
        page.facet_list.toggled.connect(self._on_facet)
        page.facet_list.view_chosen.connect(page.filter.set_filter)
        page.days.day_chosen.connect(self._on_day)
        page.tabs.tab_chosen.connect(lambda _key: self.refresh())
        page.model.page_wanted.connect(lambda after: self._latest("page", self._add_page(after)))
        page.chosen_changed.connect(self._on_chosen)
        page.open_asked.connect(self.open_chosen)
        page.save_view_asked.connect(lambda: self._start(self.views.ask()))
        page.preview.bin_button.clicked.connect(self.bin_chosen)
        page.preview.restore_button.clicked.connect(self.restore_chosen)
        page.preview.copy_button.clicked.connect(self.copy_id)
        page.preview.version.chosen.connect(self._on_version)
        for flips in (page.flips, page.all_flips):
            flips.flip_opened.connect(lambda run_id: self._latest("open", self._open(run_id)))
        self.shell.theme.changed.connect(page.preview.glance.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._empty_bin, self.again.button, self.again.more)

    def shown(self) -> None:
        self._empty_bin.hide()  # the bar shows all that it is given; there is nothing to empty before the bin was read
        self.refresh()
        self.page.table.setFocus()
        self.live.start()

    def hidden(self) -> None:
        self.live.stop()
        self._stop.stop()

    @property
    def in_bin(self) -> bool:
        """The bin is shown, not the runs."""
        return self.page.tabs.current == "bin"

    @property
    def in_models(self) -> bool:
        """The summary of models is shown."""
        return self.page.tabs.current == "models"

    @property
    def in_flips(self) -> bool:
        """What reading again has changed is shown."""
        return self.page.tabs.current == "flips"

    @property
    def query(self) -> str:
        """The filter in force, with the bin's own term."""
        text = self.page.filter.text().strip()
        return f"{text} {BINNED}".strip() if self.in_bin else text

    def refresh(self) -> None:
        """Read the first page again; counts follow."""
        self._stop.stop()
        self._stop = Stop()
        try:
            parse_filter(self.page.filter.text())
        except InvalidInput as error:
            self.page.say_wrong(str(error))
            return
        self.page.say_wrong("")
        if self.in_flips or self.page.tabs.current == "size":
            self._show_aside()
        elif self.in_models:
            self.page.show_models()
            self.page.preview.show_nothing()
            self._empty_bin.hide()
            self._latest("rows", self._sum_up(self.query, self._stop))
        else:
            self._latest("rows", self._read(self.query, self._stop))

    def _on_sent(self) -> None:
        """There are new runs."""
        if not self.in_flips:
            self.refresh()

    def _show_aside(self) -> None:
        """A tab that lists no runs of the filter."""
        self.page.preview.show_nothing()
        self._empty_bin.hide()
        if self.in_flips:
            self.page.show_flips()
            self.page.all_flips.want_focus()
            self.set_status(
                tr("Return opens the run · A accepts today's verdict"),
                PARSER_WORDS,
            )
        else:
            self.page.show_size()
            self.size.show()

    async def _sum_up(self, query: str, stop: Stop) -> None:
        await self.models.read(query, stop)
        await self._count(query, stop)

    async def _read(self, query: str, stop: Stop) -> None:
        store, page = self.shell.wb.store, self.page
        chosen = page.chosen
        begun = asyncio.get_running_loop().time()
        rows = await asyncio.to_thread(store.list_runs, query, None, PAGE)
        took = asyncio.get_running_loop().time() - begun
        page.model.show_first(rows)
        page.show_rows(bool(rows), filtered=bool(page.filter.text().strip()), binned=self.in_bin)
        at = page.model.row_of(chosen.id) if chosen else 0
        if rows:
            page.table.choose_row(max(0, at))
        else:
            page.preview.show_nothing()
        await self.by_hand.mark(rows)
        self._empty_bin.setVisible(self.in_bin and bool(rows))
        self.set_status(
            tr("First page in {took:.0f} ms · J / K next and previous run · M mark · D diff", took=took * 1000),
            PARSER_WORDS,
        )
        await self._count(query, stop)

    async def _count(self, query: str, stop: Stop) -> None:
        """Counts, facets and days: later than the rows, and given up when another filter comes."""
        store, page = self.shell.wb.store, self.page
        found = await asyncio.to_thread(store.count, query, stop)
        total = await asyncio.to_thread(store.count, "", stop) if query else found
        binned = await asyncio.to_thread(store.count, BINNED, stop)
        if stop():
            return
        self._total = total
        page.tabs.set_count("runs", f"{total:,}" if self.in_bin or found == total else f"{found:,} of {total:,}")
        page.tabs.set_count("bin", f"{binned:,}" if binned else "")
        self.set_title(tr("History"), counted(total, "run"))
        days = await asyncio.to_thread(store.histogram, query, stop)
        facets = await asyncio.to_thread(store.facets, query, stop)
        if stop():
            return
        today = date.today()  # noqa: DTZ011  # days are the user's own
        since = values_of(page.filter.text(), "since")
        page.days.show_days(filled_days(days_of(days), today), since_of(since[0], today) if since else None)
        self._show_facets(facet_groups(facets))

    def _show_facets(self, groups: dict[str, list[tuple[str, int]]]) -> None:
        views = self.views.saved.items()
        self.page.facets.show_lines(facet_lines(groups, self.page.filter.text(), views))

    async def _add_page(self, after: str) -> None:
        rows = await asyncio.to_thread(self.shell.wb.store.list_runs, self.query, after, PAGE)
        self.page.model.add_page(rows)
        await self.by_hand.mark(rows)

    async def _offer(self, field: str, part: str) -> None:
        names = await asyncio.to_thread(self.shell.wb.store.names, field, part)
        self.page.filter.offer(field, names[:12])

    def _on_facet(self, field: str, value: str, chosen: bool) -> None:
        self.page.filter.set_filter(with_value(self.page.filter.text(), field, value, chosen=chosen))

    def _on_day(self, day: object) -> None:
        text = self.page.filter.text()
        for old in values_of(text, "since"):
            text = with_value(text, "since", old, chosen=False)
        self.page.filter.set_filter(with_value(text, "since", str(day), chosen=True))

    def _on_ended(self, runs: set[str]) -> None:
        """Runs that were shown as running are over: their rows say so; now the counts, and the pane where one is chosen."""
        if self.page.chosen is not None and self.page.chosen.id in runs:
            self._on_chosen()
        self._latest("counts", self._count_again())

    async def _count_again(self) -> None:
        await self._count(self.query, self._stop)

    def _on_chosen(self) -> None:
        line = self.page.chosen
        if line is not None:
            self.page.preview.show_run(line)
            self.page.preview.set_binned(self.in_bin)
            self.by_hand.forget()
            self._latest("glance", self._show(line.id))

    def _on_version(self, which: str) -> None:
        """Of a reply that was edited at a breakpoint: the model's, or what the client got."""
        if (line := self.page.chosen) is not None:
            self._latest("glance", self._show(line.id, line.edited if which == "given" else None))

    async def _show(self, run_id: str, given: int | None = None) -> None:
        await asyncio.sleep(0.03)  # J held down passes many runs: read the one it stops at
        self.by_hand.show()
        stored = await self.shell.wb.load(run_id)
        shown = stored if given is None else await self.shell.wb.load(given)
        glance = await asyncio.to_thread(glance_of, self.shell.wb, shown)
        if self.page.chosen is not None and self.page.chosen.id == run_id:
            self.page.preview.show_glance(glance)
            self.chosen_run.show(stored)

    def open_chosen(self) -> None:
        """Show the chosen run in Try."""
        if (line := self.page.chosen) is not None:
            self._latest("open", self._open(line.id))

    async def _open(self, run_id: str) -> None:
        self.shell.open_run(await self.shell.wb.load(run_id))

    def bin_chosen(self) -> None:
        """Put the chosen run into the bin; it can be taken out again."""
        if (line := self.page.chosen) is not None and not self.in_bin:
            self._start(self._move(line.id, line.number, to_bin=True))

    def empty_bin(self) -> None:
        """Delete what is in the bin for good, after a question."""
        self._start(self._ask_empty_bin())

    def restore_chosen(self) -> None:
        """Take the chosen run out of the bin."""
        if (line := self.page.chosen) is not None and self.in_bin:
            self._start(self._move(line.id, line.number, to_bin=False))

    async def _move(self, run_id: str, number: int, *, to_bin: bool) -> None:
        store = self.shell.wb.store
        await asyncio.to_thread(store.delete if to_bin else store.restore, [run_id])
        at = self.page.table.currentIndex().row()
        self.page.model.remove(run_id)
        self.page.table.choose_row(min(at, self.page.model.rowCount() - 1))
        self.shell.say(
            tr("Run {number:,} is in the bin", number=number)
            if to_bin
            else tr("Run {number:,} is back in the history", number=number)
        )
        await self._count_again()

    async def _ask_empty_bin(self) -> None:
        sure = await dialogs.confirm(
            self.shell.window, tr("Empty the bin?"), tr("These runs are removed for good."), tr("Remove")
        )
        if sure:
            gone = await asyncio.to_thread(self.shell.wb.store.empty_bin)
            self.shell.say(tr("{runs} removed", runs=counted(gone, "run")))
            self.refresh()

    def copy_id(self) -> None:
        """Put the chosen run's id on the clipboard."""
        if (line := self.page.chosen) is not None:
            copy_text(line.id)
            self.shell.say(tr("Copied the id of run {number:,}", number=line.number))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.start(work, "history", on_error=self._on_error)

    def _latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self.shell.tasks.latest(f"history {what}", work, on_error=self._on_error)

    def _on_error(self, error: WorkbenchError) -> None:
        if isinstance(error, InvalidInput):
            self.page.say_wrong(str(error))
        self.shell.say(str(error))
