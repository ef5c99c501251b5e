"""The matrix's header of two levels: models above, format and mode below; and the head of the frozen column."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QWidget

from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_words import mode_words
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_box, paint_text

HEIGHT = 70


class TargetHeader(QHeaderView):
    """A click on a target compares it with the one clicked before."""

    target_clicked = Signal(int)
    """Index of a target in its batch."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._pair: tuple[int, int] | None = None
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(px(40))
        self.setAccessibleName(tr("Targets"))
        self.setMouseTracking(True)

    def show_pair(self, pair: tuple[int, int] | None) -> None:
        """Mark the two targets that are compared with A and B."""
        self._pair = pair
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEIGHT))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        column = self.logicalIndexAt(event.position().toPoint())
        model = self.model()
        if column > 0 and isinstance(model, MatrixModel) and event.button() == Qt.MouseButton.LeftButton:
            self.target_clicked.emit(model.target(column).target)
        super().mouseReleaseEvent(event)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        model = self.model()
        if not isinstance(model, MatrixModel) or not 0 < column < model.columnCount():
            return
        t = tokens()
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, QColor(t.sunken))
        self._paint_group(painter, rect, model, column)
        self._paint_target(painter, rect, model, column)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(t.line2))
        painter.restore()

    def _paint_group(self, painter: QPainter, rect: QRect, model: MatrixModel, column: int) -> None:
        """The model's name over all its columns; it stays in sight while they scroll by."""
        t, target = tokens(), model.target(column)
        first, last = model.group(column)
        left = self.sectionViewportPosition(first)
        right = self.sectionViewportPosition(last) + self.sectionSize(last)
        if first == column:
            painter.fillRect(rect.left(), rect.top(), 1, rect.height(), QColor(t.line2))
        painter.fillRect(max(left + px(11), rect.left()), px(28), right - left - px(19), 1, QColor(t.line2))
        room = QRect(max(left, 0) + px(11), px(6), right - max(left, 0) - px(22), px(20))
        if target.simulated:
            side = px(13)
            paint_icon(painter, "flask", QRect(room.left(), room.center().y() - side // 2, side, side), t.text2)
            room.setLeft(room.left() + px(19))
        used = paint_text(painter, room, target.value.executor.model, ui_font(12, bold=True), t.text)
        word = "simulated"
        if target.simulated and room.width() - used > QFontMetrics(ui_font(11)).horizontalAdvance(word) + px(12):
            paint_text(painter, room, word, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)

    def _paint_target(self, painter: QPainter, rect: QRect, model: MatrixModel, column: int) -> None:
        t, target = tokens(), model.target(column)
        room = QRect(rect.left() + px(11), px(31), rect.width() - px(13), px(17))
        paint_text(painter, room, target.format, fitting(target.format, room.width()), t.text)
        lower = QRect(room.left(), px(48), room.width(), px(17))
        mode = mode_words(target.value)
        chosen = self._pair is not None and target.target in self._pair
        free = lower.adjusted(0, 0, -px(24) if chosen else 0, 0)
        font = fitting(mode, free.width(), 11)
        paint_text(painter, free, mode, font, t.text2 if mode != "direct" else t.text3)
        if self._pair is not None and chosen:
            letter = "A" if target.target == self._pair[0] else "B"
            paint_letter(painter, QRect(rect.right() - px(22), px(48), px(16), px(16)), letter)


def fitting(text: str, width: int, largest: int = 12) -> QFont:
    """The largest of three sizes in which a name fits; `largest` is where to begin."""
    for size in range(largest, 9, -1):
        font = ui_font(size)
        if QFontMetrics(font).horizontalAdvance(text) <= width:
            return font
    return ui_font(10)


def paint_letter(painter: QPainter, box: QRect, letter: str) -> None:
    """Paint A or B in its small box."""
    t = tokens()
    paint_box(painter, box, ground=t.surface, border=t.line2, radius=4)
    paint_text(painter, box, letter, ui_font(10), t.text2, align=Qt.AlignmentFlag.AlignHCenter)


class CaseHead(QWidget):
    """The head of the frozen column: what the rows are and how they are ordered."""

    def __init__(self) -> None:
        super().__init__()
        self._order = tr("most disagreement first")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Cases, {order}", order=self._order))

    def set_order(self, words: str) -> None:
        """Say how the rows are ordered now."""
        self._order = words
        self.setAccessibleName(tr("Cases, {words}", words=words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(204), px(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.fillRect(self.rect(), QColor(t.sunken))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(t.line2))
        room = QRect(px(16), px(31), self.width() - px(24), px(17))
        width = paint_text(painter, room, tr("Case"), ui_font(12, bold=True), t.text2)
        side = px(11)
        arrow = QRect(room.left() + width + px(5), room.center().y() - side // 2, side, side)
        paint_icon(painter, "arrow-down", arrow, t.text3)
        paint_text(painter, QRect(px(16), px(48), room.width(), px(17)), self._order, ui_font(11), t.text3)
