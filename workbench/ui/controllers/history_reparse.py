"""Reading the whole history again: off the window's thread, from SQLite to verdict, told in batches, stopped at once."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.replay.parse import RunReparse, rejudge, reparse
from workbench.replay.result import ReplayVerdict
from workbench.ui.controllers.history_reading import Stop, changes_of, glance_of, line_of
from workbench.ui.models.history_flips import FlipCounts, FlipLine
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app import Workbench
    from workbench.core.errors import WorkbenchError
    from workbench.ui.controllers.page import Shell
    from workbench.ui.views.history_view import HistoryView

TELL_EVERY_S = 0.15


class ReparseAll:
    """One pass over the runs that a filter leaves. `tell` is called in the window's thread."""

    def __init__(
        self, wb: Workbench, query: str, stop: Stop, tell: Callable[[FlipCounts, list[FlipLine]], None]
    ) -> None:
        self._wb, self._query, self._stop, self._tell = wb, query, stop, tell
        self.silent = False
        """The window is closing: there is nobody to tell."""

    async def run(self) -> FlipCounts:
        """Read everything; return the counts of what was read until the end or the stop."""
        return await asyncio.to_thread(self._work, asyncio.get_running_loop())

    def _work(self, loop: asyncio.AbstractEventLoop) -> FlipCounts:
        counts, found = FlipCounts(), list[FlipLine]()
        begun = told = time.monotonic()
        for one in reparse(self._wb.store.runs_for_reparse(self._query)):
            if self._stop():
                break
            judged = self._judged(one)
            counts.add(judged.verdict.value, judged.replies)
            if judged.verdict is not ReplayVerdict.SAME:
                found.append(self._line(judged))
            now = time.monotonic()
            if now - told > TELL_EVERY_S:
                told, counts.seconds = now, now - begun
                loop.call_soon_threadsafe(self._tell, _copy(counts), found)
                found = []
        counts.seconds, counts.done = time.monotonic() - begun, True
        if not self.silent:
            loop.call_soon_threadsafe(self._tell, _copy(counts), found)
        return counts

    def _judged(self, one: RunReparse) -> RunReparse:
        """Judge again only what is read differently: the same readings have the same verdict."""
        if not one.changes:
            return one
        stored = self._wb.store.load(one.number)
        return rejudge(one, stored.events, stored.verdict, self._wb.check)

    def _line(self, one: RunReparse) -> FlipLine:
        row = self._wb.store.find(one.number)
        places = changes_of(one)
        what = one.note or "; ".join(f"{where.partition(': ')[2]}: {old} → {new}" for where, old, new in places[:2])
        return FlipLine(
            run_id=one.run_id,
            number=one.number,
            replay=one.verdict.value,
            before=(one.before or row.verdict).state.value,
            after=(one.after or row.verdict).state.value,
            prompt=row.title or row.prompt,
            format=row.format,
            what=what,
        )


def _copy(counts: FlipCounts) -> FlipCounts:
    return replace(counts, by_replay=dict(counts.by_replay))


class HistoryReparse:
    """The button, the panel with what flips, and the pass between them."""

    def __init__(self, shell: Shell, page: HistoryView, query: Callable[[], str]) -> None:
        self._shell, self._page, self._query = shell, page, query
        self._stop = Stop()
        tip = "Read every run that the filter leaves with today's parsers: no network, no model"
        self.button = Button("Re-parse all", icon="arrows-clockwise", tip=tip, on_click=self.start)
        page.flips.stop_asked.connect(self.stop)
        page.flips.flip_chosen.connect(self._on_chosen)

    def start(self) -> None:
        """Begin a pass; one that runs ends."""
        self._stop.stop()
        self._stop = Stop()
        self._page.flips.begin()
        self.button.setEnabled(False)
        self._shell.tasks.latest("history reparse all", self._run(self._stop), on_error=self._on_error)

    def stop(self) -> None:
        """End the pass; what was found stays."""
        self._stop.stop()

    async def _run(self, stop: Stop) -> None:
        work = ReparseAll(self._shell.wb, self._query(), stop, self._on_found)
        try:
            counts = await work.run()
        except asyncio.CancelledError:
            work.silent = True
            raise
        finally:
            stop.stop()
            self.button.setEnabled(True)
        self._shell.say(f"Re-parse: {counts.words}")

    def _on_found(self, counts: FlipCounts, found: list[FlipLine]) -> None:
        self._page.flips.model.add(found)
        self._page.flips.show_counts(counts)

    def _on_chosen(self, run_id: str) -> None:
        self._shell.tasks.latest("history glance", self._show(run_id), on_error=self._on_error)

    async def _show(self, run_id: str) -> None:
        stored = await self._shell.wb.load(run_id)
        self._page.preview.show_line(line_of(stored.run))
        self._page.preview.show_glance(await asyncio.to_thread(glance_of, self._shell.wb, stored))

    def _on_error(self, error: WorkbenchError) -> None:
        self._page.flips.hide()
        self._shell.say(str(error))
