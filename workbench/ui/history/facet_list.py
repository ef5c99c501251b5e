"""The facet list: saved views and counts; a click writes the same expression into the filter field."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem

from workbench.ui.history.facets import FacetModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_box, paint_focus_ring, paint_text, shows_focus
from workbench.ui.widgets.rows import RowDelegate, RowList

AnyIndex = QModelIndex | QPersistentModelIndex
_LINE, _HEADING = 25, 30


class FacetDelegate(RowDelegate):
    """Headings, and values with a mark and a count; chosen ones on the chosen ground."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        model = index.model()
        assert isinstance(model, FacetModel)
        return QSize(px(100), px(_LINE if model.line(index.row()).field else _HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, FacetModel)
        line, t, rect = model.line(index.row()), tokens(), option.rect
        if not line.field:
            room = QRect(rect.left() + px(8), rect.bottom() - px(20), rect.width() - px(16), px(18))
            paint_text(painter, room, line.title, ui_font(11, bold=True), t.text2)
            return
        box = rect.adjusted(px(8), 1, -px(8), -1)
        if line.chosen:
            paint_box(painter, box, ground=t.sel, radius=4)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint_box(painter, box, ground=t.hover, radius=4)
        view = option.widget
        if isinstance(view, QAbstractItemView) and shows_focus(view) and view.currentIndex() == index:
            paint_focus_ring(painter, box, 4)
        left = box.left() + px(8)
        if line.mark:
            side = px(10)
            paint_verdict(painter, line.mark, QRectF(left, rect.center().y() - side / 2 + 1, side, side))
            left += px(18)
        count = "" if line.count is None else f"{line.count:,}"
        width = QFontMetrics(ui_font(11)).horizontalAdvance(count)
        right = QRect(box.right() - px(8) - width, rect.top(), width + 2, rect.height())
        paint_text(painter, right, count, ui_font(11), t.text2)
        room = QRect(left, rect.top(), right.left() - left - px(6), rect.height())
        paint_text(painter, room, line.title, ui_font(12, bold=line.chosen), t.text if line.chosen else t.text2)


class FacetList(RowList):
    """Emits `toggled` for a facet's value and `view_chosen` for a saved view."""

    toggled = Signal(str, str, bool)
    view_chosen = Signal(str)
    view_removal_asked = Signal(str)

    def __init__(self, model: FacetModel) -> None:
        super().__init__(tr("Facets"))
        self.setUniformItemSizes(False)
        self.setProperty("role", "chrome_list")
        self.setItemDelegate(FacetDelegate(_LINE, self))
        self.setModel(model)
        self._facets = model
        fix_size(self, width=190)
        self.clicked.connect(self._on_taken)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._on_taken(index)
            return
        if index.isValid() and event.key() == Qt.Key.Key_Delete and self._facets.line(index.row()).field == "view":
            self.view_removal_asked.emit(self._facets.line(index.row()).title)
            return
        super().keyPressEvent(event)

    def _on_taken(self, index: QModelIndex) -> None:
        line = self._facets.line(index.row())
        if line.field == "view":
            self.view_chosen.emit(line.value)
        elif line.field:
            self.toggled.emit(line.field, line.value, not line.chosen)
