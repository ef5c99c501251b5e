"""The tools editor: the JSON on the left, how each tool is executed on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from workbench.ui.models.json_check import locate, read_json
from workbench.ui.models.run_words import counted
from workbench.ui.models.tool_text import ToolText, check_tools, with_skeleton
from workbench.ui.theme.fonts import px
from workbench.ui.views.tools_json import CodeEdit, JsonColours
from workbench.ui.views.tools_table import ToolList
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, hairline, label, row, set_role

if TYPE_CHECKING:
    from collections.abc import Callable


class ToolsEditor(QDialog):
    """Every change goes to the composer at once; wrong text stays as typed and keeps Run off."""

    changed = Signal(object)
    """The `ToolText`."""

    def __init__(
        self,
        tools: ToolText,
        check_schema: Callable[[dict[str, Any]], list[tuple[tuple[str | int, ...], str]]] | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Tools")
        self.setModal(True)
        self.resize(px(980), px(600))
        self.tools = tools
        self._check_schema = check_schema
        self.text = CodeEdit("tools.json")
        self._colours = JsonColours(self.text.document())
        self.text.setPlainText(tools.text)
        self.list = ToolList()
        self.list.setFixedWidth(px(320))
        self.status = label("", "second", wrap=True)
        self.skeleton = Button("Insert skeleton", icon="plus", small=True, on_click=self._on_skeleton)
        self.tidy = Button("Tidy", small=True, tip="Indent the JSON", on_click=self._on_tidy)
        self.done_button = Button("Done", kind="primary", keys="Esc", on_click=self.accept)
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
        text = self.text.toPlainText()
        specs, fault = check_tools(text)
        number = next((index for index, one in enumerate(specs) if one.name == name), None)
        if fault is None and number is not None:
            value, _ = read_json(text)
            self.text.go_to(locate(text, ("tools", number) if isinstance(value, dict) else (number,)))
        self.list.show_tools(self.tools.setups(specs), name)

    def _on_text(self) -> None:
        self.tools = self.tools.with_text(self.text.toPlainText())
        self._check()
        self.changed.emit(self.tools)

    def _check(self) -> None:
        specs, fault = check_tools(self.tools.text, self._check_schema)
        self.text.show_fault(fault)
        words = f"Run is off: {fault.words('tools.json')}" if fault else f"{counted(len(specs), 'tool')}, all well"
        self.status.setText(words)
        set_role(self.status, "failed" if fault else "second")
        self.skeleton.setEnabled(fault is None)
        self.tidy.setEnabled(fault is None)
        if fault is None:
            self.list.show_tools(self.tools.setups(specs))

    def _on_how(self, name: str, how: object) -> None:
        self.tools = self.tools.with_how(name, how)  # type: ignore[arg-type]
        specs, fault = check_tools(self.tools.text)
        if fault is None:
            self.list.show_tools(self.tools.setups(specs))
        self.changed.emit(self.tools)

    def _on_skeleton(self) -> None:
        before, _ = check_tools(self.text.toPlainText())
        self.text.set_text(with_skeleton(self.text.toPlainText()))
        after, _ = check_tools(self.text.toPlainText())
        if len(after) > len(before):
            self.show_tool(after[-1].name)

    def _on_tidy(self) -> None:
        import json

        value, fault = read_json(self.text.toPlainText())
        if fault is None:
            self.text.set_text(json.dumps(value, ensure_ascii=False, indent=2))
