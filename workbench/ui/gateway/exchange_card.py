"""An exchange's card: the rows of its run once they are wanted, what is held of it, or why there is nothing to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.gateway.exchange_words import ExchangeWords
from workbench.ui.gateway.held_row import HeldRow
from workbench.ui.run.loop.step_card import StepCard
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.gateway.values import ExchangeLine, HeldView
    from workbench.ui.run.loop.ruler import ColumnRuler
    from workbench.ui.run.run_view import Changes, RunView


class CardNote(QWidget):
    """One sentence where rows would stand."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""

    @property
    def words(self) -> str:
        """What it says."""
        return self._words

    def show_words(self, words: str) -> None:
        """Say something else."""
        self._words = words
        self.setAccessibleName(words)
        self.update()

    def height_now(self) -> int:
        """One line."""
        return px(32)

    def place(self) -> None:
        """Nothing is inside."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        room = QRect(px(12), 0, self.width() - px(24), self.height())
        paint_text(QPainter(self), room, self._words, ui_font(italic=True), tokens().text3)


class ExchangeCard(StepCard):
    """Folded, it is a header made of a line. Unfolded, it asks for its run once and shows it."""

    run_wanted = Signal(int)
    """The number of the exchange whose run is to be shown."""

    def __init__(self, line: ExchangeLine, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(tr("Exchange {number}", number=line.number), ruler, parent)
        self.line = line
        self.words = ExchangeWords(line)
        self.run: RunView | None = None
        self.held: HeldRow | None = None
        self._note = CardNote(self)
        self._asked = False
        self.set_folded(True)
        self.show_line(line)
        self.folded.connect(self._on_folded)

    @property
    def number(self) -> int:
        """Of the exchange."""
        return self.line.number

    @property
    def below(self) -> Sequence[QWidget]:
        parts: list[QWidget] = [] if self._note.isHidden() else [self._note]
        return [*parts, self.held] if self.held is not None else parts

    def now_us(self) -> int:
        return self.run.last_at_us if self.run is not None else 0

    def show_line(self, line: ExchangeLine) -> None:
        """Bring the header up to date."""
        changed, self.line, self.words.line = line != self.line, line, line
        for one in self.rows if changed else ():
            if one.cells is not None:
                one.cells.refresh_parsed(self.now_us())
                one.refresh_status(self.now_us())
        self.header.show_loop(line.summary, list(line.chips), line.figures)
        self._show_note()

    def _show_note(self) -> None:
        """Where no rows stand and nothing is held, a sentence says why."""
        words = self.line.note
        if not words and self.run is None and self.held is None:
            words = tr("reading the record") if self.line.shown_run else tr("nothing was sent yet")
        self._note.show_words(words)
        wanted = bool(words) and not self.rows and self.held is None
        if wanted == self._note.isHidden():
            self._note.setVisible(wanted)
            self.height_changed.emit()

    def say(self, words: str) -> None:
        """Say why the run cannot be shown."""
        self._note.show_words(words)

    def _on_folded(self, folded: bool) -> None:
        if not folded:
            self.ask()

    def ask(self) -> None:
        """Ask for the run, once, if there is one to be seen."""
        if not self._asked and self.line.shown_run and not self.line.note:
            self._asked = True
            self.run_wanted.emit(self.number)

    def forget_run(self) -> None:
        """Show another run the next time: the one that is shown is no longer that of the exchange."""
        for one in self.rows:
            one.hide()
            one.deleteLater()
        self.rows, self.run, self._asked = [], None, False
        self._show_note()

    def show_run(self, run: RunView, by_hand: RunView | None = None) -> None:
        """Show a run's rows, and what a person gave in place of its reply; what was there goes."""
        self.forget_run()
        self.run, self._asked, self.words.by_hand = run, True, by_hand
        for number in sorted(run.steps):
            self.add_row(run, run.steps[number], self.words)
        self._show_note()

    def apply(self, changes: Changes, now_us: int) -> None:
        """Follow a batch of changes of the run."""
        assert self.run is not None
        for number in changes.new_steps:
            self.add_row(self.run, self.run.steps[number], self.words)
        for one in self.rows:
            number, cells = one.step.number, one.cells
            if number in changes.reset:
                one.forget_regions()
            if cells is None:
                continue
            if number in changes.reset:
                cells.reset_text()
            if inserts := changes.grown.get(number):
                cells.grow(inserts)
            if inserts := changes.shown.get(number):
                cells.grow_sanitized(inserts)
            if number in changes.parsed or changes.finished:
                cells.refresh_parsed(now_us)
            one.refresh_status(now_us)
        self._show_note()

    def show_held(self, view: HeldView | None) -> HeldRow | None:
        """Show what is held, or no longer; return the row if it is new. What was typed into one that stays stays."""
        if view is not None and self.held is not None and self.held.view.number == view.number:
            self.held.show_left(view.left_s)
            return None
        if self.held is not None:
            self.held.hide()
            self.held.deleteLater()
            self.held = None
            self.height_changed.emit()
        if view is not None:
            self.held = HeldRow(view, self._ruler, self)
            self.held.height_changed.connect(self.height_changed)
            self.held.setVisible(not self.is_folded)
            self.set_folded(False)
            self.height_changed.emit()
        self._show_note()
        return self.held
