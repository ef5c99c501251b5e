"""The exchanges of the chosen conversation as cards on one ruler: headers at once, rows when a card is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal

from workbench.ui.gateway.exchange_card import ExchangeCard
from workbench.ui.run.loop.content import FieldLink, SpanLink
from workbench.ui.run.loop.stage import CardStage
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

    from workbench.core.calls import FieldSpan, Region
    from workbench.ui.gateway.held_row import HeldRow
    from workbench.ui.gateway.values import ExchangeLine, HeldView
    from workbench.ui.run.loop.step import LoopStepRow
    from workbench.ui.run.run_view import Changes, RunView
    from workbench.ui.run.run_words import StepChip

TITLES = (tr("Sent"), tr("Raw output"), tr("Parsed calls"), tr("To the agent"))
TICK_MS = 100
OPEN_AT_FIRST = 3
"""Cards that open by themselves when a conversation is chosen: the last ones, and the first with a finding."""
_STEPS = 1_000


class ExchangeArea(CardStage[ExchangeCard]):
    """Shows lines; whoever listens to `run_wanted` brings their runs."""

    run_wanted = Signal(int)
    """The number of an exchange whose card was opened."""
    current_changed = Signal(int)
    """Another exchange is the chosen one; 0: none."""
    acted = Signal(int, int, str)
    """A button inside a step: exchange, step and what, as `LoopStepRow.acted` names it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, titles=TITLES)
        self._current = 0
        self._turn = 0.0
        self._fields: dict[tuple[int, int], Sequence[Sequence[FieldSpan]]] = {}
        self._since = QElapsedTimer()
        self._since.start()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self.setAccessibleName(tr("Exchanges"))

    @property
    def is_live(self) -> bool:
        return any(row.step.state.live for row in self.rows.values())

    # -- lines -----------------------------------------------------------------------------------------------------

    def show_lines(self, lines: Sequence[ExchangeLine]) -> None:
        """Show another conversation; the last exchanges open, and the first one with a finding."""
        self.clear_cards()
        self._fields = {}
        for line in lines:
            self._add(line)
        opened = {card.number for card in self.cards[-OPEN_AT_FIRST:]}
        opened |= {next((card.number for card in self.cards if card.line.trouble), 0)}
        for card in self.cards:
            card.set_folded(card.number not in opened)
        self._current = 0
        self.set_current(self.cards[-1].number if self.cards else 0)
        self.place()
        self._scroll.verticalScrollBar().setValue(self._scroll.verticalScrollBar().maximum())

    def update_line(self, line: ExchangeLine) -> None:
        """Bring one exchange up to date; a new one is added at the end, and shown."""
        card = self.card(line.number)
        if card is None:
            newest = self._current == (self.cards[-1].number if self.cards else 0)
            self._add(line).set_folded(False)
            if newest:
                self.set_current(line.number)
            self.place()
            self._to_end(newest)
            return
        before = card.line
        card.show_line(line)
        if before.shown_run and (line.shown_run, line.given) != (before.shown_run, before.given):
            card.forget_run()
        if not card.is_folded:
            card.ask()

    def _to_end(self, wanted: bool) -> None:
        if wanted:
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _add(self, line: ExchangeLine) -> ExchangeCard:
        card = ExchangeCard(line, self.ruler, self._body)
        card.height_changed.connect(self.ask_place)
        card.run_wanted.connect(self.run_wanted)
        card.row_added.connect(lambda row, one=card: self._on_row(one, row))
        card.chip_chosen.connect(lambda chip, one=card: self.jump_to(one.number, chip))
        card.header.fold_asked.connect(lambda one=card: self.set_current(one.number))
        self.cards.append(card)
        card.show()
        return card

    def card(self, number: int) -> ExchangeCard | None:
        """The card of an exchange."""
        return next((card for card in reversed(self.cards) if card.number == number), None)

    def _on_row(self, card: ExchangeCard, row: LoopStepRow) -> None:
        there = {one for other in self.cards for one in other.rows}
        self.rows = {key: one for key, one in self.rows.items() if one in there}
        self.rows[card.number * _STEPS + row.step.number] = row
        row.link_chosen.connect(lambda step, link: self._on_link(card, step, link))
        row.selected.connect(lambda _step: self.set_current(card.number))
        row.acted.connect(lambda step, what: self.acted.emit(card.number, step, what))
        row.scrolled_away.connect(self.on_cell_scrolled)

    # -- runs ------------------------------------------------------------------------------------------------------

    def show_run(self, number: int, run: RunView, by_hand: RunView | None = None) -> None:
        """Show the run of an exchange, and what a person gave in place of its reply; who looks at the end stays there."""
        card, bar = self.card(number), self._scroll.verticalScrollBar()
        if card is not None:
            at_end = bar.value() == bar.maximum()
            card.show_run(run, by_hand)
            self._since.restart()
            self._follow_clock()
            self.place()
            self._to_end(at_end and self._current == self.cards[-1].number)

    def apply(self, number: int, changes: Changes) -> None:
        """Follow a run that is shown."""
        card = self.card(number)
        if card is None or card.run is None:
            return
        self._since.restart()
        card.apply(changes, card.now_us())
        self._follow_clock()
        if changes.new_steps:
            self.place()
        self.update_live()

    def set_reading(
        self, number: int, step: int, regions: Sequence[Region], fields: Sequence[Sequence[FieldSpan]]
    ) -> None:
        """Take roles and argument spans of a finished step."""
        self._fields[number, step] = fields
        if (row := self.rows.get(number * _STEPS + step)) is not None:
            row.set_regions(regions)

    def _follow_clock(self) -> None:
        if self.is_live and not self._tick.isActive():
            self._tick.start()
        elif not self.is_live:
            self._tick.stop()

    def _on_tick(self) -> None:
        self._turn = (self._turn + 30.0) % 360.0
        for card in self.cards:
            for row in card.rows:
                if row.step.state.live:
                    row.refresh_status(card.now_us() + self._since.elapsed() * 1000, self._turn)
        self._follow_clock()

    # -- choosing and linking --------------------------------------------------------------------------------------

    @property
    def current(self) -> int:
        """The chosen exchange; 0: none."""
        return self._current

    def set_current(self, number: int) -> None:
        """Choose an exchange: its rows are marked."""
        for card in self.cards:
            for row in card.rows:
                row.set_current(card.number == number)
        if number != self._current:
            self._current = number
            self.current_changed.emit(number)

    def step_current(self, by: int) -> None:
        """Choose the next or the previous exchange, open it and show it."""
        numbers = [card.number for card in self.cards]
        if not numbers:
            return
        at = numbers.index(self._current) if self._current in numbers else len(numbers) - 1
        card = self.cards[min(max(at + by, 0), len(numbers) - 1)]
        card.set_folded(False)
        self.set_current(card.number)
        self.place()
        self._scroll.ensureVisible(0, card.y() + card.height(), 0, 0)
        self._scroll.ensureVisible(0, card.y(), 0, 0)

    def jump_to(self, number: int, chip: StepChip) -> None:
        """Show the characters of a finding and blink them."""
        card = self.card(number)
        if card is None:
            return
        card.set_folded(False)
        self.set_current(number)
        self.place()
        row = next((one for one in card.rows if one.step.number == chip.step), None)
        if row is not None:
            row.make(card.now_us())
            self.place()
            self.show_place(row, row.jump(chip.span))

    def _on_link(self, card: ExchangeCard, step: int, link: object) -> None:
        """Mark the characters that a word of the parsed cell came from."""
        self.set_current(card.number)
        for one in self.rows.values():
            one.set_linked((), frozenset())
        row = self.rows.get(card.number * _STEPS + step)
        if row is None:
            return
        match link:
            case FieldLink(call=call, path=path):
                known = self._fields.get((card.number, step), ())
                spans = [one.span for one in (known[call] if call < len(known) else ()) if one.path == path[:1]]
                row.set_linked(spans, frozenset({link}))
            case SpanLink(span=span):
                self.show_place(row, row.jump(span))

    # -- held ------------------------------------------------------------------------------------------------------

    def show_held(self, views: Sequence[HeldView], connect: Callable[[HeldRow], None]) -> None:
        """Show what is held of this conversation, and nothing else; `connect` is given each new row."""
        wanted = {view.exchange: view for view in views}
        made = False
        for card in self.cards:
            if (row := card.show_held(wanted.get(card.number))) is not None:
                connect(row)
                made = True
        if made:
            self.place()
            self._to_end(True)

    @property
    def held(self) -> list[HeldRow]:
        """The rows of what is held, from above."""
        return [card.held for card in self.cards if card.held is not None]

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes on to the raw output of the chosen exchange."""
        super().focusInEvent(event)
        card = self.card(self._current)
        made = next((row for row in card.rows if row.cells is not None), None) if card else None
        if made is not None and made.cells is not None:
            made.cells.raw.take_focus()
        elif card is not None:
            card.header.setFocus(Qt.FocusReason.TabFocusReason)
