"""The parameters field: one line when closed, a form when open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPlainTextEdit, QWidget

from workbench.core.messages import EFFORTS, ToolChoice
from workbench.core.target import Policy
from workbench.ui.run.run_words import POLICY_WORDS
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size, tokens
from workbench.ui.theme.translation import tr
from workbench.ui.try_.prompt_draft import LIMITS, Parameters, choice_text
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import column, label
from workbench.ui.widgets.menus import close_if_disabled
from workbench.ui.widgets.painting import paint_box
from workbench.ui.widgets.tab_order import tab_through
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

USUAL = 208
"""Width of the closed field."""
_FIELDS = (
    ("temperature", tr("Temperature"), tr("not sent")),
    ("seed", tr("Seed"), tr("not sent")),
    ("max_tokens", tr("Max tokens"), tr("not sent")),
    ("top_p", tr("Top p"), tr("not sent")),
    ("iterations", tr("Iterations"), "10"),
    ("budget", tr("Thinking tokens"), tr("not sent")),
    ("calls", tr("Limit of tool calls"), "any"),
    ("seconds", tr("Limit of time in seconds"), "any"),
    ("tokens", tr("Limit of tokens"), "any"),
    ("cost", tr("Limit of cost"), "any"),
)
_ORDER = (
    "temperature", "seed", "max_tokens", "top_p", "iterations", "limits", "more limits", "effort", "budget", "thoughts",
    "policy", "stream", "choice",
)  # fmt: skip


def _line_of(fields: Mapping[str, QWidget], names: Sequence[str]) -> QWidget:
    """Small fields in a line, each with its unit."""
    line = QGridLayout()
    line.setContentsMargins(0, 0, 0, 0)
    line.setHorizontalSpacing(px(8))
    for number, name in enumerate(names):
        set_tip(fields[name], tr("{accessiblename}; empty: none", accessiblename=fields[name].accessibleName()))
        fields[name].setMinimumWidth(px(60))
        line.addWidget(fields[name], 0, 2 * number)
        line.addWidget(label(name, "label"), 0, 2 * number + 1)
        line.setColumnMinimumWidth(2 * number + 1, px(52))
    made = QWidget()
    made.setLayout(line)
    return made


class ParametersPanel(QFrame):
    """All parameters; every change is told at once."""

    changed = Signal(object)
    """The `Parameters`, as typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "surface")
        self._value = Parameters()
        self._setting = False
        self.fields = {key: LineField(hint=hint, name=title) for key, title, hint in _FIELDS}
        self.policy = ComboField(name=tr("Which readings count as calls"))
        self.policy.set_items((title, policy) for policy, title in POLICY_WORDS.items())
        self.effort = ComboField(name=tr("Reasoning effort"))
        self.effort.set_items([(tr("not sent"), ""), *((effort, effort) for effort in EFFORTS)])
        self.thoughts = ComboField(name=tr("Thoughts"))
        self.thoughts.set_items([(tr("as the provider does"), None), (tr("asked for"), True), (tr("left out"), False)])
        self.choice = ComboField(name=tr("Tool choice"))
        self.stream = ComboField(name=tr("Streaming"))
        self.stream.set_items([("streamed", True), (tr("whole reply at once"), False)])
        self.extra = QPlainTextEdit()
        self._set_up()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        close_if_disabled(self, event)

    def _set_up(self) -> None:
        self.extra.setProperty("role", "field")
        self.extra.setProperty("mono", "true")
        self.extra.setPlaceholderText('{"repeat_penalty": 1.05}')
        self.extra.setAccessibleName(tr("Further body fields, a JSON object"))
        fix_size(self.extra, height=72)
        self.extra.setTabChangesFocus(True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        combos = {
            "effort": (tr("Reasoning"), self.effort), "thoughts": (tr("Thoughts"), self.thoughts), "policy": (tr("Policy"), self.policy),
            "stream": (tr("Streaming"), self.stream), "choice": (tr("Tool choice"), self.choice),
        }  # fmt: skip
        named: dict[str, tuple[str, QWidget]] = {key: (title, self.fields[key]) for key, title, _hint in _FIELDS}
        named |= combos
        lines = {"limits": LIMITS[:2], "more limits": LIMITS[2:]}
        named |= {
            key: ("" if key != "limits" else tr("At most"), _line_of(self.fields, names))
            for key, names in lines.items()
        }
        for line, key in enumerate(_ORDER):
            title, widget = named[key]
            grid.addWidget(label(title, "label"), line, 0)
            grid.addWidget(widget, line, 1)
        for field in self.fields.values():
            field.textChanged.connect(self._on_edited)
        for _, combo in combos.values():
            combo.value_chosen.connect(self._on_edited)
        last = len(_ORDER)
        grid.addWidget(label(tr("Extra JSON"), "label"), last, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.extra, last, 1)
        grid.setColumnMinimumWidth(1, px(220))
        self.extra.textChanged.connect(self._on_edited)
        self.setLayout(column(label(tr("Parameters"), "section"), grid, margins=(16, 12, 16, 16), gap=10))
        stops = [self.fields.get(one) or named[one][1] for key in _ORDER for one in lines.get(key, (key,))]
        tab_through([*stops, self.extra])

    def show_value(self, value: Parameters, tool_names: Sequence[str]) -> None:
        """Fill the form."""
        self._setting = True
        self._value = value
        for key, field in self.fields.items():
            if field.text() != getattr(value, key):
                field.setText(getattr(value, key))
        self.choice.set_items(self._choices(tool_names))
        self.choice.choose(value.tool_choice)
        self.policy.choose(value.policy)
        self.stream.choose(value.stream)
        self.effort.choose(value.effort)
        self.thoughts.choose(value.thoughts)
        if self.extra.toPlainText() != value.extra:
            self.extra.setPlainText(value.extra)
        self._setting = False

    @staticmethod
    def _choices(names: Sequence[str]) -> list[tuple[str, ToolChoice]]:
        plain: list[tuple[str, ToolChoice]] = [
            (choice_text(value), value) for value in (None, "auto", "none", "required")
        ]
        return plain + [(name, {"type": "function", "function": {"name": name}}) for name in names]

    def _on_edited(self) -> None:
        if self._setting:
            return
        texts: dict[str, Any] = {key: field.text() for key, field in self.fields.items()}
        self._value = replace(
            self._value, **texts, policy=Policy(self.policy.value), stream=self.stream.value,
            tool_choice=self.choice.value, extra=self.extra.toPlainText(), effort=self.effort.value,
            thoughts=self.thoughts.value,
        )  # fmt: skip
        self.changed.emit(self._value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_box(QPainter(self), self.rect(), ground=tokens().surface, border=tokens().line2, radius=0)


class ParametersField(ComboField):
    """The closed field; opening it shows the form."""

    edited = Signal(object)

    def __init__(self) -> None:
        super().__init__(name=tr("Parameters"), icon_name="sliders")
        self._value = Parameters()
        self._names: Sequence[str] = ()
        self._panel: ParametersPanel | None = None

    @property
    def panel(self) -> ParametersPanel:
        """The form."""
        if self._panel is None:
            self._panel = ParametersPanel(self)
            self._panel.changed.connect(self._on_changed)
        return self._panel

    def show_value(self, value: Parameters, tool_names: Sequence[str]) -> None:
        """Show other parameters."""
        self._value, self._names = value, tool_names
        self.setAccessibleDescription(value.summary())
        set_tip(self, value.summary())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(USUAL), super().sizeHint().height())

    def currentText(self) -> str:
        return self._value.summary()

    def showPopup(self) -> None:
        self.panel.show_value(self._value, self._names)
        hint = self.panel.sizeHint()
        place = self.mapToGlobal(QPoint(self.width() - hint.width(), self.height() + 2))
        self.panel.move(place)
        self.panel.show()
        self.panel.fields["temperature"].setFocus()

    def _on_changed(self, value: Parameters) -> None:
        self._value = value
        self.update()
        self.edited.emit(value)
