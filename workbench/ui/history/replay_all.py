"""Replaying all runs that a filter leaves: off the window's thread where nothing is sent, told in batches, stopped at once."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.replay.accepting import accept, can_accept
from workbench.replay.passes import PASSES, RunSelection, all_of, only_failed, size, stored_runs, suite_selection
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.ui.bridge.tasks import Stop
from workbench.ui.history.flips import FlipCounts, FlipLine
from workbench.ui.history.from_store import told_places
from workbench.ui.run.glance import glance_of
from workbench.ui.run.replay_ways import WORDS, way_menu
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu

    from workbench.app import Workbench
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView

TELL_EVERY_S = 0.15
AT_ONCE = 4
"""Runs that are sent at the same time."""


class ReplayAll:
    """One pass over a selection. `tell` is called in the window's thread."""

    def __init__(
        self,
        wb: Workbench,
        mode: str,
        wanted: RunSelection,
        stop: Stop,
        tell: Callable[[FlipCounts, list[FlipLine]], None],
    ) -> None:
        self._wb, self._mode, self._wanted, self._stop, self._tell = wb, mode, wanted, stop, tell
        self._counts, self._found = FlipCounts(), list[FlipLine]()
        self._begun = self._told = time.monotonic()
        self.silent = False
        """The window is closing: there is nobody to tell."""

    async def run(self) -> FlipCounts:
        """Replay everything; return the counts of what was replayed until the end or the stop."""
        loop = asyncio.get_running_loop()
        self._counts.total = await asyncio.to_thread(size, self._wb.store, self._wanted)
        self._begun = self._told = time.monotonic()
        if self._mode == "live":
            await self._send()
        else:
            await asyncio.to_thread(self._work, loop)
        self._counts.seconds, self._counts.done = time.monotonic() - self._begun, True
        self._counts.stopped = self._stop() and self._counts.runs < self._counts.total
        self._deliver()
        return self._counts

    async def _send(self) -> None:
        def take(item: Replayed) -> None:
            if self._take(item):
                self._deliver()

        runs = stored_runs(self._wb.store, self._wanted)
        await self._wb.live.many(runs, self._wanted.cases, take, parallel=AT_ONCE, stopped=self._stop)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        for item in PASSES[self._mode](self._wb.store, self._wanted, self._wb.check):
            if self._stop():
                return
            if self._take(item) and not self.silent:
                counts, found, self._found = _copy(self._counts), self._found, []
                loop.call_soon_threadsafe(self._tell, counts, found)

    def _take(self, item: Replayed) -> bool:
        """Count one run; say whether it is time to tell."""
        self._counts.add(item.verdict.value, item.replies)
        if item.verdict is not ReplayVerdict.SAME:
            self._found.append(self._line(item))
        now = time.monotonic()
        due = now - self._told > TELL_EVERY_S
        if due:
            self._told, self._counts.seconds = now, now - self._begun
        return due

    def _deliver(self) -> None:
        if not self.silent:
            found, self._found = self._found, []
            self._tell(_copy(self._counts), found)

    def _line(self, item: Replayed) -> FlipLine:
        row = self._wb.store.find(item.number)
        what = "; ".join(f"{where}: {old} → {new}" for where, old, new in told_places(item)[:2])
        return FlipLine(
            run_id=item.run_id,
            number=item.number,
            replay=item.verdict.value,
            before=(item.before or row.verdict).state.value,
            after=(item.after or row.verdict).state.value,
            prompt=row.title or row.prompt,
            format=row.format,
            what=f"{item.note} {what}".strip() if item.verdict is ReplayVerdict.NOT_COMPARABLE else what or item.note,
            verdict=item.after if can_accept(item.mode, item.after) else None,
        )


def _copy(counts: FlipCounts) -> FlipCounts:
    return replace(counts, by_replay=dict(counts.by_replay))


