"""Findings by kind and by server, format or day: counts with their rates, the ground by the rate's lower end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.scan.tally import UNKNOWN_MODEL, TallyColumn
from workbench.ui.scan.lines import kind_title
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frozen_columns import CellTable, FrozenColumns, set_up_table
from workbench.ui.widgets.painting import paint_bottom_line, paint_box, paint_text
from workbench.ui.widgets.rows import AnyIndex
from workbench.ui.widgets.tips import plain_tip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.scan.tally import TallyCell

FROZEN, WIDTH, WIDEST, ROW, HEAD = 208, 108, 172, 40, 44
LOUD = 0.01
"""Lower end of a rate's interval from which a cell has a ground."""
_NOWHERE = QModelIndex()


class KindModel(QAbstractTableModel):
    """A row for each kind, the most frequent first; column 0 names it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kinds: list[str] = []
        self.columns: list[TallyColumn] = []
        self._cells: Mapping[tuple[str, TallyColumn], TallyCell] = {}

    def show(
        self, kinds: Sequence[str], columns: Sequence[TallyColumn], cells: Mapping[tuple[str, TallyColumn], TallyCell]
    ) -> None:
        """Show other counts; where rows and columns are the same, the view keeps its place."""
        if list(kinds) == self.kinds and list(columns) == self.columns:
            self._cells = cells
            if self.kinds:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.kinds) - 1, len(self.columns)))
            return
        self.beginResetModel()
        self.kinds, self.columns, self._cells = list(kinds), list(columns), cells
        self.endResetModel()

    def cell(self, index: AnyIndex) -> TallyCell | None:
        """The cell at an index; None where nothing was found."""
        return self._cells.get((self.kinds[index.row()], self.columns[index.column() - 1]))

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.kinds)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns) + 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole
        ):  # fmt: skip
            return None
        kind = self.kinds[index.row()]
        if index.column() == 0:
            return kind if role == Qt.ItemDataRole.DisplayRole else plain_tip(f"{kind}: {kind_title(kind)}")
        found, where = self.cell(index), self.columns[index.column() - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{found.times:,}" if found else "–"
        name = " · ".join(filter(None, where))
        if found is None:
            return plain_tip(tr("{kind}, {name}: none", kind=kind, name=name))
        return plain_tip(
            tr(
                "{kind}, {name}: {times:,} in {read:,} replies, {often}, at least {low:.1%}",
                kind=kind,
                name=name,
                times=found.times,
                read=found.read,
                often=found.often,
                low=found.low,
            )
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        if section == 0:
            return tr("Finding")
        return " · ".join(filter(None, self.columns[section - 1])) if section <= len(self.columns) else None


class _CellDelegate(QStyledItemDelegate):
    """Count at the left, rate at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(WIDTH), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, KindModel)
        rect: QRect = option.rect
        found, t = model.cell(index), tokens()
        painter.save()
        paint_bottom_line(painter, rect, t.line)
        painter.fillRect(rect.left(), rect.top(), 1, rect.height(), QColor(t.line))
        box = rect.adjusted(px(3), px(2), -px(2), -px(2) - 1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if found is not None and found.low >= LOUD:
            paint_box(painter, box, ground=t.heat_low, radius=4)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint_box(painter, box, ground=t.hover, radius=4)
        inner = box.adjusted(px(8), 0, -px(8), 0)
        if found is None:
            paint_text(painter, inner, "–", ui_font(12), t.text3)
        else:
            paint_text(painter, inner, f"{found.times:,}", ui_font(12, bold=chosen), t.text)
            rate = found.often.replace("%", " %")
            paint_text(painter, inner, rate, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        if chosen:
            paint_box(painter, box, border=t.accent, width=2, radius=4)
        painter.restore()


class _KindDelegate(QStyledItemDelegate):
    """The kind's name over what it is called in words."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(px(FROZEN), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, KindModel)
        rect: QRect = option.rect
        kind, t = model.kinds[index.row()], tokens()
        painter.save()
        paint_bottom_line(painter, rect, t.line)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(t.sel))
        inner = rect.adjusted(px(16), px(4), -px(8), -px(4))
        half = inner.height() // 2
        paint_text(painter, QRect(inner.left(), inner.top(), inner.width(), half), kind, mono_font(11), t.text)
        lower = QRect(inner.left(), inner.top() + half, inner.width(), half)
        paint_text(painter, lower, kind_title(kind), ui_font(11), t.text3)
        painter.restore()


class ColumnHeader(QHeaderView):
    """Model over server, format, or day."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName(tr("Columns"))
        self.setHighlightSections(False)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEAD))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, KindModel) or not 0 < section < model.columnCount():
            return
        t, shown = tokens(), model.columns[section - 1]
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, QColor(t.surface))
        painter.fillRect(rect.left(), rect.top(), 1, rect.height(), QColor(t.line))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(t.line2))
        inner = rect.adjusted(px(11), px(5), -px(6), -px(5))
        half = inner.height() // 2
        middle = not any(column.under for column in model.columns)
        upper = inner if middle else QRect(inner.left(), inner.top(), inner.width(), half)
        named = shown.title != UNKNOWN_MODEL
        font, ink = (ui_font(12, bold=True), t.text) if named else (ui_font(11), t.text2)
        paint_text(painter, upper, shown.title, font, ink, elide=Qt.TextElideMode.ElideMiddle)
        if shown.under:
            side = px(12)
            icon = QRect(inner.left(), inner.top() + half + (half - side) // 2, side, side)
            paint_icon(painter, "hard-drives", icon, t.text3)
            lower = QRect(inner.left() + px(17), inner.top() + half, inner.width() - px(17), half)
            paint_text(painter, lower, shown.under, ui_font(11), t.text2)
        painter.restore()


class _KindHead(QWidget):
    """The head of the frozen column."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Findings, most first"))

    def sizeHint(self) -> QSize:
        return QSize(px(FROZEN), px(HEAD))

    def paintEvent(self, _event: Any) -> None:
        painter, t = QPainter(self), tokens()
        painter.fillRect(self.rect(), QColor(t.surface))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(t.line2))
        paint_text(
            painter, QRect(px(16), px(5), self.width() - px(24), px(17)), tr("Finding"), ui_font(11, bold=True), t.text2
        )
        paint_text(
            painter, QRect(px(16), px(22), self.width() - px(24), px(17)), tr("most first"), ui_font(11), t.text3
        )


class _Cells(CellTable):
    """Arrows lead over the first column to the kinds and back, as in one table. Esc is left to the page."""

    def __init__(self, kinds: QTableView) -> None:
        super().__init__()
        self._kinds = kinds

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, kind = self.currentIndex(), self._kinds.currentIndex()
        match event.key():
            case Qt.Key.Key_Escape:
                event.ignore()
            case Qt.Key.Key_Left if at.column() == 1:
                self._kinds.setCurrentIndex(at.siblingAtColumn(0))
            case Qt.Key.Key_Right if kind.isValid():
                self.setCurrentIndex(kind.siblingAtColumn(1))
            case Qt.Key.Key_Up | Qt.Key.Key_Down as way if kind.isValid():
                to = kind.sibling(kind.row() + (1 if way == Qt.Key.Key_Down else -1), 0)
                self._kinds.setCurrentIndex(to if to.isValid() else kind)
            case _:
                super().keyPressEvent(event)


class KindMatrix(FrozenColumns):
    """Kinds at the left, where they were found beside them; a cell filters the list below."""

    cell_chosen = Signal(str, object)
    """A kind, and a column or None for all of them."""

    def __init__(self) -> None:
        kinds = QTableView()
        cells = _Cells(kinds)
        super().__init__(kinds, cells, frozen=(FROZEN,), row_height=ROW, widths=(WIDTH, WIDEST))
        self.kinds, self.model = kinds, KindModel(self)
        self.head, self.header = _KindHead(), ColumnHeader()
        set_up_table(self.kinds, tr("Findings"))
        set_up_table(self.cells, tr("Counts"))
        self.cells.setHorizontalHeader(self.header)
        self.kinds.horizontalHeader().hide()
        for table, delegate in ((self.kinds, _KindDelegate(self)), (self.cells, _CellDelegate(self))):
            table.setModel(self.model)
            table.setItemDelegate(delegate)
        self.cells.selectionModel().currentChanged.connect(self._on_cell)
        self.kinds.selectionModel().currentChanged.connect(self._on_kind)
        self.setLayout(self.join(self.head))
        self.apply_sizes()

    def apply_sizes(self) -> None:
        self.head.setFixedSize(px(FROZEN), px(HEAD))
        self.header.setFixedHeight(px(HEAD))
        super().apply_sizes()
        self.setMinimumHeight(self._height(min(len(self.model.kinds), 3)))
        self.setMaximumHeight(self._height(len(self.model.kinds)))
        self.updateGeometry()

    def _height(self, rows: int) -> int:
        bar = px(14) if self.model.columnCount() > 4 else 0
        return px(HEAD) + max(rows, 1) * px(ROW) + bar + 2

    def sizeHint(self) -> QSize:
        return QSize(px(FROZEN + 4 * WIDTH), self._height(len(self.model.kinds)))

    def choose(self, kind: str, wanted: TallyColumn | None) -> None:
        """Show a choice without telling anybody."""
        for table in (self.kinds, self.cells):
            table.selectionModel().blockSignals(True)
            table.selectionModel().clear()
        if kind in self.model.kinds:
            at = self.model.kinds.index(kind)
            if wanted is None:
                self.kinds.setCurrentIndex(self.model.index(at, 0))
            elif wanted in self.model.columns:
                self.cells.setCurrentIndex(self.model.index(at, self.model.columns.index(wanted) + 1))
        for table in (self.kinds, self.cells):
            table.selectionModel().blockSignals(False)
            table.viewport().update()

    def _on_cell(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and now.column() > 0:
            self.kinds.selectionModel().clear()
            self.cell_chosen.emit(self.model.kinds[now.row()], self.model.columns[now.column() - 1])

    def _on_kind(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid():
            self.cells.selectionModel().clear()
            self.cell_chosen.emit(self.model.kinds[now.row()], None)
