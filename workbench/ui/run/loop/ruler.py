"""The four widths that every step row shares, and the header that edits them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.painting import paint_box, paint_text

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLES = (tr("Sent"), tr("Raw output"), tr("Parsed calls"), tr("Sanitized reply"))
SENT, SENT_NARROW = 196, 56
NARROW_BELOW = 946
"""Width of all columns below which Sent shows icon and tokens only, so that no text column gets too small."""
LEAST = 120


class ColumnRuler(QObject):
    """Owns the widths. Rows place their cells from it, without layouts, so that cards cannot drift."""

    moved = Signal()
    """The widths are others now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._total = 1034
        self._shares = [0.40, 0.36, 0.24]
        self._sent = SENT
        self._widths: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._share_out()

    @property
    def widths(self) -> tuple[int, int, int, int]:
        """Sent, raw, parsed, sanitized, in pixels."""
        return self._widths

    @property
    def narrow(self) -> bool:
        """Sent shows icon and tokens only."""
        return self._widths[0] <= px(SENT_NARROW)

    @property
    def shares(self) -> tuple[float, float, float]:
        """How the text columns share their room, for the settings."""
        return (self._shares[0], self._shares[1], self._shares[2])

    def set_shares(self, shares: tuple[float, float, float]) -> None:
        """Restore shares that were kept."""
        whole = sum(shares)
        if whole > 0 and min(shares) > 0:
            self._shares = [share / whole for share in shares]
            self._share_out()

    def fit(self, total: int) -> None:
        """Share out another total width."""
        if total != self._total:
            self._total = total
            self._share_out()

    def drag(self, column: int, width: int) -> None:
        """The user gave a column a width; its right neighbour gives or takes the difference."""
        if column == 0:
            self._sent = round(max(width / px(1), SENT_NARROW)) if width > px(80) else SENT
        elif column < 3:
            text = self._widths[1:]
            both = text[column - 1] + text[column]
            width = min(max(width, px(LEAST)), both - px(LEAST))
            whole = sum(text)
            self._shares[column - 1], self._shares[column] = width / whole, (both - width) / whole
        self._share_out()

    def _share_out(self) -> None:
        sent = px(SENT_NARROW) if self._total < px(NARROW_BELOW) else min(px(self._sent), self._total // 3)
        room = max(self._total - sent, 3)
        raw, parsed = round(room * self._shares[0]), round(room * self._shares[1])
        self._widths = (sent, raw, parsed, room - raw - parsed)
        self.moved.emit()


_NOWHERE = QModelIndex()


class _FourColumns(QAbstractTableModel):
    def __init__(self, titles: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self.titles = tuple(titles)

    def rowCount(self, _parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0

    def columnCount(self, _parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return len(self.titles)

    def data(self, _index: QModelIndex | QPersistentModelIndex, _role: int = 0) -> None:
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Horizontal and role in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return self.titles[section]
        return None


class LoopHeader(QHeaderView):
    """The one header row above all cards; dragging its borders moves the columns of every card."""

    def __init__(self, ruler: ColumnRuler, parent: QWidget | None = None, titles: Sequence[str] = TITLES) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._ruler, self._titles = ruler, tuple(titles)
        self._setting = False
        self.setModel(_FourColumns(titles, self))
        self.setFixedHeight(px(24))
        self.setMinimumSectionSize(px(40))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSectionResizeMode(3, QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName(tr("Columns of the loop"))
        self.sectionResized.connect(self._on_section_resized)
        ruler.moved.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Take the ruler's widths."""
        self._setting = True
        for column, width in enumerate(self._ruler.widths):
            self.resizeSection(column, width)
        self._setting = False
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(sum(self._ruler.widths), px(24))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.follow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.setFixedHeight(px(24))

    def _on_section_resized(self, column: int, _old: int, new: int) -> None:
        if not self._setting:
            self._ruler.drag(column, new)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        t = tokens()
        painter.fillRect(rect, QColor(t.chrome))
        room = rect.adjusted(px(12), 0, -px(12), 0)
        if column:
            key = QRect(room.right() - px(15), rect.center().y() - px(7), px(16), px(16))
            paint_box(painter, key, ground=t.surface, border=t.line2, radius=4)
            paint_text(painter, key, str(column), ui_font(10), t.text2, align=Qt.AlignmentFlag.AlignHCenter)
            room.setRight(key.left() - px(8))
        title = "" if column == 0 and self._ruler.narrow else self._titles[column]
        paint_text(painter, room, title, ui_font(11, bold=True), t.text2)
