"""The tools editor: the JSON on the left, how each tool is executed on the right."""

from __future__ import annotations

import json

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from workbench.core.tools import MockRule, ToolMode, ToolSetup
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.try_.tool_text import check_tools, place_of, with_how, with_skeleton
from workbench.ui.try_.tools_table import ToolButtons
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.frames import column, hairline, label, row, set_role
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.quantities import counted


class ToolsEditor(QDialog):
    """Every change goes to the composer at once; wrong text stays as typed and keeps Run off."""

    changed = Signal(object)
    """The document, as typed."""

    def __init__(self, tools: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Tools"))
        self.setModal(True)
        self.resize(px(980), px(600))
        self._setups: tuple[ToolSetup, ...] = ()
        self.text = CodeEdit("tools.json")
        self._colours = JsonColours(self.text.document())
        self.text.setPlainText(tools)
        self.list = ToolButtons()
        fix_size(self.list, width=320)
        self.status = label("", "second", wrap=True)
        self.skeleton = Button(tr("Insert skeleton"), icon="plus", small=True, on_click=self._on_skeleton)
        self.tidy = Button(tr("Tidy"), small=True, tip=tr("Indent the JSON"), on_click=self._on_tidy)
        self.done_button = Button(tr("Done"), kind="primary", keys="Esc", on_click=self.accept)
        left = column(
            row(label("tools.json", "section"), None, self.tidy, self.skeleton), self.text, self.status, gap=8
        )
        both = row(margins=(16, 14, 16, 12), gap=16)
        both.addLayout(left, 1)
        both.addWidget(hairline(vertical=True))
        both.addWidget(self.list)
        self.setLayout(column(both, hairline(), row(None, self.done_button, margins=(16, 10, 16, 12)), gap=0))
        self.text.textChanged.connect(self._on_text)
        self.list.how_changed.connect(self._on_how)
        self.list.tool_chosen.connect(self.show_tool)
        self._check()

    def show_tool(self, name: str) -> None:
        """Go to a tool."""
        number = next((index for index, one in enumerate(self._setups) if one.spec.name == name), None)
        if number is not None:
            self.text.go_to(place_of(self.text.toPlainText(), number))
            self.list.show_tools(self._setups, name)

    def _on_text(self) -> None:
        self._check()
        self.changed.emit(self.text.toPlainText())

    def _check(self) -> None:
        setups, fault = check_tools(self.text.toPlainText())
        self.text.show_fault(fault)
        words = (
            tr("Run is off: {words}", words=fault.words("tools.json"))
            if fault
            else tr("{tools}, all well", tools=counted(len(setups), "tool"))
        )
        self.status.setText(words)
        set_role(self.status, "failed" if fault else "second")
        for button in (self.skeleton, self.tidy):
            button.setEnabled(fault is None)
        self.list.setEnabled(fault is None)
        if fault is None:
            self._setups = setups
            self.list.show_tools(setups)

    def _on_how(self, name: str, mode: ToolMode, mock: MockRule) -> None:
        self.text.set_text(with_how(self.text.toPlainText(), name, mode, mock))

    def _on_skeleton(self) -> None:
        before = len(self._setups)
        self.text.set_text(with_skeleton(self.text.toPlainText()))
        if len(self._setups) > before:
            self.show_tool(self._setups[-1].spec.name)

    def _on_tidy(self) -> None:
        value, fault = read_json(self.text.toPlainText())
        if fault is None:
            self.text.set_text(json.dumps(value, ensure_ascii=False, indent=2))
