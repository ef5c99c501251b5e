"""The panel beside the matrix: two targets in a sentence, the cases that moved, the format's price, pass^k, the cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from workbench.grading.performance import HEADS
from workbench.ui.compare.cell_pane import CellPane
from workbench.ui.compare.charts import CurveChart, PairBar, TaxChart
from workbench.ui.compare.matrix_words import column_label, pair_note, pair_warning, split_sentence
from workbench.ui.compare.sections import MOVED_SHOWN, MovedRows, SmallTable, section
from workbench.ui.compare.values import Against, Scores, Why
from workbench.ui.compare.why_pane import WhyPane
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import TargetColumn
    from workbench.ui.compare.values import CellView


class TargetsPane(QScrollArea):
    """What the comparison says of targets."""

    pair_chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Targets compared"))
        self.first = ComboField(name=tr("Target A"), quiet=True)
        self.second = ComboField(name=tr("Target B"), quiet=True)
        for field in (self.first, self.second):
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            field.value_chosen.connect(lambda _value: self._on_picked())
        self.glance = Paragraph(size=12, line=17)
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
        pair = section(tr("Compare two targets"), self._pair_note, picks, self.sentence, self.warning, self.bar)
        self._moved_part = section(tr("Moved cases"), self._moved_note, self.moved)
        self._tax_part = section(tr("Format tax"), label(tr("● strict   ○ tolerant"), "faint"), self.tax)
        self._decision_part = section(
            tr("Decision and arguments"), label(tr("of graded runs"), "faint"), self._decisions
        )
        self._calls_part = section(tr("Tool calls executed"), label(tr("of those tried"), "faint"), self.calls)
        self._times_part = section(tr("Times"), label(tr("medians"), "faint"), self.times)
        self._curve_part = section(
            tr("All k repeats pass"), label("pass^k, unbiased", "faint"), self.curves, self.needed
        )
        self._glance_part = section(tr("At a glance"), label(tr("all targets"), "faint"), self.glance)
        self._glance_part.hide()
        inside = frame("surface")
        scores = (self._tax_part, self._curve_part, self._decision_part, self._calls_part, self._times_part)
        parts = (self._glance_part, pair, self._moved_part, *scores)
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

    def show_glance(self, lines: Sequence[str]) -> None:
        """Show the answer: its first sentence in bold, the others below."""
        self._glance_part.setVisible(bool(lines))
        self.glance.show_runs(
            [TextRun(lines[0], bold=True), *(TextRun(f"\n{line}") for line in lines[1:])] if lines else []
        )

    def show_pair(self, pair: Comparison | None) -> None:
        """Show what two targets differ by."""
        self.bar.setVisible(pair is not None)
        self._moved_part.setVisible(pair is not None and bool(pair.moved))
        if pair is None:
            self._pair_note.setText("")
            words = tr("The sentence about two targets is written when the batch pauses or ends.")
            self.sentence.show_runs([TextRun(words, token="text2")])
            self.warning.hide()
            return
        self._pair_note.setText(pair_note(pair))
        lead, rest = split_sentence(pair.sentence())
        self.sentence.show_runs([TextRun(lead, bold=True), TextRun(f" {rest}")])
        self.warning.setVisible(bool(pair.warnings))
        self.warning.show_runs([TextRun(pair_warning(pair), token="failed")])
        self.bar.show_pair(pair)
        shown = min(len(pair.moved), MOVED_SHOWN)
        self._moved_note.setText(tr("{shown} of {moved}", shown=shown, moved=len(pair.moved)))
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
        self._decisions.show_lines(("", tr("to call or not"), "arguments"), scores.decisions)
        self._calls_part.setVisible(bool(scores.calls))
        self.calls.show_lines(("", *HEADS[:3]), scores.calls)
        self._times_part.setVisible(bool(scores.times))
        self.times.show_lines(("", *HEADS[3:]), scores.times)

    def _on_picked(self) -> None:
        if self.first.value is not None and self.second.value is not None:
            self.pair_chosen.emit(self.first.value, self.second.value)


class ComparePanel(QFrame):
    """Three tabs: what targets differ by, why they do, and the chosen cell."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.tabs = Tabs([("targets", tr("Targets")), ("why", tr("Why")), ("cell", tr("Runs"))])
        self.tabs.setAccessibleName(tr("Targets, reasons or runs"))
        self.targets = TargetsPane()
        self.why = WhyPane()
        self.cell = CellPane()
        self._stack = QStackedWidget()
        panes = {"targets": self.targets, "why": self.why, "cell": self.cell}
        for pane in panes.values():
            self._stack.addWidget(pane)
        self.tabs.tab_chosen.connect(lambda key: self._stack.setCurrentWidget(panes[key]))
        inner = column(self.tabs, self._stack, gap=0)
        inner.setStretch(1, 1)
        whole = row(hairline(vertical=True, strong=True), gap=0)
        whole.addLayout(inner, 1)
        self.setLayout(whole)

    def forget(self) -> None:
        """Nothing is known of any target yet, and no cell is chosen."""
        self.targets.show_pair(None)
        self.targets.show_scores(Scores())
        self.why.show_why(Why())
        self.why.show_against(Against())
        self.show_cell(None)

    def show_cell(self, view: CellView | None, *, come: bool = True) -> None:
        """Show a cell; with `come` its tab comes to the front."""
        self.cell.show_cell(view)
        self.tabs.set_count("cell", f"{len(view.runs)} runs" if view is not None and view.runs else "")
        if view is not None and come:
            self.tabs.choose("cell")
