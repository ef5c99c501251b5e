"""A case as it is understood: messages, tools, and what is expected; read only, beside the document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.core.tools import ToolMode
from workbench.ui.run.case.expectation import expectation_parts
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import column, frame, hairline, label
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.tool_chips import MODE_WORDS

if TYPE_CHECKING:
    from workbench.core.case import Case
    from workbench.core.messages import Message
    from workbench.core.tools import ToolSetup

_SHOWN = 1200
"""Characters of a message that are shown."""


class CasePane(QScrollArea):
    """Shows one case, or why there is nothing to show."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("The case as it is read"))
        self._shown: Case | None = None
        self.show_case(None)

    def show_case(self, case: Case | None) -> None:
        """Show another case; None: the document cannot be read as it stands, what was read last stays, dimmed."""
        before = self.widget()
        if case is None and self._shown is not None and before is not None:
            before.setEnabled(False)
            return
        self._shown = case
        inside = frame("surface")
        parts = _parts(case) if case else [label(tr("nothing readable yet"), "empty")]
        inside.setLayout(column(*parts, None, margins=(16, 12, 16, 12), gap=8))
        self.setWidget(inside)

    def forget(self) -> None:
        """Nothing is chosen."""
        self._shown = None
        self.show_case(None)


def _parts(case: Case) -> list[QWidget]:
    parts: list[QWidget] = [label(case.title, "section", wrap=True)]
    about = [*case.tags, tr("family {family}", family=case.family) if case.family else "", case.notes]
    if words := " · ".join(word for word in about if word):
        parts.append(label(words, "label", wrap=True))
    parts += [_head(tr("Messages")), *(_message(one) for one in case.messages)]
    parts.append(_head(tr("Tools"), _choice(case)))
    parts += [_tool(one) for one in case.tools] or [label(tr("none are offered"), "empty")]
    parts.append(_head(tr("Expectation")))
    parts += expectation_parts(case.expectation)
    return parts


def _head(title: str, note: str = "") -> QWidget:
    made = QWidget()
    inside = column(hairline(), label(f"{title}  {note}".strip(), "label_strong"), margins=(0, 4, 0, 0), gap=8)
    made.setLayout(inside)
    return made


def _choice(case: Case) -> str:
    if case.tool_choice is None:
        return ""
    if isinstance(case.tool_choice, str):
        return tr("· tool_choice {tool_choice}", tool_choice=case.tool_choice)
    return tr("· tool_choice {tool_choice}", tool_choice=json.dumps(case.tool_choice, ensure_ascii=False))


def _message(message: Message) -> QWidget:
    text = message.text
    words = (
        text
        if len(text) <= _SHOWN
        else tr("{beginning} … {rest:,} more characters", beginning=text[:_SHOWN], rest=len(text) - _SHOWN)
    )
    calls = "".join(f"\n{call.name}({call.arguments})" for call in message.tool_calls)
    runs = [TextRun(f"{message.role}  ", token="text3"), TextRun(words)]
    return Paragraph(*runs, *([TextRun(calls, mono=True, token="text2")] if calls else []))


def _tool(setup: ToolSetup) -> QWidget:
    spec = setup.spec
    names = ", ".join(name if name in spec.required else f"{name}?" for name in spec.properties)
    runs = [TextRun(spec.name, bold=True, mono=True), TextRun(f"({names})", mono=True, token="text2")]
    mode = MODE_WORDS[ToolMode(setup.mode)]
    return Paragraph(
        *runs, TextRun(f"  {mode} {setup.mock.kind if setup.mode is ToolMode.MOCK else ''}", token="text3")
    )
