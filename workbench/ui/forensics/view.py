"""The page Forensics: one raw text at the left, who is to blame and what every format makes of it at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSplitter, QStackedWidget, QWidget

from workbench.ui.forensics.findings import FieldLine, Findings
from workbench.ui.forensics.given_bar import GivenBar
from workbench.ui.forensics.legend import RoleWord
from workbench.ui.forensics.result import ForensicsResult
from workbench.ui.forensics.work_line import WorkLine
from workbench.ui.run.raw_editor import ASK_FOR_TEXT, RawEditor
from workbench.ui.theme.fonts import px, scale
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import UNBOUNDED, ElidedLabel, column, frame, hairline, label, row
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Emptiness, Spinner
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.forensics_rows import FindingLine

SIDE_BY_SIDE, ONE_COLUMN = 1300, 820
"""Width of the page from which text and matrix stand beside each other, and below which nothing does."""
TEXT_HEIGHT, RESULT_HEIGHT = 260, 480
"""Least heights in one column."""
AROUND_TEXT, LOWEST = 160, 250
"""Height of what stands around the text where it is above the matrix, and the least of both together."""
_LEGEND = {
    "marker": tr("marker"),
    "name": tr("name"),
    "key": tr("key"),
    "string": tr("text"),
    "number": tr("number"),
    "reasoning": tr("reasoning"),
    "special": tr("special token"),
}
VIEWS = [("raw", tr("Raw")), ("sanitized", tr("Sanitized")), ("markup", tr("Markup"))]


class ForensicsView(QWidget):
    """Shows what its controller computes; asks by signals."""

    format_chosen = Signal(str)
    finding_chosen = Signal(object)
    view_chosen = Signal(str)
    paste_asked = Signal()
    clear_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.editor = RawEditor()
        self.other = RawPane(tr("Sanitized reply"))
        self.given = GivenBar()
        self.count = ElidedLabel("", "second")
        self.views = Segments(VIEWS)
        self.views.button("markup").set_tip(tr("Show markup: nothing is removed, but no marker works any more"))
        self.colours = ComboField("as", name=tr("Colours of the format"), mono=True, small=True, quiet=True)
        self.paste = Button(
            tr("Paste"), icon="clipboard-text", kind="quiet", small=True, on_click=self.paste_asked.emit
        )
        self.clear = Button(tr("Clear"), icon="x", kind="quiet", small=True, on_click=self.clear_asked.emit)
        self.more = Button("", kind="quiet", small=True, on_click=self.editor.show_more)
        self.note = ElidedLabel("", "label")
        self.field = FieldLine()
        self.findings = Findings()
        self.work = WorkLine()
        self.result = ForensicsResult()
        self.verdict, self.matrix = self.result.verdict, self.result.matrix
        self.next = Button(tr("Next problem"), icon="arrow-down", keys="F3", small=True)
        self.reparse = Button(
            tr("Re-parse"), icon="arrow-clockwise", keys="P", small=True, tip=tr("Read it again with today's parsers")
        )
        self.minimise = Button(
            tr("Minimise"),
            icon="scissors",
            small=True,
            tip=tr("Leave out all that the fault of the chosen format does not need"),
        )
        self.copy = Button("", icon="copy", small=True, tip=tr("Copy the report, with the raw text"))
        self._texts = QStackedWidget()
        self._right = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(0)
        self._rule = frame("hairline")
        self._beside: bool | None = None
        self._arranged: tuple[bool, bool, float] | None = None
        self._moved = False
        self._set_up()
        self._connect()
        self.show_empty()

    def _set_up(self) -> None:
        for text in (self.editor, self._framed(self.other)):
            self._texts.addWidget(text)
        self._spinner = Spinner(16)
        self._state = Emptiness("stack", "", "")
        waiting = frame("surface")
        waiting.setLayout(
            column(None, row(None, self._spinner, label(tr("Reading with all formats"), "second"), None), None)
        )
        self._nothing = frame("surface")
        self._nothing.setLayout(column(self._state))
        for widget in (self._nothing, waiting, self.result):
            self._right.addWidget(widget)
        self._split.addWidget(self._left())
        self._split.addWidget(self._right)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setStretchFactor(1, 1)
        self.setLayout(column(self._split))

    @staticmethod
    def _framed(text: RawPane) -> QFrame:
        made = frame("surface")
        made.setLayout(column(text, margins=(16, 12, 12, 8)))
        return made

    def _left(self) -> QWidget:
        left = frame("surface")
        head = row(label(tr("Raw text"), "section"), self.count, self.paste, self.clear, margins=(16, 6, 8, 6), gap=6)
        head.setStretch(1, 1)
        switch = row(self.views, self.colours, margins=(12, 4, 8, 4), gap=4)
        switch.setStretch(0, 1)
        notes = row(self.note, self.more, margins=(16, 0, 8, 2))
        notes.setStretch(0, 1)
        self._notes = frame("surface")
        self._notes.setLayout(notes)
        self._notes.hide()
        text = frame("surface")
        upper = column(head, hairline(), self.given, hairline(), switch, self._texts, self._notes, self.work, gap=0)
        upper.setStretch(5, 1)
        text.setLayout(upper)
        self._text_side = text
        self._parts.addWidget(text, 1)
        self._parts.addWidget(self._rule)
        self._parts.addWidget(self._lower())
        left.setLayout(self._parts)
        bound_width(left, least=340)
        return left

    def _lower(self) -> QWidget:
        """Legend, chosen argument, findings: under the text, or beside it where the page is narrow."""
        legend = WrapBox([RoleWord(role, word) for role, word in _LEGEND.items()], gap=12)
        strip = frame("surface")
        strip.setLayout(column(legend, margins=(16, 6, 16, 6)))
        buttons = row(self.next, self.reparse, self.minimise, self.copy, None, margins=(16, 6, 12, 10), gap=6)
        lower = frame("surface")
        whole = column(strip, hairline(), self.field, self.findings, buttons, gap=0)
        whole.addStretch(1)
        lower.setLayout(whole)
        self._foot = lower
        return lower

    def _arrange(self, *, beside: bool, single: bool) -> None:
        """Text beside the matrix, or above it with its findings at the right; or all in one column."""
        self._split.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._parts.setDirection(down if beside or single else right)
        self._text_side.setMinimumHeight(px(TEXT_HEIGHT) if single else 0)
        self._right.setMinimumHeight(px(RESULT_HEIGHT) if single else 0)
        if beside or single:
            self._rule.setMinimumSize(0, 1)
            self._rule.setMaximumSize(UNBOUNDED, 1)
            self._foot.setMaximumWidth(UNBOUNDED)
            self._foot.setMinimumWidth(0)
        else:
            self._rule.setMinimumSize(1, 0)
            self._rule.setMaximumSize(1, UNBOUNDED)
            self._foot.setFixedWidth(px(440))
        self._share()

    def _share(self) -> None:
        """Beside the matrix a column of its own; above it as much as a short text needs, and never most of the page."""
        size = self.size()
        beside = min(max(px(424), size.width() * 30 // 100), px(620))
        room, first = (size.width(), beside) if self._beside else (size.height(), size.height() * 46 // 100)
        if not self._beside:
            lines = self.editor.text.count("\n") + 1
            first = max(min(first, px(AROUND_TEXT) + lines * px(18)), px(LOWEST))
        self._split.setSizes([first, max(room - first, 1)])

    def _connect(self) -> None:
        self.matrix.format_chosen.connect(self.format_chosen)
        self.colours.value_chosen.connect(lambda name: self.format_chosen.emit(str(name)))
        self.findings.finding_chosen.connect(self._on_finding)
        self.views.chosen.connect(self.view_chosen)
        self.editor.grown.connect(self._on_grown)
        self.next.clicked.connect(lambda _checked=False: self.next_problem(1))
        self._split.splitterMoved.connect(self._on_split)

    def _on_split(self, _position: int, _index: int) -> None:
        self._moved = True

    def set_colours(self, names: Sequence[str]) -> None:
        """Offer the formats whose reading can colour the text."""
        self.colours.set_items([(name, name) for name in names])
        self.colours.setVisible(bool(names))  # without a text there is nothing to colour
        self.colours.updateGeometry()

    def show_text(self, text: str, *, recorded: bool = False) -> None:
        """Show another text; of what was recorded without one, that is said in its place."""
        self.editor.setPlaceholderText(tr("No text was recorded.") if recorded else ASK_FOR_TEXT)
        self.editor.show_text(text)
        self.show_count(text)
        if not self._beside and not self._moved:
            self._share()

    def show_count(self, text: str) -> None:
        """Say how long the text is."""
        self.count.setText(counted(len(text), "character") if text else "")
        self.clear.setEnabled(bool(text))

    def _on_grown(self) -> None:
        editor = self.editor
        words = ""
        if editor.is_cut:
            words = tr("Only the beginning is laid out; all of it is read.")
        elif not editor.is_exact:
            words = tr("Shown with line breaks or stand-ins, so not editable here.")
        self.note.setText(words)
        self.more.setText(tr("Show all {editor:,}", editor=len(editor.text)))
        self.more.setVisible(editor.is_cut)
        self._notes.setVisible(bool(words))

    def show_empty(self) -> None:
        """There is no text."""
        self._state.set_state(
            "stack", tr("No text yet"), tr("Paste what a model wrote, or open a step's Forensics from Try or History.")
        )
        self._right.setCurrentWidget(self._nothing)
        for button in (self.next, self.reparse, self.minimise, self.copy):
            button.setEnabled(False)
        self.set_colours(())
        self.findings.show_lines("", (), asked=False, read=False)
        self.field.show_words(None)

    def show_reading(self) -> None:
        """The text is being read for the first time; a later reading replaces the one that is shown."""
        if self._right.currentIndex() != 2:
            self._right.setCurrentIndex(1)

    def show_result(self) -> None:
        """There is something to see."""
        self.copy.setEnabled(True)
        self.reparse.setEnabled(True)
        self._right.setCurrentIndex(2)

    @property
    def shows_result(self) -> bool:
        """Readings are on the screen."""
        return self._right.currentIndex() == 2

    @property
    def is_waiting(self) -> bool:
        """The spinner is on the screen."""
        return self._right.currentIndex() == 1

    def show_other(self, text: str, *, markup: bool) -> None:
        """Show the sanitized text, or the text with inert markers, in place of the raw one."""
        self.other.setAccessibleName(tr("Reply with inert markers") if markup else tr("Sanitized reply"))
        self.other.show_text(text)
        self._texts.setCurrentIndex(1)

    def show_raw(self) -> None:
        """Show the raw text again."""
        self._texts.setCurrentIndex(0)

    def next_problem(self, step: int) -> bool:
        """Jump to the next problem of the chosen format."""
        return self.findings.next_problem(step)

    def _on_finding(self, line: FindingLine) -> None:
        self.views.choose("raw")
        self.show_raw()
        self.finding_chosen.emit(line)

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [
            self.editor,
            self.findings.list,
            self.result.scrubber if self.result.shows_chunks else self.matrix.table,
        ]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        arranged = (width >= px(SIDE_BY_SIDE), width < px(ONE_COLUMN), scale())
        if arranged != self._arranged:
            self._arranged = arranged
            self._beside = arranged[0]
            self._arrange(beside=arranged[0], single=arranged[1])
        elif not self._moved:
            self._share()
