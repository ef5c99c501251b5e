"""A card: a header over step rows and whatever waits below them. Geometry is set by hand, so that all cards share the
ruler's columns to the pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QRect, QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.cell_words import CellWords
from workbench.ui.run.loop.card_header import HEADER, CardHeader
from workbench.ui.run.loop.step import LoopStepRow
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.painting import paint_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.loop.ruler import ColumnRuler
    from workbench.ui.run.run_view import RunView, StepView


class CardPart(Protocol):
    """A widget below a card's header."""

    def height_now(self) -> int:
        """The height at the ruler's widths."""
        ...

    def place(self) -> None:
        """Place what is inside."""
        ...


class StepCard(QWidget):
    """A header, rows, and what a subclass puts below them."""

    height_changed = Signal()
    folded = Signal(bool)
    chip_chosen = Signal(object)
    row_added = Signal(object)

    def __init__(self, name: str, ruler: ColumnRuler, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[LoopStepRow] = []
        self._ruler = ruler
        self._is_folded = False
        self.header = CardHeader(name, self)
        self.header.fold_asked.connect(lambda: self.set_folded(not self._is_folded))
        self.header.chip_chosen.connect(self.chip_chosen)
        ruler.moved.connect(self._on_ruler_moved)

    @property
    def below(self) -> Sequence[QWidget]:
        """What stands below the rows; each is a `CardPart`."""
        return ()

    @property
    def _parts(self) -> list[QWidget]:
        """Everything below the header, from above."""
        return [*self.rows, *self.below]

    @property
    def is_folded(self) -> bool:
        """Only the header shows."""
        return self._is_folded

    def set_folded(self, folded: bool) -> None:
        """Show or hide the rows."""
        if folded == self._is_folded:
            return
        self._is_folded = folded
        self.header.set_folded(folded)
        for part in self._parts:
            part.setVisible(not folded)
        self.height_changed.emit()
        self.folded.emit(folded)

    def add_row(self, run: RunView, step: StepView, words: CellWords | None = None) -> LoopStepRow:
        """Add the row of a step."""
        row = LoopStepRow(run, step, self._ruler, self, words=words)
        row.height_changed.connect(self.height_changed)
        self.rows.append(row)
        row.setVisible(not self._is_folded)
        self.row_added.emit(row)
        self.height_changed.emit()
        return row

    def height_now(self) -> int:
        """The height of header and rows, hairlines and border included."""
        height = px(HEADER) + 2
        if not self._is_folded:
            height += sum(_part(part).height_now() + 1 for part in self._parts)
        return height

    def place(self) -> None:
        """Give header and rows their places inside the border."""
        width = self.width() - 2
        self.header.setGeometry(1, 1, width, px(HEADER))
        top = 1 + px(HEADER)
        for part in self._parts:
            height = _part(part).height_now()
            box = QRect(1, top + 1, width, height)
            if part.geometry() != box:
                part.setGeometry(box)
            else:
                _part(part).place()
            top += height + 1
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def now_us(self) -> int:
        """The clock of what is shown."""
        return 0

    def _on_ruler_moved(self) -> None:
        for row in self.rows:
            row.update()
            row.refresh_status(self.now_us())
        self.height_changed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        paint_box(painter, self.rect(), ground=t.surface, border=t.line2, radius=Sizes.RADIUS_CARD)
        if self._is_folded:
            return
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), Sizes.RADIUS_CARD, Sizes.RADIUS_CARD)
        painter.setClipPath(path)
        for part in self._parts:
            painter.fillRect(1, part.y() - 1, self.width() - 2, 1, QColor(t.line))


def _part(widget: QWidget) -> CardPart:
    assert hasattr(widget, "height_now")
    return widget  # type: ignore[return-value]  # a widget cannot say so in its type
