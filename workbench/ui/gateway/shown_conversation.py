"""The chosen conversation: its lines, the runs of opened cards, and live ones as they go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.core.errors import InvalidInput
from workbench.core.events import ChunkReceived
from workbench.gateway.recording import Recording
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.gateway.from_gateway import exchange_line
from workbench.ui.gateway.reading import LiveTail, read_recorded, reading_of, readings_of, show_what_was_given
from workbench.ui.run.run_fold import RunFold
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.errors import WorkbenchError
    from workbench.core.events import RunEvent
    from workbench.gateway.conversations import Conversation, ExchangeSeen
    from workbench.gateway.under_way import UnderWay
    from workbench.ui.bridge.page import Shell
    from workbench.ui.gateway.view import GatewayView

FOLLOW_MS = 60
MOST_CARDS = 300
"""Exchanges of a conversation that are shown, the newest; the others are in the history."""


class ShownConversation(QObject):
    """Brings what the exchange area wants."""

    def __init__(self, shell: Shell, page: GatewayView, under_way: UnderWay) -> None:
        super().__init__(page)
        self._shell, self._page, self._under_way = shell, page, under_way
        self.conversation: Conversation | None = None
        self._tails: dict[int, tuple[LiveTail, RunFold]] = {}
        """By exchange number."""
        self._delivered: dict[str, int] = {}
        """Events beside chunks that each live run has told so far."""
        self._wanted: set[int] = set()
        """Exchanges whose run was asked for before it had begun, or before all of it was on disk."""
        self._changed: dict[int, ExchangeSeen] = {}
        self._follow = Throttle(FOLLOW_MS, self._show_changed, self)
        page.area.run_wanted.connect(self._on_run_wanted)
        self._ends = [under_way.watch_events(self._on_events)]

    def close(self) -> None:
        """Follow nothing any more."""
        for end in self._ends:
            end()

    def show(self, conversation: Conversation | None) -> None:
        """Show another conversation, or none."""
        self._tails, self._changed, self._wanted = {}, {}, set()
        self.conversation = conversation
        if conversation is not None:
            self._page.area.show_lines([exchange_line(seen) for seen in conversation.exchanges[-MOST_CARDS:]])

    def find(self, number: int) -> ExchangeSeen | None:
        """An exchange of the conversation by its number."""
        known = self.conversation.exchanges if self.conversation is not None else ()
        return next((seen for seen in reversed(known) if seen.number == number), None)

    def on_change(self, seen: ExchangeSeen) -> None:
        """An exchange began, went on or ended."""
        if self.conversation is not None and seen.client.conversation == self.conversation.id:
            self._changed[seen.number] = seen
            self._follow.request()
            if seen.number in self._wanted:
                self._on_run_wanted(seen.number)

    def _show_changed(self) -> None:
        changed, self._changed = self._changed, {}
        for seen in changed.values():
            self._page.area.update_line(exchange_line(seen))

    # -- runs ------------------------------------------------------------------------------------------------------

    def _on_run_wanted(self, number: int) -> None:
        seen = self.find(number)
        if seen is None:
            return
        self._wanted.discard(number)
        run_id = seen.run_id or seen.given_run_id
        if not run_id and not seen.done:
            self._wanted.add(number)
            return
        if seen.judged or seen.done:
            self._wanted.add(number)
            work = self._read(number, run_id, seen.given_run_id if seen.run_id else "")
        elif seen.recording is Recording.EVERYTHING:
            tail, fold = LiveTail(run_id, self._delivered.get(run_id, 0)), RunFold()
            self._tails[number] = (tail, fold)
            work = self._begin(number, tail, fold)
        else:
            return
        self._shell.tasks.start(work, "gateway read", on_error=lambda error: self._on_unread(number, error))

    async def _read(self, number: int, run_id: str, by_hand: str) -> None:
        shown = self.conversation
        fold, readings = await read_recorded(self._shell.wb, run_id)
        written = (await read_recorded(self._shell.wb, by_hand))[0].view if by_hand else None
        if shown is self.conversation:
            if fold.view.verdict is not None:
                self._wanted.discard(number)
            self._page.area.show_run(number, fold.view, written)
            for step, reading in readings.items():
                self._page.area.set_reading(number, step, reading.regions, reading.fields)

    async def _begin(self, number: int, tail: LiveTail, fold: RunFold) -> None:
        stored, news = await tail.begin(self._shell.wb)
        if self._tails.get(number, (None,))[0] is tail:
            fold.apply(stored)
            show_what_was_given(fold)
            fold.apply(news)
            self._page.area.show_run(number, fold.view)
            for step, reading in readings_of(self._shell.wb, fold).items():
                self._page.area.set_reading(number, step, reading.regions, reading.fields)

    def _on_unread(self, number: int, error: WorkbenchError) -> None:
        missing = isinstance(error, InvalidInput)
        if not missing:  # else it may have ended a moment before it was written: what is on disk then is told
            self._wanted.discard(number)
        words = tr("its record was removed") if missing else str(error)
        if (card := self._page.area.card(number)) is not None:
            card.say(words)

    def _on_events(self, seen: ExchangeSeen, events: Sequence[RunEvent]) -> None:
        """A batch of any exchange is on disk."""
        if seen.judged:
            self._delivered.pop(seen.run_id, None)
        else:
            told = sum(not isinstance(event, ChunkReceived) for event in events)
            self._delivered[seen.run_id] = self._delivered.get(seen.run_id, 0) + told
        if self.conversation is None or seen.client.conversation != self.conversation.id:
            return
        if seen.number in self._wanted:
            self._on_run_wanted(seen.number)
            return
        found = self._tails.get(seen.number)
        if found is None or found[0].run_id != seen.run_id:
            return
        tail, fold = found
        if news := tail.take(events):
            changes = fold.apply(news)
            self._page.area.apply(seen.number, changes)
            for step in changes.parsed:
                if not fold.view.steps[step].state.live:
                    reading = reading_of(self._shell.wb, fold.view.steps[step])
                    self._page.area.set_reading(seen.number, step, reading.regions, reading.fields)
