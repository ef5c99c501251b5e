"""The tools as a list, and how the chosen one is executed: mode, and the result of a mock."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.core.tools import MockRule, ToolMode
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.tool_chips import MODE_TIPS, MODE_WORDS, OFFERED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSetup

_KINDS = (
    ("echo", tr("a labelled echo of the call")),
    ("fixed", tr("a fixed result")),
    ("template", tr("a template over the arguments")),
    ("failing", tr("a failure")),
)
_HINTS = {
    "fixed": tr('{"entries": ["app.toml"]} or any text'),
    "template": tr("read {{ arguments.path }}"),
    "failing": tr("permission denied"),
}


class HowEditor(QFrame):
    """Mode and mock of one tool; what cannot be read is said and not taken."""

    changed = Signal(str, object, object)
    """The tool's name, its `ToolMode` and its `MockRule`."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._setting = False
        self.title = label("", "mono_strong")
        self.mode = ComboField(name=tr("Mode of the tool"))
        self.kind = ComboField(name=tr("Result of the mock"))
        self.kind.set_items((title, kind) for kind, title in _KINDS)
        self.result = QPlainTextEdit()
        self.result.setProperty("role", "field")
        self.result.setProperty("mono", "true")
        self.result.setAccessibleName(tr("Result of the mock"))
        self.result.setTabChangesFocus(True)
        fix_size(self.result, height=96)
        self.delay = LineField(hint="0", name=tr("Delay in milliseconds"))
        fix_size(self.delay, width=90)
        self.fault = label("", "failed", wrap=True)
        self._mock = QWidget()
        self._mock.setLayout(
            column(
                label(tr("Result"), "label"), self.kind, self.result,
                row(label(tr("Delay"), "label"), self.delay, label(tr("ms"), "label"), None), margins=(0, 0, 0, 0), gap=6,
            )
        )  # fmt: skip
        self.setLayout(column(self.title, self.mode, self._mock, self.fault, margins=(0, 8, 0, 0), gap=8))
        self.mode.value_chosen.connect(self._on_edited)
        self.kind.value_chosen.connect(self._on_edited)
        self.result.textChanged.connect(self._on_edited)
        self.delay.textChanged.connect(self._on_edited)

    def show_tool(self, setup: ToolSetup | None) -> None:
        """Show another tool."""
        self.setVisible(setup is not None)
        if setup is None:
            self._name = ""
            return
        self._setting = True
        same = self._name == setup.spec.name
        self._name = setup.spec.name
        self.title.setText(setup.spec.name)
        offered = dict.fromkeys((*OFFERED, setup.mode))
        self.mode.set_items((f"{MODE_WORDS[mode]}: {MODE_TIPS[mode]}", mode) for mode in offered)
        self.mode.choose(setup.mode)
        self.kind.choose(setup.mock.kind)
        if not same:
            self.result.setPlainText(_written(setup.mock))
            self.delay.setText(str(setup.mock.delay_ms or ""))
        self._setting = False
        self._show_parts()

    @property
    def _mode(self) -> ToolMode:
        """The chosen mode; Qt gives its plain text back."""
        return ToolMode(self.mode.value)

    def _show_parts(self) -> None:
        self._mock.setVisible(self._mode is ToolMode.MOCK)
        self.result.setVisible(self.kind.value != "echo")
        self.result.setPlaceholderText(_HINTS.get(self.kind.value, ""))

    def _on_edited(self) -> None:
        if self._setting or not self._name:
            return
        self._show_parts()
        delay = self.delay.text().strip() or "0"
        fault = (
            "" if delay.isdecimal() and int(delay) <= 600_000 else tr("The delay is a whole number of milliseconds.")
        )
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        if not fault:
            rule = _rule(self.kind.value, self.result.toPlainText(), int(delay))
            self.changed.emit(self._name, self._mode, rule)


def _rule(kind: str, text: str, delay: int) -> MockRule:
    match kind:
        case "fixed":
            value, fault = read_json(text)
            return MockRule("fixed", text if fault is not None else value, "", delay)
        case "template":
            return MockRule("template", text, "", delay)
        case "failing":
            return MockRule("failing", None, text or "the tool failed", delay)
        case _:
            return MockRule("echo", None, "", delay)


def _written(rule: MockRule) -> str:
    if rule.kind == "failing":
        return rule.error
    if isinstance(rule.result, str) or rule.result is None:
        return rule.result or ""
    return json.dumps(rule.result, ensure_ascii=False, indent=2)


class ToolButtons(QFrame):
    """One button per tool, and the editor of the chosen one below."""

    how_changed = Signal(str, object, object)
    tool_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.picker = ComboField(tr("Tool"), name=tr("Tool"))
        self.editor = HowEditor()
        self.none = label(tr("No tools yet: press Insert skeleton."), "empty", wrap=True)
        self._setups: tuple[ToolSetup, ...] = ()
        box = QVBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(px(8))
        title = label(tr("How each tool is executed"), "section")
        fix_size(title, height=24)
        for widget in (title, self.picker, self.none, self.editor):
            box.addWidget(widget)
        box.addStretch(1)
        self.setLayout(box)
        self.picker.value_chosen.connect(self._on_picked)
        self.editor.changed.connect(self.how_changed)

    def show_tools(self, setups: Sequence[ToolSetup], chosen: str = "") -> None:
        """Show other tools; keep the chosen one if it is still there."""
        self._setups = tuple(setups)
        current = chosen or self.picker.value
        self.picker.set_items((f"{one.spec.name}  ·  {MODE_WORDS[one.mode]}", one.spec.name) for one in setups)
        if not self.picker.choose(current) and setups:
            self.picker.choose(setups[0].spec.name)
        self.picker.setVisible(bool(setups))
        self.none.setVisible(not setups)
        self._show_editor()

    def _show_editor(self) -> None:
        found = next((one for one in self._setups if one.spec.name == self.picker.value), None)
        self.editor.show_tool(found)

    def _on_picked(self, name: str) -> None:
        self._show_editor()
        self.tool_chosen.emit(name)
