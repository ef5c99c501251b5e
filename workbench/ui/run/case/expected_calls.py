"""Expected calls as a form: the tool, and for each argument a rule and its value. What a form cannot say stays in the text."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast, get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.core.case import ExpectedArgument, ExpectedCall, Placeholder
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.fields import ComboField, LineField
from workbench.ui.widgets.frames import ElidedLabel, column, hairline, label, row
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Expectation
    from workbench.core.tools import ToolSpec

EXACTLY, ONE_OF, ANY, KIND, OUT = "exactly", tr("one of"), "anything", tr("of this kind"), tr("not given")
_RULES = (EXACTLY, ONE_OF, ANY, KIND, OUT)
_KINDS = get_args(Placeholder)


def fits_form(expectation: Expectation | None) -> bool:
    """The form can say all that the calls of an expectation demand."""
    if expectation is None or not expectation.calls:
        return False
    return all(_rule_of(one) is not None for call in expectation.calls for one in call.arguments.values())


def _rule_of(argument: ExpectedArgument) -> str | None:
    """The form's rule for an argument; None where it has none such."""
    for rule, plain in (
        (EXACTLY, ExpectedArgument(argument.values) if len(argument.values) == 1 else None),
        (ONE_OF, ExpectedArgument(argument.values) if len(argument.values) > 1 else None),
        (KIND, ExpectedArgument(kind=argument.kind) if argument.kind else None),
        (ANY, ExpectedArgument()),
    ):
        if argument == plain:
            return rule
    return None


class _ArgumentRow:
    """One argument: name, rule, value."""

    def __init__(self, name: str, schema: dict[str, Any], argument: ExpectedArgument | None, form: CallsForm) -> None:
        self.name, self._schema = name, schema
        self.rule = ComboField(name=tr("Rule for {name}", name=name), small=True)
        self.rule.set_items([(one, one) for one in _RULES])
        self.rule.choose(OUT if argument is None else _rule_of(argument))
        self.value = LineField(name=tr("Value of {name}", name=name), mono=True)
        self.kind = ComboField(name=tr("Kind of {name}", name=name), small=True)
        self.kind.set_items([(kind, kind) for kind in _KINDS])
        self._fill(argument)
        self._show()
        self.rule.value_chosen.connect(lambda _value: self._show())
        self.rule.value_chosen.connect(lambda _value: form.tell())
        self.kind.value_chosen.connect(lambda _value: form.tell())
        self.value.textEdited.connect(lambda _text: form.tell())

    def _fill(self, argument: ExpectedArgument | None) -> None:
        said = self._schema.get("type")
        self.kind.choose(argument.kind if argument and argument.kind else said if said in _KINDS else "string")
        if argument is not None and argument.values:
            value = list(argument.values) if len(argument.values) > 1 else argument.values[0]
            self.value.setText(value if isinstance(value, str) and self._is_text else _json(value))

    @property
    def _is_text(self) -> bool:
        return bool(self._schema.get("type", "string") == "string")

    def _show(self) -> None:
        self.value.setVisible(self.rule.value in (EXACTLY, ONE_OF))
        self.kind.setVisible(self.rule.value == KIND)
        self.value.setPlaceholderText('["one", "another"]' if self.rule.value == ONE_OF else "")

    def read(self) -> tuple[ExpectedArgument | None, str]:
        """The argument's rule (None: not given), and what is wrong with its value."""
        if self.rule.value == OUT:
            return None, ""
        if self.rule.value == ANY:
            return ExpectedArgument(), ""
        if self.rule.value == KIND:
            return ExpectedArgument(kind=cast("Placeholder", self.kind.value)), ""
        text = self.value.text()
        if self.rule.value == EXACTLY and self._is_text:
            return ExpectedArgument((text,)), ""
        value, fault = read_json(text)
        if self.rule.value == ONE_OF and not fault and not (isinstance(value, list) and value):
            return None, tr('{name}: write ["one", "another"]', name=self.name)
        self.value.set_invalid(fault.message if fault else "")
        if fault:
            return None, tr("{name}: write it as JSON: {message}", name=self.name, message=fault.message)
        return ExpectedArgument(tuple(value) if self.rule.value == ONE_OF else (value,)), ""


