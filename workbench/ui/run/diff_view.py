"""Two runs beside each other in a window of its own: who they are, where they differ, the whole values of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QPlainTextEdit, QSplitter, QStackedWidget, QWidget

from workbench.ui.run.diff_rows import DiffModel
from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.shown_text import shown_line, visible
from workbench.ui.widgets.states import Emptiness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.diff_rows import DiffLine, DiffSide

_ROW = 28


class _Side(QFrame):
    """Letter, verdict, number and title of one run; below it the whole value of the chosen place."""

    def __init__(self, letter: str, side: DiffSide) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        mark = VerdictLabel(side.state)
        title = ElidedLabel(side.title, "strong")
        head = row(
            label(letter, "label_strong"), mark, label(tr("run {number:,}", number=side.number), "second"), title, gap=8
        )
        head.setStretch(3, 1)
        self.text = QPlainTextEdit()
        self.text.setProperty("role", "pane")
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono_font())
        self.text.setAccessibleName(tr("{letter}: the chosen place", letter=letter))
        whole = column(head, ElidedLabel(side.where, "label"), self.text, gap=4)
        whole.setStretch(2, 1)
        self.setLayout(whole)


class RunDiff(QDialog):
    """Not modal: both runs stay at hand behind it."""

    def __init__(
        self,
        sides: tuple[DiffSide, DiffSide],
        word: str,
        lines: Sequence[DiffLine],
        folded: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(shown_line(tr("Runs {left:,} and {right:,}", left=sides[0].number, right=sides[1].number)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(px(1040), px(680))
        self.model = DiffModel(self)
        self.model.show_lines(lines)
        self.sentence = Paragraph(TextRun(_lead(word, lines), bold=True), TextRun(_rest(word, folded), token="text2"))
        self.table = column_table(tr("Where the runs differ"), _ROW, self.model)
        self.table.row_chosen.connect(self._on_row)
        self.places = QStackedWidget()
        self.places.addWidget(self.table)
        self.places.addWidget(
            Emptiness("check", tr("No difference"), tr("Ids, times and numbers of runs do not count."))
        )
        self.places.setCurrentIndex(0 if lines else 1)
        self.first, self.second = (_Side(letter, side) for letter, side in zip("AB", sides, strict=True))
        both = frame("surface")
        pair = row(self.first, hairline(vertical=True), self.second, margins=(16, 10, 16, 12), gap=12)
        pair.setStretch(0, 1)
        pair.setStretch(2, 1)
        both.setLayout(pair)
        close = Button(tr("Close"), keys="Esc", on_click=self.reject)
        head = row(self.sentence, close, margins=(16, 12, 12, 12))
        head.setStretch(0, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.places)
        split.addWidget(both)
        split.setSizes([px(380), px(240)])
        whole = column(gap=0)
        whole.addLayout(head)
        whole.addWidget(hairline())
        whole.addWidget(split, 1)
        self.setLayout(whole)
        self.table.choose_row(0)
        self.table.setFocus()

    def _on_row(self, at: int) -> None:
        if 0 <= at < self.model.rowCount():
            line = self.model.line(at)
            self.first.text.setPlainText(visible(line.first))
            self.second.text.setPlainText(visible(line.second))


def _lead(word: str, lines: Sequence[DiffLine]) -> str:
    places = counted(len(lines), "place")
    return {
        "same": tr("Both runs came to the same."),
        "changed": tr("They differ in {places}.", places=places),
    }.get(word, tr("The configuration differed; {places} in all.", places=places))


def _rest(word: str, folded: Sequence[str]) -> str:
    words = tr(" What was asked is marked: other outcomes are no wonder.") if word == "config differed" else ""
    return words + (tr(" Treated as equal: {folded}.", folded="; ".join(folded)) if folded else "")
