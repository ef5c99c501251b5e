"""The matrix: a frozen column of cases, scrolling columns of targets, the row of suite means below, a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QTableView, QWidget

from workbench.ui.compare.matrix_cells import ROW, CaseDelegate, CellDelegate
from workbench.ui.compare.matrix_header import CaseHead, TargetHeader, fitting
from workbench.ui.compare.matrix_words import column_label, total_words
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.frozen_columns import CellTable, FrozenColumns, set_up_table
from workbench.ui.widgets.interval import paint_interval
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_box, paint_text

if TYPE_CHECKING:
    from workbench.ui.compare.matrix_model import MatrixModel

FROZEN, LEAST = 204, 92
"""Widths: of the frozen column, and the least of a target's."""


class OpeningCells(CellTable):
    """Targets' columns; Enter opens the chosen cell's first run."""

    opened = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


class MatrixView(FrozenColumns):
    """Cases at the left, targets beside them, their means below."""

    cell_chosen = Signal(QModelIndex)
    cell_opened = Signal(QModelIndex)
    target_clicked = Signal(int)
    cells: OpeningCells

    def __init__(self, model: MatrixModel) -> None:
        cases, cells = QTableView(), OpeningCells()
        super().__init__(cases, cells, frozen=(FROZEN,), row_height=ROW, widths=(LEAST, 0))
        self.cases, self.cells, self.model = cases, cells, model
        self.header = TargetHeader()
        self.head = CaseHead()
        self.totals = TotalsRow(self)
        self._set_up()
        self._connect()
        whole = column(self.join(self.head), self.totals, Legend(), gap=0)
        whole.setStretch(0, 1)
        self.setLayout(whole)
        self.apply_sizes()

    def _set_up(self) -> None:
        set_up_table(self.cases, tr("Cases"))
        set_up_table(self.cells, tr("Cells"))
        self.cells.setHorizontalHeader(self.header)
        self.cases.horizontalHeader().hide()
        for table, delegate in ((self.cases, CaseDelegate(self)), (self.cells, CellDelegate(self))):
            table.setModel(self.model)
            table.setItemDelegate(delegate)
        self.cases.setSelectionModel(self.cells.selectionModel())

    def _connect(self) -> None:
        self.cells.selectionModel().currentChanged.connect(self._on_current)
        self.cells.doubleClicked.connect(self.cell_opened)
        self.cells.opened.connect(self.cell_opened)
        self.header.target_clicked.connect(self.target_clicked)
        self.model.dataChanged.connect(self.totals.tell)
        self.cells.horizontalScrollBar().valueChanged.connect(self.totals.update)
        self.header.sectionResized.connect(self.totals.update)

    def apply_sizes(self) -> None:
        self.head.setFixedSize(px(FROZEN), self.head.sizeHint().height())
        self.header.setFixedHeight(self.header.sizeHint().height())
        super().apply_sizes()
        self.totals.setVisible(bool(self.model.columns))
        self.totals.updateGeometry()
        self.totals.tell()

    def _on_current(self, now: QModelIndex, _before: QModelIndex) -> None:
        self.cases.viewport().update()
        self.cell_chosen.emit(now)

    def choose(self, case_id: str, column_of: int) -> None:
        """Choose a cell by its case and column, if it is shown."""
        at = self.model.row_of(case_id)
        if at >= 0 and 0 < column_of < self.model.columnCount():
            self.cells.setCurrentIndex(self.model.index(at, column_of))


class TotalsRow(QWidget):
    """Each target's mean over the suite, under its column."""

    def __init__(self, matrix: MatrixView) -> None:
        super().__init__()
        self._matrix = matrix
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Suite means"))

    def tell(self) -> None:
        """Paint them, and have them told by a screen reader."""
        words = (f"{column_label(one)} {' '.join(total_words(one))}" for one in self._matrix.model.columns)
        self.setAccessibleDescription("; ".join(words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(FROZEN), px(52))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        painter.fillRect(self.rect(), QColor(t.sunken))
        painter.fillRect(0, 0, self.width(), 1, QColor(t.line2))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(t.line))
        title = QRect(px(16), px(7), px(FROZEN) - px(20), px(18))
        paint_text(painter, title, tr("Suite mean"), ui_font(12, bold=True), t.text)
        paint_text(painter, title.translated(0, px(20)), tr("mean over cases, 95 %"), ui_font(11), t.text3)
        painter.setClipRect(QRect(px(FROZEN), 1, self.width() - px(FROZEN), self.height() - 2))
        model, header = self._matrix.model, self._matrix.header
        for at, shown in enumerate(model.columns, 1):
            left = px(FROZEN) + header.sectionViewportPosition(at)
            if model.group(at)[0] == at:
                painter.fillRect(left, 0, 1, self.height(), QColor(t.line2))
            room = QRect(left + px(11), px(7), header.sectionSize(at) - px(18), px(18))
            mean, around = fitting_total(*total_words(shown), room.width())
            used = paint_text(painter, room, mean, ui_font(12, bold=True), t.text)
            rest = room.adjusted(used + px(3), 0, 0, 0)
            font = fitting(around, rest.width(), 11)
            paint_text(painter, rest, around, font, t.text3, align=Qt.AlignmentFlag.AlignRight)
            if (score := shown.score) is not None:
                paint_interval(painter, room.translated(0, px(19)), *score.interval, score.value)


def fitting_total(mean: str, around: str, width: int) -> tuple[str, str]:
    """A mean and its interval as they fit: in a narrow column the sign gives way, never an end of the interval."""
    needed = QFontMetrics(ui_font(12, bold=True)).horizontalAdvance(mean) + px(3)
    needed += QFontMetrics(ui_font(10)).horizontalAdvance(around)
    return (mean if needed <= width else mean.removesuffix(" %")), around


class Legend(QWidget):
    """What shapes and grounds of the cells mean."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))

    def sizeHint(self) -> QSize:
        return QSize(px(FROZEN), px(32))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t, left = QPainter(self), tokens(), px(16)
        painter.fillRect(self.rect(), QColor(t.surface))
        for state in ("pass", "fail", "flaky", "error", "cancelled", "not_gradable"):
            side = px(9)
            paint_verdict(painter, state, QRectF(left, (self.height() - side) / 2, side, side))
            room = QRect(left + px(16), 0, px(120), self.height())
            left += px(16) + paint_text(painter, room, VERDICTS[state].word, ui_font(11), t.text2) + px(16)
        right = self.width() - px(16)
        for name in ("heat_high", "heat_mid", "surface", "heat_low"):
            box = QRect(right - px(14), (self.height() - px(12)) // 2, px(14), px(12))
            paint_box(painter, box, ground=t.colour(name), border=t.line, radius=2)
            right -= px(18)
        room = QRect(left, 0, right - left - px(8), self.height())
        words = tr("cell colour: lower end of the 95 % interval")
        paint_text(painter, room, words, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
