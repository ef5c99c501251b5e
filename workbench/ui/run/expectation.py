"""What makes a run of a case pass, line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from workbench.ui.widgets.frames import label
from workbench.ui.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from typing import Any

    from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall


def expectation_parts(expectation: Expectation | None) -> list[QWidget]:
    """What makes a run of the case pass, line by line."""
    if expectation is None:
        return [Paragraph(Run("None: a run is judged by its own faults alone and enters no rate.", token="text2"))]
    parts: list[QWidget] = []
    if expectation.no_call:
        parts.append(Paragraph(Run("No call. ", bold=True), Run("A call that was lost is no refusal.", token="text2")))
    parts += [_call(number, call) for number, call in enumerate(expectation.calls, 1)]
    rules = []
    if len(expectation.calls) > 1:
        rules.append("in this order" if expectation.order == "strict" else "in any order")
    if expectation.calls:
        rules.append("further calls allowed" if expectation.extra_calls else "no further calls")
    if rules:
        parts.append(label(", ".join(rules), "label"))
    if expectation.answer_contains:
        words = ", ".join(repr(word) for word in expectation.answer_contains)
        parts.append(Paragraph(Run("The answer holds "), Run(words, mono=True)))
    return parts


def _call(number: int, call: ExpectedCall) -> QWidget:
    runs = [Run(f"{number}  ", token="text3"), Run(call.name, bold=True, mono=True)]
    for name, argument in call.arguments.items():
        runs += [Run(f"\n{name} ", mono=True), Run("= ", token="text3"), *_values(argument)]
    if call.extra_arguments:
        runs.append(Run("\nfurther arguments allowed", token="text3"))
    return Paragraph(*runs)


def _values(argument: ExpectedArgument) -> list[Run]:
    runs: list[Run] = []
    for value in argument.values:
        if runs:
            runs.append(Run(" or ", token="text3"))
        runs.append(Run(_written(value), mono=True, token="passed"))
    if not argument.values:
        runs.append(Run("anything", token="text2"))
    if argument.optional:
        runs.append(Run("  may be left out", token="text3"))
    return runs


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
