"""Failures by layer, target by target, as bars; a bar opens its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter

from workbench.ui.compare.values import BarLine
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.interval import paint_progress
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import RowDelegate, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW = 24


class BarModel(LineModel[BarLine]):
    """One row a layer, under the heading of its target."""

    def cell(self, line: BarLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.layer or line.words
            case Qt.ItemDataRole.ToolTipRole:
                return tr("{codes}\nEnter or a click opens the runs", codes=line.codes) if line.layer else line.words
            case Qt.ItemDataRole.AccessibleTextRole:
                return (
                    tr(
                        "{layer}: {failed} of {of} failures, {codes}",
                        layer=line.layer,
                        failed=line.failed,
                        of=line.of,
                        codes=line.codes,
                    )
                    if line.layer
                    else line.words
                )
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        plain = super().flags(index)
        heading = index.isValid() and not self.line(index.row()).layer
        return plain & ~Qt.ItemFlag.ItemIsSelectable if heading else plain


class BarDelegate(RowDelegate):
    """Layer, bar, count and share; a heading has words alone."""

    def paint_cell(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex, *, chosen: bool
    ) -> None:
        model, t = index.model(), tokens()
        assert isinstance(model, BarModel)
        line, inner = model.line(index.row()), rect.adjusted(px(4), 0, -px(4), 0)
        if not line.layer:
            paint_text(painter, inner, line.words, ui_font(11), t.text2, elide=Qt.TextElideMode.ElideMiddle)
            return
        name = QRect(inner.left() + px(8), inner.top(), px(78), inner.height())
        paint_text(painter, name, line.layer, ui_font(12, bold=chosen), t.text)
        right = QRect(inner.right() - px(76), inner.top(), px(76), inner.height())
        words = f"{line.failed:,}  {100 * line.failed / line.of:.0f} %"
        paint_text(painter, right, words, ui_font(11), t.text2, align=Qt.AlignmentFlag.AlignRight)
        track = QRect(name.right() + px(6), inner.center().y() - px(4), right.left() - name.right() - px(12), px(8))
        token = "error" if line.layer in ("transport", "provider") else "failed"
        paint_progress(painter, track, ((line.failed / line.of, token),))


class ParetoList(RowList):
    """Grows with its rows; the pane around it scrolls."""

    opened = Signal(int, str)
    """A target and a layer whose runs are wanted."""

    def __init__(self) -> None:
        super().__init__(tr("Failures by layer"))
        self._bars = BarModel(self)
        self.setItemDelegate(BarDelegate(_ROW, self))
        self.setModel(self._bars)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_opened)
        self.activated.connect(self._on_opened)

    def show_bars(self, lines: Sequence[BarLine]) -> None:
        """Replace the bars."""
        self._bars.show_lines(lines)
        self.setFixedHeight(px(_ROW) * max(1, len(lines)) + 2)

    def _on_opened(self, index: QModelIndex) -> None:
        line = self._bars.line(index.row())
        if line.layer:
            self.opened.emit(line.target, line.layer)
