"""The table of a verification: frozen metric and reference, scrolling candidates, the row of verdicts, a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableView, QWidget

from workbench.ui.compare.matrix_header import paint_letter
from workbench.ui.compare.matrix_view import OpeningCells
from workbench.ui.compare.verify.cells import MARKS, ROW, HeadDelegate, ResultDelegate
from workbench.ui.compare.verify.table_model import FIRST, VerifyModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column
from workbench.ui.widgets.frozen_columns import FrozenColumns, set_up_table
from workbench.ui.widgets.interval import paint_interval
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.verify.judgement import Judgement
from workbench.verify.verdict_words import letter, settle_words
from workbench.verify.verification_report import itself_words

if TYPE_CHECKING:
    from workbench.verify.verification import EndpointSeen

METRIC, REFERENCE, LEAST = 204, 156, 168
HEAD = 70


class EndpointHeader(QHeaderView):
    """Names of the endpoints over protocol and how calls are made."""

    def __init__(self, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(px(40))
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEAD))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, VerifyModel) or not 0 <= section < model.columnCount() or model.found is None:
            return
        t = tokens()
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, QColor(t.sunken))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(t.line2))
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), QColor(t.line))
        if section == 0:
            room = QRect(rect.left() + px(16), px(29), rect.width() - px(24), px(17))
            paint_text(painter, room, tr("Metric"), ui_font(12, bold=True), t.text)
            paint_text(painter, room.translated(0, px(17)), tr("worse to the right"), ui_font(11), t.text3)
        else:
            seen = model.found.reference if section == 1 else model.found.candidates[section - FIRST]
            self._paint_endpoint(painter, rect, seen, section, model.found.measured)
        painter.restore()

    @staticmethod
    def _paint_endpoint(painter: QPainter, rect: QRect, seen: EndpointSeen, section: int, measured: int) -> None:
        t = tokens()
        name = "R" if section == 1 else letter(section - FIRST)
        title = tr("Reference") if section == 1 else tr("Candidate {name}", name=name)
        room = QRect(rect.left() + px(11), px(6), rect.width() - px(22), px(20))
        if seen.simulated:
            side = px(13)
            paint_icon(painter, "flask", QRect(room.left(), room.center().y() - side // 2, side, side), t.text2)
            room.setLeft(room.left() + px(19))
        used = paint_text(painter, room, title, ui_font(12, bold=True), t.text)
        if seen.simulated and section >= FIRST and room.width() - used > px(70):
            paint_text(painter, room, tr("simulated"), ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
        painter.fillRect(rect.left() + px(11), px(28), rect.width() - px(22), 1, QColor(t.line2))
        line = QRect(rect.left() + px(11), px(31), rect.width() - px(16), px(17))
        paint_text(painter, line, seen.label, ui_font(12), t.text, elide=Qt.TextElideMode.ElideMiddle)
        lower = line.translated(0, px(17)).adjusted(0, 0, -px(24), 0)
        times = f", {'twice' if measured == 2 else 'once'}" if section == 1 else ""
        errors = tr("{errors} unanswered", errors=seen.errors) if seen.errors else seen.wire or "recorded"
        paint_text(painter, lower, errors + times, ui_font(11), t.error if seen.errors else t.text3)
        paint_letter(painter, QRect(rect.right() - px(26), px(48), px(18), px(16)), name)


class VerifyTable(FrozenColumns):
    """Metrics and the reference at the left, candidates beside them, their verdicts below."""

    cell_chosen = Signal(QModelIndex)
    cell_opened = Signal(QModelIndex)
    cells: OpeningCells

    def __init__(self, model: VerifyModel) -> None:
        heads, cells = QTableView(), OpeningCells()
        super().__init__(heads, cells, frozen=(METRIC, REFERENCE), row_height=ROW, widths=(LEAST, 0))
        self.heads, self.cells, self.model = heads, cells, model
        self.head, self.header = EndpointHeader(tr("Metric and reference")), EndpointHeader(tr("Candidates"))
        self.totals = VerdictsRow(self)
        for table, header, name in ((self.heads, self.head, tr("Metrics")), (self.cells, self.header, tr("Verdicts"))):
            set_up_table(table, name)
            table.setHorizontalHeader(header)
        self.heads.setItemDelegate(HeadDelegate(self))
        self.cells.setItemDelegate(ResultDelegate(self))
        for table in (self.heads, self.cells):
            table.setModel(model)
        self.heads.setSelectionModel(self.cells.selectionModel())
        self._connect()
        whole = column(self.join(), self.totals, VerdictsLegend(), gap=0)
        whole.setStretch(0, 1)
        self.setLayout(whole)
        self.apply_sizes()

    def _connect(self) -> None:
        self.cells.selectionModel().currentChanged.connect(self._on_current)
        self.cells.doubleClicked.connect(self.cell_opened)
        self.cells.opened.connect(self.cell_opened)
        self.model.dataChanged.connect(self.totals.update)
        self.cells.horizontalScrollBar().valueChanged.connect(self.totals.update)

    def apply_sizes(self) -> None:
        for header in (self.head, self.header):
            header.setFixedHeight(px(HEAD))
        super().apply_sizes()
        self.totals.update()

    def _on_current(self, now: QModelIndex, _before: QModelIndex) -> None:
        self.heads.viewport().update()
        if now.column() >= FIRST:
            self.cell_chosen.emit(now)

    def choose(self, index: QModelIndex) -> None:
        """Choose a cell, if it is one."""
        if index.isValid():
            self.cells.setCurrentIndex(index)
            self.cells.scrollTo(index)


class VerdictsRow(QWidget):
    """Each candidate's verdicts by mark, counted and never one score, and what would decide what is open."""

    def __init__(self, table: VerifyTable) -> None:
        super().__init__()
        self._table = table
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Verdicts, counted"))

    def sizeHint(self) -> QSize:
        return QSize(px(METRIC), px(50))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t, model = QPainter(self), tokens(), self._table.model
        painter.fillRect(self.rect(), QColor(t.sunken))
        painter.fillRect(0, 0, self.width(), 1, QColor(t.line2))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(t.line))
        title = QRect(px(16), px(7), px(METRIC - 20), px(18))
        paint_text(painter, title, tr("Verdicts"), ui_font(12, bold=True), t.text)
        paint_text(painter, title.translated(0, px(18)), tr("counted, never one score"), ui_font(11), t.text3)
        if model.judged is None or model.found is None:
            return
        itself = QRect(px(METRIC + 11), px(7), px(REFERENCE - 16), px(18))
        paint_text(painter, itself, "" if model.running else itself_words(model.judged), ui_font(12), t.text)
        paint_text(painter, itself.translated(0, px(18)), tr("second against first"), ui_font(11), t.text3)
        left = px(METRIC + REFERENCE)
        painter.setClipRect(QRect(left, 1, self.width() - left, self.height() - 2))
        for at in range(len(model.found.candidates)):
            x = left + self._table.header.sectionViewportPosition(at + FIRST)
            room = QRect(x + px(11), px(7), self._table.header.sectionSize(at + FIRST) - px(16), px(18))
            self._paint_counts(painter, room, at)

    def _paint_counts(self, painter: QPainter, room: QRect, candidate: int) -> None:
        t, model, side = tokens(), self._table.model, px(10)
        assert model.judged is not None
        if model.running:
            paint_text(painter, room, tr("running"), ui_font(11), t.text3)
            return
        counts, left = model.judged.counts(candidate), room.left()
        for judgement in Judgement:
            paint_verdict(painter, MARKS[judgement], QRectF(left, room.center().y() - side / 2 + 1, side, side))
            words = QRect(left + px(15), room.top(), px(40), room.height())
            left += px(15) + paint_text(painter, words, str(counts[judgement]), ui_font(12, bold=True), t.text) + px(12)
        told = settle_words(model.judged, candidate) or tr("no metric can be decided by more pairs")
        told = told if counts[Judgement.INCONCLUSIVE] else tr("no metric is open")
        paint_text(painter, room.translated(0, px(18)), told, ui_font(11), t.text3)


class VerdictsLegend(QWidget):
    """What the marks and strips mean."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))

    def sizeHint(self) -> QSize:
        return QSize(px(METRIC), px(32))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t, left, side = QPainter(self), tokens(), px(16), px(9)
        painter.fillRect(self.rect(), QColor(t.surface))
        for judgement, mark in MARKS.items():
            paint_verdict(painter, mark, QRectF(left, (self.height() - side) / 2, side, side))
            room = QRect(left + px(15), 0, px(110), self.height())
            left += px(15) + paint_text(painter, room, judgement.word, ui_font(11), t.text2) + px(16)
        words = tr("difference, interval that decided    │ no difference    ┊ limit")
        room = QRect(left + px(40), 0, self.width() - left - px(56), self.height())
        used = paint_text(painter, room, words, ui_font(11), t.text3, align=Qt.AlignmentFlag.AlignRight)
        track = QRect(self.width() - px(16) - used - px(40), 0, px(30), self.height())
        if track.left() > left:
            paint_interval(painter, track, 0.2, 0.8, 0.5)