class CallsForm(QWidget):
    """The form of all calls; `read` gives them back."""

    changed = Signal()
    """Something was edited; read it."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        super().__init__()
        self._tools = {tool.name: tool for tool in tools}
        self._calls: tuple[ExpectedCall, ...] = ()
        self._before: QWidget | None = None
        self.rows: list[list[_ArgumentRow]] = []
        self.names: list[ComboField] = []
        self.removes: list[Button] = []
        self.add = Button(tr("Add a call"), icon="plus", small=True, on_click=self._on_add, parent=self)
        self._body = column(gap=8)
        self.setLayout(self._body)

    @property
    def calls(self) -> tuple[ExpectedCall, ...]:
        """The calls that are shown."""
        return self._calls

    def show_calls(self, calls: Sequence[ExpectedCall]) -> None:
        """Make the form anew."""
        while (item := self._body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget is not self.add:
                widget.hide()
                widget.deleteLater()
        self._calls, self.rows, self.names, self.removes = tuple(calls), [], [], []
        for number, call in enumerate(calls):
            self._body.addWidget(self._block(number, call))
            self._body.addWidget(hairline())
        self.add.setEnabled(bool(self._tools))
        self._body.addWidget(self.add)
        self._order_tabs()

    def follow(self, before: QWidget) -> None:
        """Have the Tab key come here after another widget of the window, and go through the form as it reads."""
        self._before = before
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Fields are made anew; Qt puts new ones behind all others of the window."""
        if self._before is None:
            return
        stops: list[QWidget] = [self._before]
        for name, rows, remove in zip(self.names, self.rows, self.removes, strict=True):
            stops += (name, remove, *(part for one in rows for part in (one.rule, one.value, one.kind)))
        tab_through((*stops, self.add))

    def _block(self, number: int, call: ExpectedCall) -> QWidget:
        made = QWidget()
        name = ComboField(f"{number + 1}", name=tr("Tool of call {number}", number=number + 1), mono=True)
        names = list(dict.fromkeys((*self._tools, call.name)))
        name.set_items([(one, one) for one in names])
        name.choose(call.name)
        name.value_chosen.connect(lambda chosen, at=number: self._on_tool(at, str(chosen)))
        remove = Button(tr("Remove"), icon="x", small=True, tip=tr("Take this call out"))
        remove.clicked.connect(partial(self._on_remove, number))
        remove.setEnabled(len(self._calls) > 1)
        grid = QGridLayout()
        grid.setContentsMargins(px(20), 0, 0, 0)
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(4))
        grid.setColumnStretch(2, 1)
        rows = [_ArgumentRow(key, schema, call.arguments.get(key), self) for key, schema in self._arguments(call)]
        for at, one in enumerate(rows):
            name_label = ElidedLabel(one.name, "mono")
            name_label.setMaximumWidth(px(180))
            grid.addWidget(name_label, at, 0)
            grid.addWidget(one.rule, at, 1)
            grid.addWidget(one.value, at, 2)
            grid.addWidget(one.kind, at, 2)
        if not rows:
            grid.addWidget(label(tr("takes no arguments"), "empty"), 0, 0, 1, 3)
        self.rows.append(rows)
        self.names.append(name)
        self.removes.append(remove)
        head = row(name, remove)
        head.setStretch(0, 1)
        made.setLayout(column(head, grid, gap=6))
        return made

    def _arguments(self, call: ExpectedCall) -> list[tuple[str, dict[str, Any]]]:
        tool = self._tools.get(call.name)
        known = dict(tool.properties) if tool else {}
        names = dict.fromkeys((*known, *call.arguments))
        return [(name, found if isinstance(found := known.get(name), dict) else {}) for name in names]

    def read(self) -> tuple[tuple[ExpectedCall, ...], str]:
        """The calls as the form says them, and the first thing that is wrong."""
        made, trouble = [], ""
        for call, name, rows in zip(self._calls, self.names, self.rows, strict=True):
            arguments = {}
            for one in rows:
                argument, fault = one.read()
                trouble = trouble or fault
                if argument is not None:
                    arguments[one.name] = argument
            made.append(replace(call, name=str(name.value), arguments=arguments))
        return tuple(made), trouble

    def tell(self) -> None:
        """A field was edited."""
        self.changed.emit()

    def _on_tool(self, at: int, name: str) -> None:
        calls = list(self.read()[0])
        calls[at] = self._fresh(name)
        self.show_calls(calls)
        self.changed.emit()

    def _fresh(self, name: str) -> ExpectedCall:
        tool = self._tools.get(name)
        return ExpectedCall(name, {one: ExpectedArgument() for one in tool.required} if tool else {})

    def _on_add(self) -> None:
        self.show_calls((*self.read()[0], self._fresh(next(iter(self._tools)))))
        self.changed.emit()

    def _on_remove(self, at: int, _checked: bool = False) -> None:
        calls = self.read()[0]
        if len(calls) > 1:
            self.show_calls((*calls[:at], *calls[at + 1 :]))
            self.changed.emit()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
