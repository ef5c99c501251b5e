"""The dialog that keeps a run as a case: title, suite, and the expectation made from the run, to be corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QSplitter, QWidget

from workbench.ui.run.expectation import expectation_parts
from workbench.ui.theme.fonts import px
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import column, frame, hairline, label, row, set_role
from workbench.ui.widgets.picker_field import Choice, PickerField
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.yaml_colours import YamlColours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Case
    from workbench.ui.widgets.json_check import TextFault

AS_CALLED, NO_CALL, NONE = "as_called", "no_call", "none"


class KeepCaseDialog(QDialog):
    """Opened, never executed; `kept` carries nothing, the fields are read by whoever opened it."""

    edited = Signal()
    kind_chosen = Signal(str)
    """Another expectation to begin with: as called, no call, none."""
    kept = Signal()

    def __init__(self, title: str, suites: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keep as case")
        self.setModal(True)
        self.resize(px(860), px(560))
        self.title = LineField(title, name="Title of the case")
        self.suite = PickerField("", "Suite", icon_name="clipboard-text")
        choices = [Choice(name, name) for name in suites]
        self.suite.set_choices(choices, lambda text: Choice(text.strip(), text.strip(), "new suite"))
        self.suite.show_value(suites[0], suites[0])
        self.suite.picked.connect(lambda name: self.suite.show_value(name, str(name)))
        self.kind = Segments([(AS_CALLED, "As called"), (NO_CALL, "No call"), (NONE, "None")])
        self.kind.chosen.connect(self.kind_chosen)
        self.text = CodeEdit("Expectation")
        self.colours = YamlColours(self.text.document())
        self._reading = QScrollArea()
        self._reading.setWidgetResizable(True)
        self._reading.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reading.setAccessibleName("The expectation as it is read")
        self.status = label("", "second", wrap=True)
        self.keep = Button("Keep", icon="bookmark-simple", kind="primary", keys="Ctrl+Return", on_click=self._on_keep)
        self.keep.setShortcut("Ctrl+Return")
        self.cancel = Button("Cancel", keys="Esc", on_click=self.reject)
        self._lay_out()
        self.text.textChanged.connect(self.edited)
        self.title.textChanged.connect(lambda _text: self.edited.emit())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(1, 1)
        for number, (words, field) in enumerate((("Title", self.title), ("Suite", self.suite), ("Expects", self.kind))):
            grid.addWidget(label(words, "label_strong"), number, 0)
            grid.addWidget(field, number, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.text)
        split.addWidget(self._reading)
        split.setSizes([px(480), px(330)])
        foot = row(self.status, self.cancel, self.keep)
        foot.setStretch(0, 1)
        whole = column(label("Keep as case", "object"), grid, split, hairline(), foot, margins=(20, 16, 20, 14), gap=12)
        whole.setStretch(2, 1)
        self.setLayout(whole)

    def show_expectation(self, text: str) -> None:
        """Put another expectation into the editor; one undo brings the old one back."""
        self.text.set_text(text)
        self.edited.emit()

    def show_check(self, case: Case | None, fault: TextFault | None, words: str = "") -> None:
        """Show what is read from the text, or where it is wrong."""
        self.text.show_fault(fault)
        self.status.setText(fault.words("expectation") if fault else words)
        set_role(self.status, "failed" if fault else "second")
        self.keep.setEnabled(case is not None)
        if case is not None:
            inside = frame("surface")
            parts = expectation_parts(case.expectation)
            inside.setLayout(column(label("Read as", "label_strong"), *parts, None, margins=(16, 8, 8, 8)))
            self._reading.setWidget(inside)
        elif (before := self._reading.widget()) is not None:
            before.setEnabled(False)

    def _on_keep(self) -> None:
        if self.keep.isEnabled():
            self.kept.emit()
