"""The right pane: the chosen metric in a sentence and strips, its evidence, the limits that were decided before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from workbench.ui.compare.verify.cells import MARKS
from workbench.ui.compare.verify.pair_rows import PairDelegate, PairModel, lines_of
from workbench.ui.compare.verify.strips import DifferenceBars
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.rows import RowTable
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs
from workbench.verify.common_faults import narrowed
from workbench.verify.verdict_words import letter, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import Region
    from workbench.ui.compare.verify.pair_rows import PairLine
    from workbench.ui.compare.verify.table_model import MetricRow
    from workbench.verify.judgement import Result
    from workbench.verify.verification import Verification

_ROW = 28


class ShownReply(NamedTuple):
    """The raw text of the chosen pair's candidate."""

    title: str
    text: str
    note: str
    """`in content · tool_calls empty · finish_reason stop`."""
    regions: Sequence[Region] = ()


class MetricPane(QScrollArea):
    """The sentence, the strips, the pairs and the chosen pair's raw text."""

    pair_chosen = Signal(int)
    """Row of the evidence."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Chosen metric"))
        self.mark = VerdictLabel("pass", word=False)
        self.title, self.who = label("", "section"), label("", "faint")
        self.sentence, self.cause = Paragraph(size=12), Paragraph(size=11)
        self.bars, self.itself = (
            DifferenceBars(tr("Paired differences")),
            DifferenceBars(tr("Reference against itself"), itself=True),
        )
        self._unit, self._pairs_note = label("", "faint"), label("", "faint")
        inside = frame("surface")
        head = frame("surface")
        head.setLayout(
            column(
                row(self.mark, self.title, None, self.who), self.sentence, self.cause, margins=(16, 12, 16, 12), gap=6
            )
        )
        self._differences = _section(tr("Paired difference"), self._unit, self.bars)
        self._noise = _section(tr("Reference against itself"), self._pairs_note, self.itself)
        inside.setLayout(column(head, self._differences, self._noise, None, gap=0))
        self.setWidget(inside)

    def show_row(self, found: Verification, line: MetricRow, result: Result) -> None:
        """Show a cell."""
        name = letter(result.candidate)
        self.mark.set_state(MARKS[result.judgement] if result.judgement else "too_few")
        self.title.setText(line.reference.metric.title)
        self.who.setText(tr("Candidate {name}", name=name))
        told = sentence(result, line.reference, name) or tr("This metric is shown, and not judged by the policy.")
        lead, colon, rest = told.partition(": ")
        runs = [TextRun(f"{lead}:", bold=True), TextRun(f" {rest}")] if colon and len(lead) < 90 else [TextRun(told)]
        self.sentence.show_runs(runs)
        cause = narrowed(line.reference.metric, found.pairs, result.candidate)
        self.cause.setVisible(bool(cause))
        self.cause.show_runs([TextRun(cause, token="text2")])
        self.bars.show_row(line)
        self.itself.show_row(line)
        self._unit.setText(self.bars.unit)
        self._pairs_note.setText(
            tr("{pairs:,} pairs", pairs=line.reference.pairs)
            if line.reference.noise is not None
            else tr("measured once")
        )
        self._differences.setVisible(self.bars.sizeHint().height() > 0)


class EvidencePane(QFrame):
    """The pairs, and the raw text of the chosen one."""

    pair_chosen = Signal(int)
    both_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.model = PairModel(self)
        self.pairs = RowTable(tr("Pairs"), _ROW, (54, 0, 44, 44, 74))
        self.pairs.setItemDelegate(PairDelegate(_ROW, self.pairs))
        self.pairs.setModel(self.model)
        self.pairs.row_chosen.connect(self.pair_chosen)
        self.pairs.row_opened.connect(lambda _row: self.both_asked.emit())
        self.title, self.note = label("", "label_strong"), label("", "label", wrap=True)
        self.raw = RawPane(tr("Raw text of the pair"))
        self.both = Button(tr("Open both"), icon="git-diff", small=True, keys="D", on_click=self.both_asked.emit,
                           tip=tr("Both runs in History"))  # fmt: skip
        self._nothing = Emptiness(
            "check", tr("No faulty pair"), tr("No reply of this candidate makes the metric worse.")
        )
        self._reply = frame("surface")
        inner = column(row(self.title, None, self.both), self.raw, self.note, margins=(16, 10, 16, 10), gap=6)
        inner.setStretch(1, 1)
        self._reply.setLayout(inner)
        whole = column(self.pairs, self._nothing, hairline(), self._reply, gap=0)
        whole.setStretch(0, 3)
        whole.setStretch(1, 3)
        whole.setStretch(3, 2)
        self.setLayout(whole)
        self.show_lines((), "A")

    def show_lines(self, lines: Sequence[PairLine], name: str) -> None:
        """Replace the pairs; the first one is chosen."""
        self.model.show_lines(lines, name)
        self.pairs.setVisible(bool(lines))
        self._nothing.setVisible(not lines)
        self._reply.setVisible(bool(lines))
        if lines:
            self.pairs.choose_row(0)

    def show_reply(self, reply: ShownReply) -> None:
        """Show the candidate's raw text."""
        self.title.setText(reply.title)
        self.raw.show_text(reply.text, reply.regions)
        self.note.setText(reply.note)