class HistoryReplays:
    """The buttons, the panel with what flips, and the pass between them."""

    def __init__(self, shell: Shell, page: HistoryView, query: Callable[[], str], sent: Callable[[], None]) -> None:
        """`sent` is called when runs were sent once more."""
        self._shell, self._page, self._query, self._sent = shell, page, query, sent
        self._stop = Stop()
        tip = tr("Read every run that the filter leaves with today's parsers: no network, no model")
        self.button = Button(tr("Re-parse all"), icon="arrows-clockwise", tip=tip, on_click=self.start)
        self.more = Button(
            icon="caret-down", tip=tr("Replay all runs of the filter in another way"), on_click=self.menu
        )
        page.flips.stop_asked.connect(self.stop)
        page.flips.flip_chosen.connect(self._on_chosen)
        page.all_flips.flip_chosen.connect(self._on_chosen)
        page.all_flips.stop_asked.connect(self.stop)
        page.all_flips.accept_asked.connect(
            lambda lines: self._shell.tasks.start(self._accept(lines), "history accept", on_error=self._on_error)
        )

    def menu(self) -> QMenu:
        """Open the menu of ways to replay."""
        return way_menu(self.more, self.start)

    def start(self, mode: str = "parse", suite: str = "") -> None:
        """Begin a pass over the filter's runs or a suite's; one that runs ends. What is sent again is asked for first."""
        self._shell.tasks.latest("history replay all", self._ask_and_run(mode, suite), on_error=self._on_error)

    def start_failed(self) -> None:
        """Send once more what failed of the filter's runs, after a question."""
        self._shell.tasks.latest(
            "history replay all", self._ask_and_run("live", "", failed=True), on_error=self._on_error
        )

    def stop(self) -> None:
        """End the pass; what was found stays, and what is on its way comes to its end."""
        self._stop.stop()

    async def _ask_and_run(self, mode: str, suite: str, *, failed: bool = False) -> None:
        self._stop.stop()
        store, folder = self._shell.wb.store, self._shell.wb.home.suites
        wanted = all_of(self._query(), store.batches.case_of)
        if suite:
            wanted = await asyncio.to_thread(suite_selection, store, suite, folder)
        if failed:
            wanted = only_failed(store, wanted)
        if mode == "live" and not await self._sure(wanted):
            return
        stop = self._stop = Stop()
        what = tr("{words} of {suite}", words=WORDS[mode], suite=suite) if suite else WORDS[mode]
        self._page.flips.begin(what)
        self._page.all_flips.begin(what)
        if self._page.tabs.current == "flips":  # everything is on the page
            self._page.flips.hide()
        self._set_enabled(False)
        work = ReplayAll(self._shell.wb, mode, wanted, stop, self._on_found)
        try:
            counts = await work.run()
        except asyncio.CancelledError:
            work.silent = True
            raise
        finally:
            stop.stop()
            self._set_enabled(True)
        if mode == "live":
            self._sent()
        self._shell.say(f"{what}: {counts.words}")

    async def _sure(self, wanted: RunSelection) -> bool:
        """Sending costs: say how much before anything leaves."""
        runs, tokens = await asyncio.to_thread(_size_of, self._shell.wb, wanted)
        if not runs:
            self._shell.say(tr("There is no run to send."))
            return False
        words = tr(
            "{runs} {what} sent again as new runs, about {tokens:,} tokens as they went out then. "
            "Providers may charge for it.",
            runs=counted(runs, "run"),
            what=tr("is") if runs == 1 else tr("are"),
            tokens=tokens,
        )
        return await dialogs.confirm(
            self._shell.window, tr("Send all once more?"), words, tr("Send {runs}", runs=counted(runs, "run"))
        )

    def _set_enabled(self, on: bool) -> None:
        self.button.setEnabled(on)
        self.more.setEnabled(on)

    def _on_found(self, counts: FlipCounts, found: list[FlipLine]) -> None:
        self._page.flips.model.add_lines(found)
        self._page.flips.show_counts(counts)
        self._page.all_flips.add(found)
        self._page.all_flips.show_counts(counts)
        self._page.tabs.set_count("flips", f"{self._page.all_flips.total:,}")

    async def _accept(self, lines: list[FlipLine]) -> None:
        """Take today's verdicts over, after a question where they are many."""
        known = [(line.run_id, line.verdict) for line in lines if line.verdict is not None and not line.accepted]
        if not known:
            self._shell.say(tr("There is no verdict to accept: a live replay is a run of its own."))
            return
        words = tr("Today's verdicts are written behind the recorded ones; what was recorded stays.")
        if len(known) > 1 and not await dialogs.confirm(
            self._shell.window,
            tr("Accept today's verdicts?"),
            words,
            tr("Accept {runs}", runs=counted(len(known), "run")),
        ):
            return
        done = await asyncio.to_thread(accept, self._shell.wb.store, known)
        self._page.all_flips.mark_accepted({run_id for run_id, _ in known})
        self._shell.say(tr("{verdicts} accepted", verdicts=counted(done, "verdict")))

    def _on_chosen(self, run_id: str) -> None:
        self._shell.tasks.latest("history glance", self._show(run_id), on_error=self._on_error)

    async def _show(self, run_id: str) -> None:
        stored = await self._shell.wb.load(run_id)
        self._page.preview.show_run(stored.run)
        self._page.preview.show_glance(await asyncio.to_thread(glance_of, self._shell.wb, stored))

    def _on_error(self, error: WorkbenchError) -> None:
        self._page.flips.hide()
        self._shell.say(str(error))


def _size_of(wb: Workbench, wanted: RunSelection) -> tuple[int, int]:
    """Runs of a selection, and the tokens that went out in them."""
    runs = tokens = 0
    for text in wanted.filters:
        before: str | None = None
        while page := wb.store.list_runs(text, before):
            runs, tokens = runs + len(page), tokens + sum(row.input_tokens for row in page)
            before = page[-1].id
    return runs, tokens
