"""The loop below the composer: one header row, and the cards that scroll under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.ui.models.run_words import loop_chips
from workbench.ui.theme.fonts import px
from workbench.ui.views.loop_card import LoopCard
from workbench.ui.views.loop_ruler import ColumnRuler, LoopHeader
from workbench.ui.views.loop_step import StepRow
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import Region, Span
    from workbench.ui.models.run_view import Changes, RunView
    from workbench.ui.models.run_words import Chip

TICK_MS = 100
MOST_MADE = 24
"""Rows with panes that are kept although they are far from the viewport."""


class LoopArea(QWidget):
    """Shows a `RunView` and follows its changes."""

    link_chosen = Signal(int, object)
    menu_asked = Signal(int, object, QPoint)
    place_chosen = Signal(int, str, int)
    step_selected = Signal(int)
    acted = Signal(int, str)

    def __init__(self, parent: QWidget | None = None, *, margin: int = 12) -> None:
        super().__init__(parent)
        self.ruler = ColumnRuler(self)
        self.header = LoopHeader(self.ruler, self)
        self.run: RunView | None = None
        self.cards: list[LoopCard] = []
        self._margin = margin
        self._rows: dict[int, StepRow] = {}
        self._regions: dict[int, Sequence[Region]] = {}
        self._following = True
        self._placing = False
        self._turn = 0.0
        self._jump_at = -1
        self._since = QElapsedTimer()
        self._since.start()
        self._body = QWidget()
        self._scroll = QScrollArea(self)
        self.live_chip = Button("Jump to live", icon="arrow-down", small=True, on_click=self.to_live, parent=self)
        self._settle = QTimer(self)
        self._tick = QTimer(self)
        self._set_up()

    def _set_up(self) -> None:
        self._scroll.setWidget(self._body)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._settle.setSingleShot(True)
        self._settle.setInterval(0)
        self._settle.timeout.connect(self.place)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self.live_chip.hide()

    @property
    def rows(self) -> dict[int, StepRow]:
        """Rows by step number."""
        return self._rows

    def now_us(self) -> int:
        """The run's clock: the newest event, and what has passed since, while the run is live."""
        if self.run is None:
            return 0
        return self.run.last_at_us + (self._since.elapsed() * 1000 if self.run.live else 0)

    def show_run(self, run: RunView) -> None:
        """Show another run; cards of the one before go."""
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards, self._rows, self._regions = [], {}, {}
        self.run, self._following, self._jump_at = run, True, -1
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
        self._update_live()

    def _fold_calm_cards(self) -> None:
        """In a long finished run the cards are closed; the first one with a problem opens by itself."""
        if self.run is None or self.run.live or len(self.run.steps) <= MOST_MADE:
            return
        problem = next((card for card in self.cards if loop_chips(card.loop)), self.cards[-1])
        for card in self.cards:
            card.set_folded(card is not problem)

    def apply(self, changes: Changes) -> None:
        """Follow a batch of changes: append, never draw everything again."""
        if self.run is None:
            return
        self._since.restart()
        now = self.now_us()
        for number in changes.new_loops:
            self._add_card(number)
        for number in changes.new_steps:
            self._add_row(number)
        self._apply_texts(changes)
        for number in changes.parsed:
            if row := self._rows.get(number):
                row.refresh_parsed(now)
        for number in changes.status | changes.parsed:
            if row := self._rows.get(number):
                row.refresh_status(now, self._turn)
        for card in self.cards:
            if card.loop.number in changes.loops or changes.finished:
                card.refresh_header(now)
        if changes.finished:
            self._on_finished(now)
        elif self.run.live and not self._tick.isActive():
            self._tick.start()
        if changes.new_loops or changes.new_steps:
            self.place()
        self._update_live()

    def _apply_texts(self, changes: Changes) -> None:
        for number in changes.reset:
            if row := self._rows.get(number):
                row.reset_text()
        for number, inserts in changes.grown.items():
            if row := self._rows.get(number):
                row.grow(inserts)
        for number, inserts in changes.shown.items():
            if row := self._rows.get(number):
                row.grow_sanitized(inserts)

    def _on_finished(self, now: int) -> None:
        self._tick.stop()
        for row in self._rows.values():
            row.refresh_parsed(now)
            row.refresh_status(now)

    def set_regions(self, step: int, regions: Sequence[Region]) -> None:
        """Colour a step's raw text by its parser's reading."""
        self._regions[step] = regions
        if row := self._rows.get(step):
            row.set_regions(regions)

    def _add_card(self, number: int) -> None:
        assert self.run is not None
        loop = next(one for one in self.run.loops if one.number == number)
        card = LoopCard(self.run, loop, self.ruler, self._body)
        card.height_changed.connect(self._ask_place)
        card.chip_chosen.connect(self.jump_to)
        self.cards.append(card)
        card.show()

    def _add_row(self, number: int) -> None:
        assert self.run is not None
        step = self.run.steps[number]
        card = next(one for one in self.cards if one.loop.number == step.loop)
        row = card.add_step(step)
        self._rows[number] = row
        row.set_regions(self._regions.get(number, ()))
        row.link_chosen.connect(self.link_chosen)
        row.menu_asked.connect(self.menu_asked)
        row.place_chosen.connect(self.place_chosen)
        row.selected.connect(self.step_selected)
        row.acted.connect(self.acted)
        row.scrolled_away.connect(self._on_cell_scrolled)

    def _ask_place(self) -> None:
        if not self._placing:
            self._settle.start()

    def place(self) -> None:
        """Place the cards; make the panes that come into view."""
        self._settle.stop()
        self._placing = True
        self._fit_width()
        self._place_cards()
        if self._make_visible():
            self._place_cards()
        self._placing = False
        if self._following and self.run is not None and self.run.live:
            bar = self._scroll.verticalScrollBar()
            self._placing = True
            bar.setValue(bar.maximum())
            self._placing = False
            if self._make_visible():
                self._ask_place()

    def _fit_width(self) -> None:
        margin = px(self._margin)
        top = px(24)
        self._scroll.setGeometry(0, top, self.width(), max(self.height() - top, 0))
        width = self.width() - 2 * margin
        self.ruler.fit(width - 2)
        self.header.setGeometry(margin + 1, 0, width - 2, top)

    def _place_cards(self) -> None:
        margin = px(self._margin)
        width, y = self.width() - 2 * margin, 0
        for card in self.cards:
            height = card.height_now()
            if (card.x(), card.y(), card.width(), card.height()) != (margin, y, width, height):
                card.setGeometry(margin, y, width, height)
            card.place()
            y += height + px(8)
        self._body.resize(self.width(), max(y, 1))

    def _make_visible(self) -> bool:
        """Make rows within one screen of the viewport; let go of far ones where there are many."""
        height = self._scroll.viewport().height()
        top = self._scroll.verticalScrollBar().value()
        made, far = False, []
        for card in self.cards:
            for row in card.rows:
                start = card.y() + row.y()
                near = not card.is_folded and start < top + 2 * height and start + row.height() > top - height
                if near and not row.is_made:
                    row.make()
                    made = True
                elif row.is_made and not near and not row.step.state.live:
                    far.append(row)
        if sum(row.is_made for row in self._rows.values()) > MOST_MADE:
            for row in far:
                row.release()
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
        hint = self.live_chip.sizeHint()
        self.live_chip.setGeometry(
            (self.width() - hint.width()) // 2, self.height() - hint.height() - px(12), hint.width(), hint.height()
        )

    def _on_scrolled(self, value: int) -> None:
        if self._placing:
            return
        if self.run is not None and self.run.live:
            bar = self._scroll.verticalScrollBar()
            self._following = value >= bar.maximum() - px(24)
            self._update_live()
        if self._make_visible():
            self._ask_place()

    def _on_cell_scrolled(self, away: bool) -> None:
        self._following = not away
        self._update_live()

    def _update_live(self) -> None:
        live = self.run is not None and self.run.live
        self.live_chip.setVisible(live and not self._following)
        if self.live_chip.isVisible():
            self.live_chip.raise_()

    @property
    def is_following(self) -> bool:
        """New text is scrolled into view."""
        return self._following

    def to_live(self) -> None:
        """Go to the newest text and stay there."""
        self._following = True
        for row in self._rows.values():
            if row.step.state.live:
                row.follow(True)
        self.place()
        self._update_live()

    def _on_tick(self) -> None:
        self._turn = (self._turn + 30.0) % 360.0
        now = self.now_us()
        for card in self.cards:
            live = [row for row in card.rows if row.step.state.live]
            for row in live:
                row.refresh_status(now, self._turn)
            waiting = [
                row
                for row in card.rows
                if any(view.started_us is not None and view.result is None for view in row.step.calls)
            ]
            for row in waiting:
                row.refresh_status(now, self._turn)
            if card.loop.ended_us is None:
                card.refresh_header(now)

    def fold_all(self, folded: bool) -> None:
        """Fold or unfold every card."""
        for card in self.cards:
            card.set_folded(folded)

    @property
    def all_folded(self) -> bool:
        """Every card is folded."""
        return bool(self.cards) and all(card.is_folded for card in self.cards)

    def problems(self) -> list[Chip]:
        """All chips, in the order of the cards."""
        return [chip for card in self.cards for chip in loop_chips(card.loop)]

    def next_problem(self, step: int) -> Chip | None:
        """Jump to the next (1) or previous (-1) problem."""
        chips = self.problems()
        if not chips:
            return None
        self._jump_at = (
            (self._jump_at + step) % len(chips) if self._jump_at >= 0 else (0 if step > 0 else len(chips) - 1)
        )
        self.jump_to(chips[self._jump_at])
        return chips[self._jump_at]

    def jump_to(self, chip: Chip) -> None:
        """Show a problem's characters and blink them."""
        self.show_span(chip.step, chip.span)
        self.step_selected.emit(chip.step)

    def show_span(self, step: int, span: Span | None) -> None:
        """Scroll to a step and to characters of its raw text."""
        row = self._rows.get(step)
        if row is None:
            return
        card = next(one for one in self.cards if row in one.rows)
        card.set_folded(False)
        row.make()
        self.place()
        inside = row.jump(span)
        self._scroll_to(card.y() + row.y() + inside)

    def _scroll_to(self, y: int) -> None:
        bar, height = self._scroll.verticalScrollBar(), self._scroll.viewport().height()
        if not bar.value() + px(8) <= y <= bar.value() + height - px(40):
            bar.setValue(max(y - height // 3, 0))

    def set_current(self, step: int | None) -> None:
        """Mark the step that the inspector shows."""
        for number, row in self._rows.items():
            row.set_current(number == step)

    def set_linked(self, step: int | None, spans: Sequence[Span], links: frozenset[object]) -> None:
        """Mark linked characters in one step, and in no other."""
        for number, row in self._rows.items():
            if number == step:
                row.set_linked(spans, links)
            else:
                row.set_linked((), frozenset())