class PolicyPane(QScrollArea):
    """The limits in words."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Policy"))
        self.name, self.about, self.rules = label("", "section", wrap=True), Paragraph(size=12), Paragraph(size=11)
        inside = frame("surface")
        inside.setLayout(column(self.name, self.about, hairline(), self.rules, None, margins=(16, 14, 16, 14), gap=10))
        self.setWidget(inside)

    def show_policy(self, found: Verification, lines: Sequence[str]) -> None:
        """Show what was decided before."""
        self.name.setText(found.policy.name)
        self.about.show_runs([found.policy.about])
        self.rules.show_runs([TextRun("\n".join(lines), token="text2")])


def _section(title: str, note: QWidget, *inside: QWidget) -> QFrame:
    box = frame("surface")
    head = row(label(title, "label_strong"), None, note)
    box.setLayout(column(hairline(), column(head, *inside, margins=(16, 10, 16, 8), gap=6), gap=0))
    return box


class VerifyPanel(QFrame):
    """Three tabs, and what can be done with the chosen pair."""

    keep_asked = Signal()
    report_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.tabs = Tabs([("metric", tr("Metric")), ("evidence", tr("Evidence")), ("policy", tr("Policy"))])
        self.cell, self.evidence, self.policy = MetricPane(), EvidencePane(), PolicyPane()
        self.keep = Button(
            tr("Keep as case"), icon="bookmark-simple", kind="primary", keys="Ctrl+E", on_click=self.keep_asked.emit
        )
        self.report = Button(tr("Report"), icon="export", keys="U", on_click=self.report_asked.emit,
                             tip=tr("Copy the report as Markdown"))  # fmt: skip
        self._stack = QStackedWidget()
        for pane in (self.cell, self.evidence, self.policy):
            self._stack.addWidget(pane)
        self._stack.addWidget(
            Emptiness("crosshair", tr("No cell chosen"), tr("Choose a candidate's verdict to see why."))
        )
        self.tabs.tab_chosen.connect(lambda _key: self._place())
        self._empty = True
        foot = frame("surface")
        foot.setLayout(row(self.keep, self.report, None, margins=(16, 8, 16, 8)))
        inner = column(self.tabs, self._stack, hairline(), foot, gap=0)
        inner.setStretch(1, 1)
        whole = row(hairline(vertical=True, strong=True), gap=0)
        whole.addLayout(inner, 1)
        self.setLayout(whole)
        bound_width(self, least=320)
        self._place()

    def _place(self) -> None:
        place = ("metric", "evidence", "policy").index(self.tabs.current)
        self._stack.setCurrentIndex(3 if self._empty and place < 2 else place)
        self.keep.setEnabled(not self._empty and self.evidence.model.rowCount() > 0)

    def show_cell(self, found: Verification, line: MetricRow, result: Result) -> None:
        """Show a cell; the chosen tab stays."""
        self._empty = False
        self.cell.show_row(found, line, result)
        lines = lines_of(found, line.reference.metric, result.candidate)
        self.evidence.show_lines(lines, letter(result.candidate))
        self.tabs.set_count("evidence", str(len(lines)) if lines else "")
        self._place()

    def clear(self) -> None:
        """Nothing is chosen."""
        self._empty = True
        self.tabs.set_count("evidence", "")
        self._place()
