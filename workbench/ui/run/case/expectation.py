"""What makes a run of a case pass, line by line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from workbench.cases.expectation_document import argument_to_document
from workbench.core.case import Expectation
from workbench.grading.rules import rule_of
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.frames import label
from workbench.ui.widgets.paragraph import Paragraph, TextRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.case import ExpectedArgument, ExpectedCall


def expectation_parts(expectation: Expectation | None) -> list[QWidget]:
    """What makes a run of the case pass, line by line."""
    if expectation is None:
        return [
            Paragraph(TextRun(tr("None: a run is judged by its own faults alone and enters no rate."), token="text2"))
        ]
    if expectation.one_of:
        parts: list[QWidget] = []
        for number, way in enumerate(expectation.one_of, 1):
            parts += [
                label(tr("Way {number} of {one_of}", number=number, one_of=len(expectation.one_of)), "label_strong"),
                *expectation_parts(way),
            ]
        return parts
    parts = [
        Paragraph(TextRun(f"{head} ", bold=True), TextRun(rest, token="text2"))
        for head, rest in _decisions(expectation)
    ]
    parts += [_call(number, call) for number, call in enumerate(expectation.calls, 1)]
    if rules := ", ".join(_call_rules(expectation)):
        parts.append(label(rules, "label", wrap=True))
    parts += [Paragraph(TextRun(f"{said} "), TextRun(words, mono=True)) for said, words in _demands(expectation)]
    return parts


def _decisions(expectation: Expectation) -> Iterator[tuple[str, str]]:
    if expectation.no_call:
        yield tr("No call."), tr("A call that was lost is no refusal.")
    if expectation.must_ask:
        yield tr("Asks back."), tr("No call, and a question in the answer.")
    if expectation.any_call:
        yield tr("Any call."), tr("Some declared tool is called, whichever.")


def _call_rules(expectation: Expectation) -> Iterator[str]:
    if len(expectation.calls) > 1:
        yield tr("in this order") if expectation.order == "strict" else tr("in any order")
    if expectation.calls:
        yield tr("further calls allowed") if expectation.extra_calls else tr("no further calls")
    if expectation.missing_calls:
        yield tr("one of them is enough")
    if expectation.names_only:
        yield tr("arguments do not count")
    # what is left of the rule in words: how texts and numbers are held against each other
    yield from (part for part in rule_of(Expectation(matching=expectation.matching)).split(", ") if part)


def _demands(expectation: Expectation) -> Iterator[tuple[str, str]]:
    path = expectation.path
    for said, words in (
        (tr("Never calls"), ", ".join(expectation.must_not_call)),
        (tr("The answer holds"), ", ".join(map(repr, expectation.answer_contains))),
        (tr("The answer does not hold"), ", ".join(map(repr, expectation.answer_lacks))),
        (tr("The answer matches"), f"/{expectation.answer_regex}/" if expectation.answer_regex else ""),
        (tr("The answer is free of"), "markers" if expectation.no_markers else ""),
        (tr("Tools on the way:"), " → ".join(path.tools)),
        (tr("Replies at most:"), str(path.max_steps or "")),
        (tr("Boost rounds at most:"), str(path.max_loops or "")),
        (tr("No call is made"), "twice" if path.no_repeats else ""),
    ):
        if words:
            yield said, words


def _call(number: int, call: ExpectedCall) -> QWidget:
    runs = [TextRun(f"{number}  ", token="text3"), TextRun(call.name, bold=True, mono=True)]
    for name, argument in call.arguments.items():
        runs += [TextRun(f"\n{name} ", mono=True), TextRun("= ", token="text3"), *_values(argument)]
    if call.extra_arguments:
        runs.append(TextRun(tr("\nfurther arguments allowed"), token="text3"))
    return Paragraph(*runs)


def _values(argument: ExpectedArgument) -> list[TextRun]:
    runs: list[TextRun] = []
    for value in argument.values:
        if runs:
            runs.append(TextRun(tr(" or "), token="text3"))
        runs.append(TextRun(json.dumps(value, ensure_ascii=False), mono=True, token="passed"))
    if not argument.values:
        rest = argument_to_document(replace(argument, optional=False))
        anything = rest == {"any": True}
        runs.append(
            TextRun(tr("anything"), token="text2")
            if anything
            else TextRun(json.dumps(rest, ensure_ascii=False), mono=True)
        )
    if argument.text:
        runs.append(TextRun(tr("  text {argument}", argument=argument.text), token="text3"))
    if argument.tolerance is not None:
        runs.append(TextRun(f"  ± {argument.tolerance:g}", token="text3"))
    if argument.optional:
        runs.append(TextRun(tr("  may be left out"), token="text3"))
    return runs
