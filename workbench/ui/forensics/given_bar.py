"""What is known beside the text: the format asked for, the finish reason, the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, label, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.widgets.json_check import TextFault

REASONS = [("stop", "stop"), ("length", "length"), ("tool_calls", "tool_calls"), ("unknown", "")]


class GivenBar(QFrame):
    """Two choices and a button that opens the tools as JSON."""

    changed = Signal()
    """The user changed the format asked for or the finish reason."""
    tools_edited = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.asked = ComboField("asked", name=tr("Format asked for"), mono=True, small=True)
        self.reason = ComboField("ended", name=tr("Finish reason"), small=True)
        self.reason.set_items(REASONS)
        self.reason.choose("")
        self.tools = Button(tr("Tools"), icon="wrench", small=True, on_click=self._on_tools)
        self.editor = CodeEdit(tr("Tools as JSON"))
        self._colours = JsonColours(self.editor.document())
        fix_size(self.editor, height=132)
        self.editor.setPlaceholderText(tr('[{"name": …, "parameters": {…}}]; without tools any name is accepted'))
        self.fault = label("", "label", wrap=True)
        self.editor.hide()
        self.fault.hide()
        line = row(self.asked, self.reason, self.tools, gap=6)
        line.setStretch(0, 5)
        line.setStretch(1, 4)
        self.setLayout(column(line, self.editor, self.fault, margins=(12, 6, 12, 6), gap=6))
        self.asked.value_chosen.connect(lambda _value: self.changed.emit())
        self.reason.value_chosen.connect(lambda _value: self.changed.emit())
        self.editor.textChanged.connect(lambda: self.tools_edited.emit(self.editor.toPlainText()))

    def set_formats(self, names: Sequence[str]) -> None:
        """Which formats can have been asked for."""
        self.asked.set_items([("unknown", ""), *((name, name) for name in names)])

    def show_given(self, asked: str, reason: str, tools: str, count: int | None) -> None:
        """Show what belongs to another text."""
        self.asked.choose(asked)
        if not self.reason.choose(reason):
            self.reason.set_items([*REASONS, (reason, reason)])
            self.reason.choose(reason)
        self.editor.blockSignals(True)
        self.editor.set_text(tools)
        self.editor.blockSignals(False)
        self.show_tools(count, None, "")

    def show_tools(self, count: int | None, fault: TextFault | None, words: str) -> None:
        """Say how many tools there are, or what is wrong with them."""
        self.tools.setText(tr("Tools") if count is None else tr("Tools {count}", count=count))
        self.tools.updateGeometry()
        self.tools.set_tip(tr("Edit the tools that the names are checked against"))
        self.editor.show_fault(fault)
        self.fault.setText(words)
        self.fault.setVisible(bool(words))

    def _on_tools(self) -> None:
        shown = not self.editor.isVisibleTo(self)
        self.editor.setVisible(shown)
        self.tools.set_kind("chosen" if shown else "normal")
        if shown:
            self.editor.setFocus()
