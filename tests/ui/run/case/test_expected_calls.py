"""Expected calls as a form: every rule both ways, faults at their field."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.core.tools import ToolSpec
from workbench.ui.run.case.expected_calls import CallsForm, fits_form

TOOL = ToolSpec(
    "f",
    "",
    {
        "type": "object",
        "properties": {"a": {"type": "string"}, "n": {"type": "integer"}, "k": {"type": "boolean"}},
        "required": ["a"],
    },
)
CALL = ExpectedCall(
    "f",
    {
        "a": ExpectedArgument(("text",)),
        "n": ExpectedArgument((1, 2)),
        "k": ExpectedArgument(kind="boolean"),
        "more": ExpectedArgument(),
    },
)


@pytest.fixture
def form(qtbot, theme) -> CallsForm:
    made = CallsForm([TOOL])
    qtbot.addWidget(made)
    made.show_calls([CALL])
    return made


def test_calls_come_back_as_they_were(form: CallsForm) -> None:
    assert form.read() == ((CALL,), "")
    assert [row.name for row in form.rows[0]] == ["a", "n", "k", "more"]
    assert not form.removes[0].isEnabled()


def test_a_value_that_cannot_be_read_is_told(form: CallsForm) -> None:
    n = form.rows[0][1]
    n.value.clear()
    QTest.keyClicks(n.value, "3")
    assert form.read()[1] == 'n: write ["one", "another"]'
    n.rule.choose("exactly")
    assert form.read() == ((ExpectedCall("f", {**CALL.arguments, "n": ExpectedArgument((3,))}),), "")
    n.value.setText("{")
    assert form.read()[1].startswith("n: write it as JSON")


def test_another_tool_begins_with_its_required_arguments(form: CallsForm) -> None:
    told: list[int] = []
    form.changed.connect(lambda: told.append(1))
    form.add.click()
    assert form.calls[1] == ExpectedCall("f", {"a": ExpectedArgument()})
    form.names[1].value_chosen.emit("f")
    form.removes[0].click()
    assert len(form.calls) == 1
    assert len(told) == 3


def test_only_plain_rules_fit_a_form() -> None:
    assert fits_form(Expectation(calls=(CALL,)))
    assert not fits_form(None)
    assert not fits_form(Expectation(no_call=True))
    regex = ExpectedCall("f", {"a": ExpectedArgument(regex="^a")})
    assert not fits_form(Expectation(calls=(regex,)))
    optional = ExpectedCall("f", {"a": ExpectedArgument(("x",), optional=True)})
    assert not fits_form(Expectation(calls=(optional,)))
