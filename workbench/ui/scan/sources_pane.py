"""The left column: sources with their counts and progress, how to add more, and what is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QFrame, QStyleOptionViewItem

from workbench.ui.scan.lines import SourceLine
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import bound_height, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.line_model import LineModel
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowList
from workbench.ui.widgets.states import Glyph, Spinner

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW, TALL = 52, 60


class SourceModel(LineModel[SourceLine]):
    """The sources; while they are read their rows change and the chosen one stays."""

    def show_lines(self, lines: Sequence[SourceLine]) -> None:
        """Replace the rows; where the sources are the same, the view keeps its choice."""
        if [one.number for one in lines] == [one.number for one in self._lines]:
            self.update_lines(lines)
        else:
            super().show_lines(lines)

    def row_of(self, number: int) -> int:
        """Where a source stands, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.number == number), -1)

    def cell(self, line: SourceLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.title
            case Qt.ItemDataRole.ToolTipRole:
                return line.tip
            case Qt.ItemDataRole.AccessibleTextRole:
                found = tr("{word} findings", word=line.word) if line.state == "fail" else line.word
                return f"{line.title}, {line.subtitle}, {found}"
        return None


class SourceDelegate(RowDelegate):
    """Icon, title over what was read, count at the right, a bar while it is read."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        model = index.model()
        assert isinstance(model, SourceModel)
        return QSize(px(80), px(ROW if model.line(index.row()).share is None else TALL))

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model = index.model()
        assert isinstance(model, SourceModel)
        line, t, side = model.line(index.row()), tokens(), px(16)
        icon = QRect(rect.left() + px(16), rect.top() + px(18), side, side)
        paint_icon(painter, line.icon, icon, t.text2)
        colour = {"fail": t.failed, "error": t.error}.get(line.state, t.text3)
        width = QFontMetrics(ui_font(12)).horizontalAdvance(line.word)
        right = QRect(rect.right() - px(12) - width, rect.top() + px(8), width + 2, px(18))
        paint_text(painter, right, line.word, ui_font(12), colour)
        if line.state:
            mark = px(9)
            paint_verdict(
                painter, line.state, QRectF(right.left() - px(15), right.center().y() - mark / 2 + 1, mark, mark)
            )
        left = rect.left() + px(44)
        room = right.left() - px(22) - left
        paint_text(painter, QRect(left, rect.top() + px(8), room, px(18)), line.title, ui_font(12, bold=chosen), t.text)
        lower = QRect(left, rect.top() + px(26), rect.right() - px(12) - left, px(16))
        paint_text(painter, lower, line.subtitle, ui_font(11), t.text3)
        if line.share is not None:
            track = QRect(left, rect.top() + px(47), rect.right() - px(16) - left, px(4))
            painter.fillRect(track, QColor(t.line))
            painter.fillRect(
                QRect(track.left(), track.top(), round(track.width() * line.share), track.height()), QColor(t.accent)
            )


class SourcesPane(QFrame):
    """The list with a foot that says what is under way."""

    source_chosen = Signal(int)
    """Number of a source; 0: all of them."""
    stop_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = SourceModel(self)
        self.list = RowList(tr("Sources"))
        self.list.setUniformItemSizes(False)
        self.list.setModel(self.model)
        self.list.setItemDelegate(SourceDelegate(ROW, self.list))
        self.list.row_chosen.connect(self._on_row)
        self.add = Button(
            tr("Add"), icon="plus", small=True, tip=tr("Files, folders, or what agents left on this computer")
        )
        self.spinner = Spinner(14)
        self.done = Glyph("check", "text2", 14)
        self.read = label("", "body")
        self.time = label("", "label")
        self.stop = Button(tr("Stop"), small=True, keys="Esc", on_click=self.stop_asked.emit)
        self.foot = frame("surface")
        told = Paragraph(TextRun(tr("Read only. Keys are masked before the first write."), token="text2"), size=11)
        self.foot.setLayout(
            column(
                row(self.spinner, self.done, self.read, None, self.stop),
                row(22, self.time, None, gap=0),
                row(Glyph("lock", "text2", 14), told),
                None,
                margins=(16, 10, 12, 10), gap=6,
            )
        )  # fmt: skip
        bound_height(self.foot, 116)
        head = SectionHeader(tr("Sources"), "", self.add)
        whole = column(head, hairline(), self.list, hairline(), self.foot, gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self.show_progress("", "", running=False)

    def show_lines(self, lines: Sequence[SourceLine]) -> None:
        """Show the sources; the first line is all of them."""
        before = self.list.currentIndex().row()
        tall = [line.share is None for line in lines]
        relayout = tall != [line.share is None for line in self.model._lines]
        self.model.show_lines(lines)
        if relayout:
            self.list.scheduleDelayedItemsLayout()
        if before < 0 and lines:
            self.list.choose_row(0)

    def show_progress(self, read: str, time: str, *, running: bool) -> None:
        """Say how far the scan is."""
        self.spinner.setVisible(running)
        self.done.setVisible(not running and bool(read))
        self.stop.setVisible(running)
        self.read.setText(read)
        self.time.setText(time)

    def _on_row(self, at: int) -> None:
        if at >= 0:
            self.source_chosen.emit(self.model.line(at).number)
