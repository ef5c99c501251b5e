"""The dialog that keeps a run as a case: what came, what should have come, and the expectation as text and as a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QSplitter, QWidget

from workbench.core.calls import Region, Span
from workbench.ui.run.case.expectation import expectation_parts
from workbench.ui.run.case.expected_calls import CallsForm, fits_form
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.code_edit import CodeEdit
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.picker_field import Choice, PickerField
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.yaml_colours import YamlColours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Case
    from workbench.core.tools import ToolSpec
    from workbench.ui.widgets.json_check import TextFault

PROPOSED, AS_CALLED, NO_CALL, NONE = "proposed", "as_called", "no_call", "none"
_EVIDENCE = 64
"""Height of the raw text: four lines."""


class KeepCaseDialog(QDialog):
    """Opened, never executed; `kept` carries nothing, the fields are read by whoever opened it."""

    edited = Signal()
    kind_chosen = Signal(str)
    """Another expectation to begin with: proposed, as called, no call, none."""
    form_edited = Signal()
    """The form says other calls than the text: see `form`."""
    kept = Signal()

    def __init__(
        self, title: str, suites: Sequence[str], tools: Sequence[ToolSpec] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keep as case"))
        self.setModal(True)
        self.resize(px(940), px(640))
        self.title = LineField(title, name=tr("Title of the case"))
        self.suite = PickerField("", tr("Suite"), icon_name="clipboard-text")
        choices = [Choice(name, name) for name in suites]
        self.suite.set_choices(choices, lambda text: Choice(text.strip(), text.strip(), tr("new suite")))
        self.suite.show_value(suites[0], suites[0])
        self.suite.picked.connect(lambda name: self.suite.show_value(name, str(name)))
        self.tags = LineField(hint=tr("separated by blanks or commas"), name=tr("Tags"))
        self.notes = LineField(hint=tr("for people who read the case"), name=tr("Notes"))
        self.kind = Segments(
            [(PROPOSED, tr("Proposed")), (AS_CALLED, tr("As called")), (NO_CALL, tr("No call")), (NONE, tr("None"))]
        )
        self.kind.chosen.connect(self.kind_chosen)
        self.guess = Chip(tr("guess"), "guess")
        self.why = Paragraph()
        self.evidence = RawPane(tr("What came"))
        fix_size(self.evidence, height=_EVIDENCE)
        self.text = CodeEdit(tr("Expectation"))
        self.colours = YamlColours(self.text.document())
        self.form = CallsForm(tools)
        self.form.setParent(self)
        self.form.hide()
        self.form.changed.connect(self.form_edited)
        self._reading = QScrollArea()
        self._reading.setWidgetResizable(True)
        self._reading.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reading.setAccessibleName(tr("The expectation as it is read"))
        self.status = label("", "second", wrap=True)
        self.keep = Button(
            tr("Keep"), icon="bookmark-simple", kind="primary", keys="Ctrl+Return", on_click=self._on_keep
        )
        self.keep.setShortcut("Ctrl+Return")
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        self._lay_out()
        self.text.textChanged.connect(self.edited)
        for field in (self.title, self.tags, self.notes):
            field.textChanged.connect(lambda _text: self.edited.emit())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        grid.addWidget(label(tr("Title"), "label_strong"), 0, 0)
        grid.addWidget(self.title, 0, 1, 1, 3)
        for place, (words, field) in enumerate(((tr("Suite"), self.suite), (tr("Tags"), self.tags))):
            grid.addWidget(label(words, "label_strong"), 1, 2 * place)
            grid.addWidget(field, 1, 2 * place + 1)
        grid.addWidget(label(tr("Notes"), "label_strong"), 2, 0)
        grid.addWidget(self.notes, 2, 1, 1, 3)
        grid.addWidget(label(tr("Expects"), "label_strong"), 3, 0)
        grid.addWidget(self.kind, 3, 1, 1, 3)
        self._came = QWidget()
        told = row(self.guess, self.why)
        told.setStretch(1, 1)
        told.setAlignment(self.guess, Qt.AlignmentFlag.AlignTop)
        self._came.setLayout(column(told, self.evidence, gap=6))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.text)
        split.addWidget(self._reading)
        split.setSizes([px(440), px(450)])
        foot = row(self.status, self.cancel, self.keep)
        foot.setStretch(0, 1)
        whole = column(
            label(tr("Keep as case"), "object"),
            grid,
            self._came,
            split,
            hairline(),
            foot,
            margins=(20, 16, 20, 14),
            gap=12,
        )
        whole.setStretch(3, 1)
        self.setLayout(whole)

    def show_proposal(self, words: str, *, guess: bool, text: str = "", places: Sequence[Span] = ()) -> None:
        """Say how the expectation is known, and show the reply that it stands on with the lost calls marked."""
        self.why.show_runs([TextRun(tr("What should have come is inferred. "), bold=True)] * guess + [TextRun(words)])
        self.guess.setVisible(guess)
        self.kind.button(PROPOSED).setVisible(guess)
        self.evidence.setVisible(bool(text))
        self._came.setVisible(bool(words))
        self.evidence.show_text(text, [Region("problem", span) for span in sorted(places)])
        if places:
            cursor = self.evidence.textCursor()
            cursor.setPosition(min(places[0].start, len(self.evidence.toPlainText())))
            self.evidence.setTextCursor(cursor)
            self.evidence.ensureCursorVisible()

    def show_expectation(self, text: str) -> None:
        """Put another expectation into the editor; one undo brings the old one back."""
        self.text.set_text(text)
        self.edited.emit()

    def show_check(self, case: Case | None, fault: TextFault | None, words: str = "") -> None:
        """Show what is read from the text, or where it is wrong."""
        self.text.show_fault(fault)
        self.show_status(fault.words("expectation") if fault else words, failed=fault is not None)
        self.keep.setEnabled(case is not None)
        if case is None:
            if (before := self._reading.widget()) is not None:
                before.setEnabled(False)
        elif not (fits_form(case.expectation) and self._shows_form and self._says(case)):
            self._show_reading(case)

    def show_status(self, words: str, *, failed: bool) -> None:
        """Say what is wrong, or how it stands."""
        self.status.setText(words)
        set_role(self.status, "failed" if failed else "second")

    @property
    def _shows_form(self) -> bool:
        inside = self._reading.widget()
        return inside is not None and inside.isEnabled() and inside.isAncestorOf(self.form)

    def _says(self, case: Case) -> bool:
        """The form says these calls already: it is what is being edited."""
        return case.expectation is not None and self.form.read() == (case.expectation.calls, "")

    def _show_reading(self, case: Case) -> None:
        """The form where it can say everything, else the expectation line by line."""
        self.form.setParent(self)  # else it outlives the dialog where the next reading has no form
        inside = frame("surface")
        if fits_form(case.expectation) and case.expectation is not None:
            self.form.show_calls(case.expectation.calls)
            parts: list[QWidget] = [self.form]
            self.form.show()
        else:
            parts = expectation_parts(case.expectation)
        inside.setLayout(column(label(tr("Read as"), "label_strong"), *parts, None, margins=(16, 8, 8, 8)))
        self._reading.setWidget(inside)
        self.form.follow(self._reading)  # moved into another parent it is the last one again

    def _on_keep(self) -> None:
        if self.keep.isEnabled():
            self.kept.emit()
