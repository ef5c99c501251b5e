"""Below the raw text: the argument under the pointer, and the calls and problems of the chosen format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame

from workbench.ui.run.forensics_rows import FindingModel
from workbench.ui.theme.fonts import px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import ElidedLabel, column, label, row
from workbench.ui.widgets.marks import paint_verdict
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.rows import AnyIndex, RowDelegate, RowList
from workbench.ui.widgets.states import Glyph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.forensics_rows import FieldWords, FindingLine

ROW = 38
_ICONS = {"strict": "check", "recovered": "magic-wand", "ignored": "eye", "note": "dots-three"}


class FindingDelegate(RowDelegate):
    """Mark, title, place."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: AnyIndex, *, chosen: bool) -> None:
        model, t = index.model(), tokens()
        assert isinstance(model, FindingModel)
        line, side = model.line(index.row()), px(12)
        box = QRect(rect.left() + px(16), rect.top() + px(6), side, side)
        if line.outcome == "reported":
            paint_verdict(painter, "fail", QRectF(box))
        else:
            colour = t.passed if line.outcome == "strict" else t.text2
            paint_icon(painter, _ICONS.get(line.outcome, "dots-three"), box, colour)
        room = rect.adjusted(px(36), px(3), -px(12), 0)
        upper, lower = QRect(room), QRect(room)
        upper.setHeight(px(17))
        lower.setTop(rect.top() + px(20))
        lower.setHeight(px(14))
        paint_text(painter, upper, line.title, ui_font(12, bold=chosen), t.text)
        paint_text(painter, lower, line.where, ui_font(11), t.text3)


class FieldLine(QFrame):
    """The argument that was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.words: FieldWords | None = None
        self._value = Paragraph()
        self._where = ElidedLabel("", "label")
        self._format = Chip("", "plain", mono=True)
        head = row(Glyph("link-simple", "accent", 14), self._value, self._format, gap=8)
        head.setStretch(1, 1)
        self.setLayout(column(head, self._where, margins=(16, 8, 16, 8), gap=4))
        self.hide()

    def show_words(self, words: FieldWords | None) -> None:
        """Show an argument, or none."""
        self.words = words
        self.setVisible(words is not None)
        if words is not None:
            value = words.value if len(words.value) <= 80 else words.value[:79] + "…"
            self._value.show_runs([TextRun(words.path, bold=True, mono=True), TextRun(f" = {value}", mono=True)])
            self._where.setText(words.where)
            self._format.setText(words.format)
            self._format.updateGeometry()
            self.setAccessibleName(f"{words.path} = {words.value}, {words.where}")


class Findings(QFrame):
    """The list with its heading."""

    finding_chosen = Signal(object)
    """A `FindingLine` that stands in the text."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = FindingModel(self)
        self.list = RowList(tr("Calls and problems"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(FindingDelegate(ROW, self.list))
        self.list.row_chosen.connect(self._on_row)
        self.list.clicked.connect(lambda index: self._on_row(index.row()))
        self.title = label("", "strong")
        self.empty = label("", "empty")
        self.empty.setContentsMargins(px(16), 0, px(16), px(6))
        head = row(self.title, None, margins=(16, 8, 16, 4))
        whole = column(head, self.empty, self.list, gap=0)
        self.setLayout(whole)
        self._silent = False

    def show_lines(self, name: str, lines: Sequence[FindingLine], *, asked: bool, read: bool = True) -> None:
        """Show what one format found."""
        self._silent = True
        self.model.show_lines(lines)
        self._silent = False
        which = tr("{name}, the format asked", name=name) if asked else name
        self.title.setText(tr("Calls and problems of {which}", which=which) if name else tr("Calls and problems"))
        nothing = tr("No call and no problem.") if name else tr("No format finds a call or a problem.")
        self.empty.setText(nothing if read else tr("Nothing is read yet."))
        self.empty.setVisible(not lines)
        self.list.setVisible(bool(lines))
        self.list.setFixedHeight(px(ROW) * min(max(len(lines), 1), 4) + 2)

    def next_problem(self, step: int) -> bool:
        """Choose the next problem; tell whether there is one."""
        at = self.model.next_bad(self.list.currentIndex().row(), step)
        if at < 0:
            return False
        if at == self.list.currentIndex().row():
            self._on_row(at)
        self.list.choose_row(at)
        return True

    def _on_row(self, at: int) -> None:
        if at >= 0 and not self._silent:
            self.finding_chosen.emit(self.model.line(at))
