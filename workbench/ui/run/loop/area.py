"""The loop below the composer: follows a run's changes and leads to its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from workbench.ui.run.loop.card import LoopCard
from workbench.ui.run.loop.stage import MOST_MADE, CardStage
from workbench.ui.run.run_words import loop_chips, loop_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent

    from workbench.core.calls import Region, Span
    from workbench.ui.run.loop.approval_row import ApprovalRow, WaitingView
    from workbench.ui.run.loop.step import LoopStepRow
    from workbench.ui.run.run_view import Changes, RunView
    from workbench.ui.run.run_words import StepChip

TICK_MS = 100


class LoopArea(CardStage[LoopCard]):
    """Shows a `RunView`. Text is appended, never drawn again as a whole."""

    link_chosen = Signal(int, object)
    menu_asked = Signal(int, object, QPoint)
    place_chosen = Signal(int, str, int)
    step_selected = Signal(int)
    acted = Signal(int, str)
    ticked = Signal()
    """The clock of a live run went on."""

    def __init__(self, parent: QWidget | None = None, *, margin: int = 12) -> None:
        super().__init__(parent, margin=margin)
        self.run: RunView | None = None
        self._regions: dict[int, Sequence[Region]] = {}
        self._turn = 0.0
        self._jump_at = -1
        self._current: int | None = None
        self._since = QElapsedTimer()
        self._since.start()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)

    @property
    def is_live(self) -> bool:
        return self.run is not None and self.run.live

    def now_us(self) -> int:
        """The run's clock: the newest event, and what has passed since, while the run is live."""
        if self.run is None:
            return 0
        return self.run.last_at_us + (self._since.elapsed() * 1000 if self.run.live else 0)

    def show_run(self, run: RunView) -> None:
        """Show another run; cards of the one before go."""
        self.clear_cards()
        self.run, self._regions, self._jump_at = run, {}, -1
        self._since.restart()
        for loop in run.loops:
            self._add_card(loop.number)
            for step in loop.steps:
                self._add_row(step.number)
        self._fold_calm_cards()
        self.place()
        self._scroll.verticalScrollBar().setValue(0)
        if run.live:
            self._tick.start()
        else:
            self._tick.stop()
        self.update_live()

    def _fold_calm_cards(self) -> None:
        """In a long finished run the cards are closed; the first one with a problem opens by itself."""
        if self.run is None or self.run.live or len(self.run.steps) <= MOST_MADE:
            return
        problem = next((card for card in self.cards if loop_chips(card.loop)), self.cards[-1])
        for card in self.cards:
            card.set_folded(card is not problem)

    def apply(self, changes: Changes) -> None:
        """Follow a batch of changes."""
        if self.run is None:
            return
        self._since.restart()
        now = self.now_us()
        for number in changes.new_loops:
            self._add_card(number)
        for number in changes.new_steps:
            self._add_row(number)
        self._apply_texts(changes)
        self._apply_states(changes, now)
        for card in self.cards:
            if card.loop.number in changes.loops or changes.finished:
                card.refresh_header(now)
        if changes.finished:
            self._on_finished(now)
        elif self.run.live and not self._tick.isActive():
            self._tick.start()
        if changes.new_loops or changes.new_steps:
            self.place()
        self.update_live()

    def _apply_texts(self, changes: Changes) -> None:
        for number, row in self.rows.items():
            if number in changes.reset:
                row.forget_regions()
            if row.cells is None:
                continue
            if number in changes.reset:
                row.cells.reset_text()
            if inserts := changes.grown.get(number):
                row.cells.grow(inserts)
            if inserts := changes.shown.get(number):
                row.cells.grow_sanitized(inserts)

    def _apply_states(self, changes: Changes, now: int) -> None:
        """A state that still holds is left to the clock, which counts its seconds ten times a second."""
        for number in changes.status | changes.parsed:
            row = self.rows.get(number)
            if row is None or row.cells is None:
                continue
            if number in changes.parsed:
                row.cells.refresh_parsed(now)
            if not (row.step.state.live and row.cells.shows_state(now)):
                row.refresh_status(now, self._turn)

    def _on_finished(self, now: int) -> None:
        self._tick.stop()
        for row in self.rows.values():
            if row.cells is not None:
                row.cells.refresh_parsed(now)
            row.refresh_status(now)

    def show_waiting(self, views: Sequence[WaitingView]) -> list[ApprovalRow]:
        """Show these waiting calls and no others; return the rows that are new. What was typed into others stays."""
        wanted = {view.key: view for view in views}
        for card in self.cards:
            for row in [one for one in card.approvals if one.view.key not in wanted]:
                card.drop_approval(row)
        shown = {row.view.key for row in self.approvals}
        made = []
        for view in views:
            home = next((one for one in self.cards if one.loop.number == view.loop), None)
            if home is not None and view.key not in shown:
                made.append(home.add_approval(view))
        for number, row in enumerate(self.approvals, 1):
            row.show_clock(wanted[row.view.key].left_s, number, len(wanted))
        if made:
            self.place()
        return made

    @property
    def approvals(self) -> list[ApprovalRow]:
        """The rows of waiting calls, from above."""
        return [row for card in self.cards for row in card.approvals]

    def jump_to_approval(self) -> None:
        """Scroll to the first waiting call and give it the keyboard."""
        for card in self.cards:
            if card.approvals:
                card.set_folded(False)
                self.place()
                self._scroll.ensureVisible(0, card.y() + card.approvals[0].y() + card.approvals[0].height() // 2)
                card.approvals[0].allow_button.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def set_regions(self, step: int, regions: Sequence[Region]) -> None:
        """Colour a step's raw text by its parser's reading."""
        self._regions[step] = regions
        if row := self.rows.get(step):
            row.set_regions(regions)

    def add_regions(self, step: int, regions: Sequence[Region]) -> None:
        """Colour calls that the parser has read in a growing text."""
        if row := self.rows.get(step):
            row.add_regions(regions)

    def _add_card(self, number: int) -> None:
        assert self.run is not None
        loop = next(one for one in self.run.loops if one.number == number)
        card = LoopCard(self.run, loop, self.ruler, self._body)
        card.height_changed.connect(self.ask_place)
        card.chip_chosen.connect(self.jump_to)
        self.cards.append(card)
        card.show()

    def _add_row(self, number: int) -> None:
        assert self.run is not None
        step = self.run.steps[number]
        card = next(one for one in self.cards if one.loop.number == step.loop)
        row = card.add_step(step)
        self.rows[number] = row
        row.set_regions(self._regions.get(number, ()))
        row.link_chosen.connect(self.link_chosen)
        row.menu_asked.connect(self.menu_asked)
        row.place_chosen.connect(self.place_chosen)
        row.selected.connect(self.step_selected)
        row.acted.connect(self.acted)
        row.scrolled_away.connect(self.on_cell_scrolled)

    def _on_tick(self) -> None:
        self._turn = (self._turn + 30.0) % 360.0
        now = self.now_us()
        for card in self.cards:
            for row in card.rows:
                if row.step.state.live or _waits_for_tool(row):
                    row.refresh_status(now, self._turn)
            if card.loop.ended_us is None:
                card.refresh_header(now)
        self.ticked.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes on to the raw output of the step that the inspector shows, or of the first in sight."""
        super().focusInEvent(event)
        rows = [*filter(None, [self.rows.get(-1 if self._current is None else self._current)]), *self.rows.values()]
        made = next((row for row in rows if row.cells is not None and row.isVisibleTo(self)), None)
        if made is not None and made.cells is not None:
            made.cells.raw.take_focus()

    def fold_all(self, folded: bool) -> None:
        """Fold or unfold every card."""
        for card in self.cards:
            card.set_folded(folded)

    @property
    def all_folded(self) -> bool:
        """Every card is folded."""
        return bool(self.cards) and all(card.is_folded for card in self.cards)

    def next_problem(self, step: int) -> StepChip | None:
        """Jump to the next (1) or previous (-1) problem."""
        chips = [chip for card in self.cards for chip in loop_problems(card.loop)]
        if not chips:
            return None
        if self._jump_at < 0:
            self._jump_at = -1 if step > 0 else 0
        self._jump_at = (self._jump_at + step) % len(chips)
        self.jump_to(chips[self._jump_at])
        return chips[self._jump_at]

    def jump_to(self, chip: StepChip) -> None:
        """Show a problem's characters and blink them."""
        self.show_span(chip.step, chip.span)
        self.step_selected.emit(chip.step)

    def show_span(self, step: int, span: Span | None) -> None:
        """Scroll to a step and to characters of its raw text."""
        row = self.rows.get(step)
        if row is None:
            return
        next(one for one in self.cards if row in one.rows).set_folded(False)
        row.make(self.now_us())
        self.place()
        self.show_place(row, row.jump(span))

    def set_current(self, step: int | None) -> None:
        """Mark the step that the inspector shows."""
        self._current = step
        for number, row in self.rows.items():
            row.set_current(number == step)

    def set_linked(self, step: int | None, spans: Sequence[Span], links: frozenset[object]) -> None:
        """Mark linked characters in one step, and in no other."""
        for number, row in self.rows.items():
            if number == step:
                row.set_linked(spans, links)
            else:
                row.set_linked((), frozenset())


def _waits_for_tool(row: LoopStepRow) -> bool:
    return any(view.started_us is not None and view.result is None for view in row.step.calls)
