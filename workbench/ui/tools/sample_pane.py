"""A call of the chosen tool for real, with a form made from its schema, and what a call may do on this system."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from workbench.core.target import RunLimits
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.quantities import size
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.schema_form import SchemaForm
from workbench.ui.widgets.states import Glyph, Spinner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.core.tools import ToolResult, ToolSetup

_ROOMY = 296
"""Width from which the button of the limits has its word."""
Fact = tuple[bool, str, str]
"""Kept apart, what, and in how far."""


class SamplePane(QFrame):
    """Form, Call, result; the facts below."""

    call_asked = Signal(object)
    """The arguments object."""
    stop_asked = Signal()
    undo_asked = Signal()
    mock_asked = Signal()
    limits_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.form = SchemaForm()
        self.call = Button(tr("Call"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self.ask)
        self.stop = Button(
            tr("Stop"),
            icon="stop",
            tip=tr("Give the call up that is under way"),
            keys="Esc",
            on_click=self.stop_asked.emit,
        )
        self.mock = Button(
            tr("Mock from it"),
            icon="flask",
            tip=tr("Give this result to models from now on"),
            on_click=self.mock_asked.emit,
        )
        self.fault = label("", "failed", wrap=True)
        self.why = label("", "second", wrap=True)
        self.spinner = Spinner()
        self.mark = VerdictLabel("pass", word=False)
        self.outcome = label("", "body", wrap=True)
        self.took = label("", "label")
        self.result = RawPane()
        fix_size(self.result, height=150)
        self.written = label("", "second", wrap=True)
        self.undo = Button(
            tr("Undo"), icon="arrow-counter-clockwise", small=True, keys="U", on_click=self.undo_asked.emit
        )
        self._facts = QWidget()
        self.limits = Button(tr("Limits"), icon="sliders", small=True, on_click=self.limits_asked.emit)
        self.limits.set_tip(tr("Limits: choose the workspace folder, and whether commands may run"))
        inside = frame("surface")
        inside.setLayout(self._lay_out())
        self._area = area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # texts wrap at every width
        area.setWidget(inside)
        area.setAccessibleName(tr("Sample call and what it may do"))
        self.setLayout(
            column(SectionHeader(tr("Sample call"), tr("made from the schema"), height=44), hairline(), area, gap=0)
        )
        self.show_nothing()

    def _lay_out(self) -> Any:
        top = QWidget()
        buttons = row(self.call, self.stop, self.mock, self.spinner, None)
        top.setLayout(column(self.form, self.why, self.fault, buttons, margins=(16, 12, 16, 12), gap=8))
        self._answer = QWidget()
        head = row(self.mark, self.outcome, self.took)
        head.setStretch(1, 1)
        self._written = QWidget()
        self._written.setLayout(row(self.written, None, self.undo))
        self._answer.setLayout(column(head, self.result, self._written, margins=(16, 12, 16, 12), gap=8))
        facts = SectionHeader(tr("What a call may do here"), "", self.limits, height=44)
        facts.note.hide()
        return column(top, hairline(), self._answer, hairline(), facts, self._facts, None, gap=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.limits.setText(tr("Limits") if self.width() >= px(_ROOMY) else "")
        self.limits.updateGeometry()

    def show_nothing(self) -> None:
        """No tool is chosen."""
        self.show_tool(None, "")

    def show_tool(self, setup: ToolSetup | None, why: str) -> None:
        """Make the form of a tool; `why` says why it cannot be called."""
        self.form.show_schema(setup.spec.parameters if setup else {})
        self.form.order_tabs(self._area)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.call.setEnabled(setup is not None and not why)
        self.mock.hide()
        self.fault.hide()
        self._answer.hide()
        self._show_under_way(False)

    def ask(self) -> None:
        """Call with what the form says; tell what cannot be read."""
        values, trouble = self.form.values()
        self.fault.setText(trouble)
        self.fault.setVisible(bool(trouble))
        if not trouble and self.call.isEnabled() and not self.call.isHidden():
            self.call_asked.emit(values)

    def show_running(self) -> None:
        """A call is under way; the button that gives it up takes the place, and the keyboard, of the one that began it."""
        had = self.call.hasFocus()
        self._show_under_way(True)
        if had:
            self.stop.setFocus()

    def show_idle(self) -> None:
        """The call is over, or was given up."""
        had = self.stop.hasFocus()
        self._show_under_way(False)
        if had:
            self.call.setFocus()

    def _show_under_way(self, under_way: bool) -> None:
        self.call.setVisible(not under_way)
        self.stop.setVisible(under_way)
        self.spinner.setVisible(under_way)

    def show_result(self, result: ToolResult, took: str, *, editable: bool) -> None:
        """Show what came back, as the model would get it."""
        text = json.dumps(result.to_json(), ensure_ascii=False, indent=1, default=str)
        self.mark.set_state("pass" if result.success else "error")
        most = RunLimits().result_characters
        told = size(len(text.encode(errors="replace")))
        told = (
            tr("{told} to the model", told=told)
            if len(text) <= most
            else tr("{told}, of it {most:,} characters to the model", told=told, most=most)
        )
        self.outcome.setText(f"{'result' if result.success else 'failed'}  {told}")
        self.took.setText(took)
        self.result.show_text(text if not result.trace else f"{text}\n\n{result.trace}")
        self.written.setText(tr("The write is noted in the journal.") if result.undo else "")
        self._written.setVisible(bool(result.undo))
        self.mock.setVisible(editable)
        self._answer.show()

    def show_undone(self, path: str) -> None:
        """The write was taken back."""
        self.written.setText(tr("{path} is as it was before.", path=path))
        self.undo.setVisible(False)

    def show_facts(self, facts: Sequence[Fact], workspace: str) -> None:
        """Say what is kept apart here and what is not."""
        made = QWidget()
        box = column(margins=(16, 8, 16, 12), gap=8)
        told = workspace or tr("No workspace folder is chosen: files cannot be touched")
        where = row(Glyph("folder", "text2"), Paragraph(TextRun(told, mono=bool(workspace))))
        where.setStretch(1, 1)
        box.addLayout(where)
        for kept, title, detail in facts:
            glyph = Glyph("shield-check" if kept else "prohibit", "passed" if kept else "failed")
            words = Paragraph(TextRun(f"{title}\n"), TextRun(detail, token="text2"))
            box.addLayout(row(glyph, words))
        made.setLayout(box)
        parent = self._facts.parentWidget()
        assert parent is not None
        layout = parent.layout()
        assert layout is not None
        layout.replaceWidget(self._facts, made)
        self._facts.deleteLater()
        self._facts = made
