"""The table of all formats: what each gives out, strictly and tolerantly, which calls, and where in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.run.forensics_rows import CALLS, FORMAT, STRICT, ColouredWord, ForensicsModel
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowTable
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.where_strip import TRACK, WhereLegend, paint_where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from workbench.ui.run.forensics_rows import FormatLine

ROW = 38
_WIDTHS = (168, 148, 178, 0, 176)
MOST_WHY = 420
"""Width of the last column in a wide window."""


def paint_words(painter: QPainter, room: QRect, words: Sequence[ColouredWord]) -> None:
    """Paint words after each other, each in its own colour."""
    left = room.left()
    for word in words:
        space = QRect(left, room.top(), max(room.right() - left + 1, 0), room.height())
        left += paint_text(painter, space, word.text, ui_font(12), tokens().colour(word.token))


class FormatDelegate(RowDelegate):
    """Format and note, counts in colours, calls in the fixed font, the strip over its reasons."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model, t = index.model(), tokens()
        assert isinstance(model, ForensicsModel)
        line, column = model.line(index.row()), index.column()
        room = rect.adjusted(px(16) if column == FORMAT else px(8), 0, -px(8), 0)
        if column == FORMAT:
            bold = line.note == "asked"
            left = paint_text(painter, room, line.format, mono_font(12, bold=bold), t.text) + px(8)
            paint_text(painter, room.adjusted(left, 0, 0, 0), line.note, ui_font(11), t.accent)
        elif column < CALLS:
            paint_words(painter, room, line.strict if column == STRICT else line.tolerant)
        elif column == CALLS:
            self._paint_calls(painter, room, line.calls)
        else:
            track = QRect(room.left(), rect.top() + px(7), room.width(), px(TRACK))
            paint_where(painter, track, model.length, line.stretches)
            under = QRect(room.left(), rect.top() + px(18), room.width(), px(16))
            paint_text(painter, under, line.why, ui_font(11), t.text3 if not chosen else t.text2)

    @staticmethod
    def _paint_calls(painter: QPainter, room: QRect, calls: Sequence[str]) -> None:
        t = tokens()
        if not calls:
            paint_text(painter, room, tr("no call"), ui_font(12), t.text3)
            return
        pitch = px(15)
        top = room.center().y() - pitch * len(calls) // 2 + 1
        for number, call in enumerate(calls):
            box = QRect(room.left(), top + pitch * number, room.width(), pitch)
            paint_text(painter, box, call, mono_font(11), t.text)


class FormatMatrix(QFrame):
    """Filter chips, the table, its footer and legend."""

    format_chosen = Signal(str)
    """The user wants to see the text as that format reads it."""

    def __init__(self, *more: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = ForensicsModel(self)
        self.table = RowTable(tr("Readings of all formats"), ROW, _WIDTHS)
        self.table.setModel(self.model)
        self.table.setItemDelegate(FormatDelegate(ROW, self.table))
        self.table.row_chosen.connect(self._on_row)
        self.title = label(tr("All formats"), "section")
        self.took = ElidedLabel("", "label")
        self.found = Chip(tr("found something"), "chosen", count=0, height=24, clickable=True)
        self.nothing = Chip(tr("found nothing"), "neutral", count=0, height=24, clickable=True)
        self.found.clicked.connect(lambda: self.show_found(True))
        self.nothing.clicked.connect(lambda: self.show_found(False))
        self.rest = Button("", icon="caret-right", kind="quiet", small=True, on_click=lambda: self.show_found(False))
        self.names = ElidedLabel("", "label")
        self._silent = False
        filters, rest = frame("surface"), frame("surface")
        filters.setLayout(row(self.title, self.found, self.nothing, None))
        rest.setLayout(row(None, self.took, *more))
        head = StackRow(filters, rest, margins=(16, 10, 16, 10), gap=8)
        self._foot = frame("surface")
        foot = row(self.rest, self.names, margins=(8, 0, 16, 0), gap=12)
        foot.setStretch(1, 1)
        self._foot.setLayout(foot)
        fix_size(self._foot, height=34)
        whole = column(head, hairline(), self.table, self._foot, hairline(), WhereLegend(), gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)

    def show_lines(self, lines: Sequence[FormatLine], length: int, took: str, chosen: str) -> None:
        """Show all readings of a text and choose a format."""
        self._silent = True
        self.model.show_readings(lines, length)
        found, nothing = self.model.names(found=True), self.model.names(found=False)
        self.title.setText(tr("All {lines} formats", lines=len(lines)) if lines else tr("All formats"))
        self.took.setText(took)
        self.found.set_count(len(found))
        self.nothing.set_count(len(nothing))
        self.rest.setText(
            tr("{nothing} formats found nothing", nothing=len(nothing))
            if len(nothing) != 1
            else tr("1 format found nothing")
        )
        self.rest.setAccessibleName(self.rest.text())
        self.names.setText(", ".join(nothing))
        if chosen in nothing or not found:
            self.show_found(False)
        elif chosen in found:
            self.show_found(True)
        self._silent = False
        self._foot.setVisible(self.model.shows_found and bool(nothing))
        self.choose(chosen)

    def choose(self, name: str) -> None:
        """Choose a format's row, silently; nothing if the filter hides it."""
        self._silent = True
        self.table.choose_row(self.model.row_of(name))
        self._silent = False

    def show_found(self, found: bool) -> None:
        """Filter."""
        self.model.set_found(found)
        self.found.set_kind("chosen" if found else "neutral")
        self.nothing.set_kind("neutral" if found else "chosen")
        self._foot.setVisible(found and bool(self.model.names(found=False)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        header = self.table.horizontalHeader()
        header.resizeSection(header.count() - 1, max(px(_WIDTHS[-1]), min(self.width() * 24 // 100, px(MOST_WHY))))

    def _on_row(self, at: int) -> None:
        if at >= 0 and not self._silent:
            self.format_chosen.emit(self.model.line(at).format)
