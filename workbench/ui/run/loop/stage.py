"""Where the cards stand: one header row, a scrolled column of cards, cells made near the viewport, the live end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.ui.run.loop.ruler import TITLES, ColumnRuler, LoopHeader
from workbench.ui.run.loop.step import LoopStepRow
from workbench.ui.run.loop.step_card import StepCard
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button

if TYPE_CHECKING:
    from collections.abc import Sequence

Card = TypeVar("Card", bound=StepCard)
MOST_MADE = 24
"""Rows with cells that are kept although they are far from the viewport."""
HEADER = 24


class CardStage(QWidget, Generic[Card]):
    """Places cards and rows; knows nothing of runs but whether one is live."""

    def __init__(self, parent: QWidget | None = None, *, margin: int = 12, titles: Sequence[str] = TITLES) -> None:
        super().__init__(parent)
        self.ruler = ColumnRuler(self)
        self.header = LoopHeader(self.ruler, self, titles)
        self.cards: list[Card] = []
        self.rows: dict[int, LoopStepRow] = {}
        """Rows by step number."""
        self._margin = margin
        self._following = True
        self._placing = False
        self._body = QWidget()
        self._scroll = QScrollArea(self)
        self.live_chip = Button(tr("Jump to live"), icon="arrow-down", small=True, on_click=self.to_live, parent=self)
        self._settle = QTimer(self)
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
        self.live_chip.hide()

    @property
    def is_live(self) -> bool:
        """More is expected; the newest text is followed."""
        return False

    def now_us(self) -> int:
        """The clock of what is shown."""
        return 0

    def clear_cards(self) -> None:
        """Let all cards go."""
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards, self.rows = [], {}
        self._following = True

    def ask_place(self) -> None:
        """Place everything once the present events are done."""
        if not self._placing:
            self._settle.start()

    def place(self) -> None:
        """Place the cards; make the cells that come into view."""
        self._settle.stop()
        self._placing = True
        self._fit_width()
        self._place_cards()
        if self._make_visible():
            self._place_cards()
        if self._following and self.is_live:
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.maximum())
            if self._make_visible():
                self._place_cards()
                bar.setValue(bar.maximum())
        self._placing = False

    def _fit_width(self) -> None:
        margin, top = px(self._margin), px(HEADER)
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
        now, made, far = self.now_us(), False, []
        for card in self.cards:
            for row in card.rows:
                start = card.y() + row.y()
                near = not card.is_folded and start < top + 2 * height and start + row.height() > top - height
                if near and not row.is_made:
                    row.make(now)
                    made = True
                elif row.is_made and not near and not row.step.state.live:
                    far.append(row)
        if sum(row.is_made for row in self.rows.values()) > MOST_MADE:
            for row in far:
                row.release()
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
        hint = self.live_chip.sizeHint()
        left, top = (self.width() - hint.width()) // 2, self.height() - hint.height() - px(12)
        self.live_chip.setGeometry(left, top, hint.width(), hint.height())

    def _on_scrolled(self, value: int) -> None:
        if self._placing:
            return
        if self.is_live:
            self._following = value >= self._scroll.verticalScrollBar().maximum() - px(24)
            self.update_live()
        if self._make_visible():
            self.ask_place()

    def on_cell_scrolled(self, away: bool) -> None:
        """A cell with growing text was scrolled away from its end, or back."""
        self._following = not away
        self.update_live()

    def update_live(self) -> None:
        """Show or hide the way back to the newest text."""
        self.live_chip.setVisible(self.is_live and not self._following)
        if self.live_chip.isVisible():
            self.live_chip.raise_()

    @property
    def is_following(self) -> bool:
        """New text is scrolled into view."""
        return self._following

    def to_live(self) -> None:
        """Go to the newest text and stay there."""
        self._following = True
        for row in self.rows.values():
            if row.cells is not None and row.step.state.live:
                row.cells.follow(True)
        self.place()
        self.update_live()

    def show_place(self, row: LoopStepRow, inside: int) -> None:
        """Scroll so that a place inside a row is seen."""
        card = next(one for one in self.cards if row in one.rows)
        y = card.y() + row.y() + inside
        bar, height = self._scroll.verticalScrollBar(), self._scroll.viewport().height()
        if not bar.value() + px(8) <= y <= bar.value() + height - px(40):
            bar.setValue(max(y - height // 3, 0))
