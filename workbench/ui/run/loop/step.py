"""One row of a loop card: sent, raw output, parsed calls, sanitized reply, placed from the shared ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.run.cell_words import CellWords
from workbench.ui.run.loop.cells import StepCells
from workbench.ui.run.loop.marks import StepMarks
from workbench.ui.run.loop.pane import MOST_LINES, Pane
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import Sizes
from workbench.ui.widgets.painting import paint_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from workbench.core.calls import Region, Span
    from workbench.ui.run.loop.ruler import ColumnRuler
    from workbench.ui.run.run_view import RunView, StepView

PAD_X, PAD_Y = 12, 8


class LoopStepRow(QWidget):
    """A step. Its cells exist only while it is near the viewport; otherwise a summary is painted at the same height."""

    height_changed = Signal()
    link_chosen = Signal(int, object)
    """Step and link of the parsed cell."""
    menu_asked = Signal(int, object, QPoint)
    place_chosen = Signal(int, str, int)
    """Step, source and offset of a character that was clicked in the raw cell."""
    selected = Signal(int)
    acted = Signal(int, str)
    """A button: `cancel`, `retry`, `wire`, `report`, `whole`, `whole_sanitized`."""
    scrolled_away = Signal(bool)

    def __init__(
        self,
        run: RunView,
        step: StepView,
        ruler: ColumnRuler,
        parent: QWidget | None = None,
        *,
        words: CellWords | None = None,
    ) -> None:
        super().__init__(parent)
        self.step = step
        self._words = words or CellWords()
        self.cells: StepCells | None = None
        self._run, self._ruler = run, ruler
        self._marks = StepMarks(step)
        self._height = 0
        self._current = False
        self.setAccessibleName(self._words.place(step))

    @property
    def is_made(self) -> bool:
        """Its cells exist."""
        return self.cells is not None

    @property
    def panes(self) -> tuple[Pane, ...]:
        """The four cells, or nothing while a summary is painted."""
        return self.cells.panes if self.cells is not None else ()

    def make(self, now_us: int) -> StepCells:
        """Make the cells and fill them, if they are not there."""
        if self.cells is not None:
            return self.cells
        number = self.step.number
        cells = StepCells(self._run, self.step, self._marks, self, self._words)
        cells.link_chosen.connect(lambda link: self.link_chosen.emit(number, link))
        cells.menu_asked.connect(lambda link, place: self.menu_asked.emit(number, link, place))
        cells.place_chosen.connect(lambda source, offset: self.place_chosen.emit(number, source, offset))
        cells.acted.connect(lambda what: self.acted.emit(number, what))
        cells.scrolled_away.connect(self.scrolled_away)
        cells.fill(now_us, narrow=self._ruler.narrow)
        cells.height_changed.connect(self.height_changed)
        self.cells = cells
        for pane in cells.panes:
            pane.show()
        self.place()
        return cells

    def release(self) -> None:
        """Let the cells go; the height stays."""
        if self.cells is not None:
            self.cells.remove()
            self.cells = None
            self.update()

    def set_current(self, current: bool) -> None:
        """Mark the step that the inspector shows."""
        if current != self._current:
            self._current = current
            self.update()

    def set_regions(self, regions: Sequence[Region]) -> None:
        """Colour the raw text by a parser's reading."""
        self._marks.regions = regions
        if self.cells is not None:
            self.cells.set_regions()

    def add_regions(self, regions: Sequence[Region]) -> None:
        """Colour calls that the parser has read in a growing text."""
        self._marks.add(regions)
        if self.cells is not None:
            self.cells.add_regions(regions)

    def forget_regions(self) -> None:
        """The text starts over."""
        self._marks.forget()

    def refresh_status(self, now_us: int, turn: float = 0.0) -> None:
        """Bring state and tokens up to date; turn spinners."""
        if self.cells is not None:
            self.cells.refresh_status(now_us, narrow=self._ruler.narrow, turn=turn)

    def jump(self, span: Span | None) -> int:
        """Blink the characters of a span; return how far down the row they are."""
        return px(PAD_Y) + self.cells.jump(span) if self.cells is not None else 0

    def set_linked(self, spans: Sequence[Span], links: frozenset[Hashable]) -> None:
        """Mark characters in the raw cell and words in the parsed cell."""
        if self.cells is not None:
            self.cells.set_linked(spans, links)

    def height_now(self) -> int:
        """The height at the ruler's widths; guessed from the text where no cells exist."""
        if self.cells is None:
            return self._height or self._guess()
        pad = 2 * px(PAD_X)
        columns = zip(self.panes, self._ruler.widths, strict=True)
        self._height = max(pane.height_for(max(width - pad, px(20))) for pane, width in columns) + 2 * px(PAD_Y)
        return self._height

    def _guess(self) -> int:
        columns = max((self._ruler.widths[1] - 2 * px(PAD_X)) // px(7), 8)
        lines = 0
        for line in self.step.text[: columns * MOST_LINES].split("\n"):
            lines += 1 + len(line) // columns
        facts = 1 + len(self.step.news)
        return max(min(lines, MOST_LINES), facts) * px(Sizes.LINE) + 2 * px(PAD_Y)

    def place(self) -> None:
        """Place the four cells from the ruler."""
        left = 0
        for pane, width in zip(self.panes, self._ruler.widths, strict=False):
            box = QRect(left + px(PAD_X), px(PAD_Y), width - 2 * px(PAD_X), self.height() - 2 * px(PAD_Y))
            if pane.geometry() != box:
                pane.setGeometry(box)
            pane.place()
            left += width

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.selected.emit(self.step.number)
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        left = 0
        for width in self._ruler.widths[:3]:
            left += width
            painter.fillRect(left - 1, 0, 1, self.height(), QColor(t.line))
        if self._current:
            painter.fillRect(0, px(6), px(3), self.height() - px(12), QColor(t.accent))
        if self.cells is None:
            self._paint_summary(painter)

    def _paint_summary(self, painter: QPainter) -> None:
        t = tokens()
        title = self._words.title(self.step)
        line = QRect(px(PAD_X), px(PAD_Y), self._ruler.widths[0] - 2 * px(PAD_X), px(Sizes.LINE))
        paint_text(painter, line, title, ui_font(bold=True), t.text)
        line.moveLeft(self._ruler.widths[0] + px(PAD_X))
        line.setWidth(self._ruler.widths[1] - 2 * px(PAD_X))
        first = self.step.text[:200].split("\n", 1)[0]
        paint_text(painter, line, first, mono_font(), t.text2)
