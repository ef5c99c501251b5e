"""The panel beside the matrix: two targets in a sentence, the cases that moved, the format's price, pass^k, the cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from workbench.grading.performance import HEADS
from workbench.ui.compare.cell_pane import CellPane
from workbench.ui.compare.charts import CurveChart, PairBar, TaxChart
from workbench.ui.compare.matrix_words import column_label, pair_note, pair_warning, split_sentence
from workbench.ui.theme.fonts import mono_font, px, ui_font
from workbench.ui.theme.icons import paint_icon
from workbench.ui.theme.theme import tokens
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.painting import paint_text
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.tabs import Tabs
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.comparison import Comparison, Moved
    from workbench.grading.matrix import TargetColumn
    from workbench.grading.rates import Rate
    from workbench.ui.compare.values import CellView, Scores

_MOVED_SHOWN = 6


class MovedRows(QWidget):
    """Each case that moved: direction, name, before → after."""

    case_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._moved: tuple[Moved, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Moved cases")

    def show_moved(self, moved: Sequence[Moved]) -> None:
        """Show other cases, the first few of them."""
        self._moved = tuple(moved[:_MOVED_SHOWN])
        words = (f"{one.case_id}: {_of(one.before)} to {_of(one.after)}" for one in self._moved)
        self.setAccessibleDescription("; ".join(words))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(23) * len(self._moved))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, t = QPainter(self), tokens()
        for number, one in enumerate(self._moved):
            rect = QRect(0, number * px(23), self.width(), px(23))
            side = px(12)
            box = QRect(0, rect.center().y() - side // 2, side, side)
            paint_icon(painter, "arrow-up" if one.up else "arrow-down", box, t.passed if one.up else t.failed)
            after, before = _of(one.after), _of(one.before)
            room = QRect(rect.right() - px(48), rect.top(), px(49), rect.height())
            paint_text(painter, room, after, ui_font(12, bold=True), t.text, align=Qt.AlignmentFlag.AlignRight)
            arrow = QRect(room.left() - px(16), box.top(), side, side)
            paint_icon(painter, "arrow-right", arrow, t.text3)
            width = QFontMetrics(ui_font(12)).horizontalAdvance(before)
            left = QRect(arrow.left() - px(8) - width, rect.top(), width + 1, rect.height())
            paint_text(painter, left, before, ui_font(12), t.text2)
            name = QRect(px(19), rect.top(), left.left() - px(27), rect.height())
            paint_text(painter, name, one.case_id, mono_font(12), t.text, elide=Qt.TextElideMode.ElideMiddle)


def _of(rate: Rate) -> str:
    return f"{rate.passed} / {rate.runs}"


def _section(title: str, note: QWidget, *parts: QWidget) -> QFrame:
    made = frame("surface")
    inside = column(row(label(title, "strong"), None, note), *parts, margins=(16, 12, 16, 12), gap=8)
    made.setLayout(column(inside, hairline(), gap=0))
    return made


class SmallTable(QWidget):
    """A few lines of words: names on the left, numbers on the right."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(px(4))
        self._grid.setColumnStretch(0, 1)
        self.setLayout(self._grid)

    def show_lines(self, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
        """Show other lines below the heads; without any, nothing at all."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for number, line in enumerate((heads, *lines) if lines else ()):
            for at, words in enumerate(line):
                role = "faint" if number == 0 else "label" if at == 0 else "body"
                made = label(words, role)
                if at == 0:
                    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                    set_tip(made, words)
                side = Qt.AlignmentFlag.AlignLeft if at == 0 else Qt.AlignmentFlag.AlignRight
                self._grid.addWidget(made, number, at, side if at else Qt.AlignmentFlag(0))


class TargetsPane(QScrollArea):
    """What the comparison says of targets."""

    pair_chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Targets compared")
        self.first = ComboField(name="Target A", quiet=True)
        self.second = ComboField(name="Target B", quiet=True)
        for field in (self.first, self.second):
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            field.value_chosen.connect(lambda _value: self._on_picked())
        self.sentence = Paragraph(size=13, line=18)
        self.warning = Paragraph(size=11)
        self.bar = PairBar()
        self.moved = MovedRows()
        self.tax = TaxChart()
        self.curves = CurveChart()
        self.needed = Paragraph(size=11)
        self._pair_note = label("", "faint")
        self._moved_note = label("", "faint")
        self._decisions, self.calls, self.times = SmallTable(), SmallTable(), SmallTable()
        self._lay_out()

    def _lay_out(self) -> None:
        picks = QWidget()
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(6))
        grid.setVerticalSpacing(0)
        for number, (letter, field) in enumerate((("A", self.first), ("B", self.second))):
            grid.addWidget(Chip(letter, "label"), number, 0)
            grid.addWidget(field, number, 1)
        grid.setColumnStretch(1, 1)
        picks.setLayout(grid)
        pair = _section("Compare two targets", self._pair_note, picks, self.sentence, self.warning, self.bar)
        self._moved_part = _section("Moved cases", self._moved_note, self.moved)
        self._tax_part = _section("Format tax", label("● strict   ○ tolerant", "faint"), self.tax)
        self._decision_part = _section("Decision and arguments", label("of graded runs", "faint"), self._decisions)
        self._calls_part = _section("Tool calls executed", label("of those tried", "faint"), self.calls)
        self._times_part = _section("Times", label("medians", "faint"), self.times)
        self._curve_part = _section("All k repeats pass", label("pass^k, unbiased", "faint"), self.curves, self.needed)
        inside = frame("surface")
        scores = (self._tax_part, self._curve_part, self._decision_part, self._calls_part, self._times_part)
        parts = (pair, self._moved_part, *scores)
        inside.setLayout(column(*parts, None, gap=0))
        self.setWidget(inside)

    def show_targets(self, columns: Sequence[TargetColumn], pair: tuple[int, int] | None) -> None:
        """Offer the targets as A and B."""
        items = [(column_label(one), one.target) for one in columns]
        for field, at in ((self.first, 0), (self.second, 1)):
            field.set_items(items)
            if pair is not None:
                field.choose(pair[at])
            field.setEnabled(len(items) > 1)

    def show_pair(self, pair: Comparison | None) -> None:
        """Show what two targets differ by."""
        self.bar.setVisible(pair is not None)
        self._moved_part.setVisible(pair is not None and bool(pair.moved))
        if pair is None:
            self._pair_note.setText("")
            words = "The sentence about two targets is written when the batch pauses or ends."
            self.sentence.show_runs([TextRun(words, token="text2")])
            self.warning.hide()
            return
        self._pair_note.setText(pair_note(pair))
        lead, rest = split_sentence(pair.sentence())
        self.sentence.show_runs([TextRun(lead, bold=True), TextRun(f" {rest}")])
        self.warning.setVisible(bool(pair.warnings))
        self.warning.show_runs([TextRun(pair_warning(pair), token="failed")])
        self.bar.show_pair(pair)
        shown = min(len(pair.moved), _MOVED_SHOWN)
        self._moved_note.setText(f"{shown} of {len(pair.moved)}")
        self.moved.show_moved(pair.moved)

    def show_scores(self, scores: Scores) -> None:
        """Show the scores of all targets."""
        self._tax_part.setVisible(bool(scores.tax))
        self.tax.show_lines(scores.tax)
        self._curve_part.setVisible(bool(scores.curves))
        self.curves.show_lines(scores.curves)
        self.needed.show_runs([TextRun(scores.needed, token="text2")])
        self.needed.setVisible(bool(scores.needed))
        self._decision_part.setVisible(bool(scores.decisions))
        self._decisions.show_lines(("", "to call or not", "arguments"), scores.decisions)
        self._calls_part.setVisible(bool(scores.calls))
        self.calls.show_lines(("", *HEADS[:3]), scores.calls)
        self._times_part.setVisible(bool(scores.times))
        self.times.show_lines(("", *HEADS[3:]), scores.times)

    def _on_picked(self) -> None:
        if self.first.value is not None and self.second.value is not None:
            self.pair_chosen.emit(self.first.value, self.second.value)


class ComparePanel(QFrame):
    """Two tabs: what targets differ by, and the chosen cell."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.tabs = Tabs([("targets", "Targets"), ("cell", "Cell")])
        self.tabs.setAccessibleName("Targets or cell")
        self.targets = TargetsPane()
        self.cell = CellPane()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.targets)
        self._stack.addWidget(self.cell)
        self.tabs.tab_chosen.connect(lambda key: self._stack.setCurrentIndex(key == "cell"))
        inner = column(self.tabs, self._stack, gap=0)
        inner.setStretch(1, 1)
        whole = row(hairline(vertical=True, strong=True), gap=0)
        whole.addLayout(inner, 1)
        self.setLayout(whole)

    def show_cell(self, view: CellView | None, *, come: bool = True) -> None:
        """Show a cell; with `come` its tab comes to the front."""
        self.cell.show_cell(view)
        self.tabs.set_count("cell", f"{len(view.runs)} runs" if view is not None and view.runs else "")
        if view is not None and come:
            self.tabs.choose("cell")
