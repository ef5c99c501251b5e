from __future__ import annotations

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, NativeCall, ToolChoice
from workbench.core.tools import ToolSpec
from workbench.engine.wrapper import (
    FIELDS,
    FailedAttempt,
    check_wrapper,
    default_wrapper,
    describe_attempts,
    describe_request,
    describe_tools,
    render_wrapper,
)


def test_the_default_wrapper_fills_all_fields() -> None:
    attempts = [FailedAttempt(0, "neither SUMMARY nor GUIDANCE", "Sure!")]
    messages = [Message("system", "Be careful."), Message("user", "Weather in {{ loop }}?")]
    text = render_wrapper(default_wrapper(), loop=1, attempts=attempts, messages=messages, tools=[WEATHER, READ_FILE])
    assert text.startswith("You are a boost model assisting an auxiliary model.")
    assert "Current ReAct Loop: 1" in text
    assert "Loop 0 (neither SUMMARY nor GUIDANCE): Sure!" in text
    assert "User Request: Weather in {{ loop }}?" in text, "the user's braces are no template"
    assert "Be careful." in text
    assert '"required": ["city"]' in text
    assert "read_file" in text


def test_without_failed_attempts_none_are_told() -> None:
    text = render_wrapper(default_wrapper(), loop=0, attempts=[], messages=[Message("user", "x")], tools=[])
    assert "Previous Attempts: none" in text


@pytest.mark.parametrize("field", FIELDS)
def test_a_template_without_a_field_is_refused_by_its_name(field: str) -> None:
    template = " ".join(f"{{{{ {name} }}}}" for name in FIELDS if name != field)
    with pytest.raises(InvalidInput, match=f"lacks the field {{{{ {field} }}}}"):
        check_wrapper(template)


@pytest.mark.parametrize("template", ["{{ loop", "{% if %}", default_wrapper() + "{{ secrets }}"])
def test_a_broken_template_is_refused(template: str) -> None:
    with pytest.raises(InvalidInput):
        check_wrapper(template)


def test_a_template_cannot_reach_into_python() -> None:
    template = default_wrapper() + "{{ loop.__class__.__mro__ }}"
    with pytest.raises(InvalidInput):
        render_wrapper(template, loop=0, attempts=[], messages=[Message("user", "x")], tools=[])


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("none", "Do not call any tool for this request"),
        ("required", "must call at least one of the tools"),
        ({"type": "function", "function": {"name": "read_file"}}, "must call the tool `read_file`"),
    ],
)
def test_the_planner_is_told_the_tool_choice(choice: ToolChoice, told: str) -> None:
    def text(tools: list[ToolSpec], choice: ToolChoice) -> str:
        messages = [Message("user", "x")]
        return render_wrapper(default_wrapper(), loop=0, attempts=[], messages=messages, tools=tools, choice=choice)

    assert told in text([WEATHER, READ_FILE], choice)
    assert told not in text([], choice), "without tools there is nothing to choose"
    assert text([WEATHER], None) == text([WEATHER], "auto")


def test_planner_is_told_what_was_called_and_with_what_result() -> None:
    call = NativeCall(0, "c1", "read_file", '{"path": "a.txt"}')
    conversation = [
        Message("user", "Read a.txt."),
        Message("assistant", "I look.", tool_calls=(call,)),
        Message("tool", "No such file.", tool_call_id="c1", failed=True),
    ]
    assert describe_request(conversation) == (
        '\nuser: Read a.txt.\nassistant: I look.\ncalled read_file {"path": "a.txt"}\ntool read_file (failed): No such file.'
    )


def test_a_tool_without_a_description_is_its_name() -> None:
    told = describe_tools((ToolSpec("now"), ToolSpec("move", "Moves along X: "))).splitlines()
    assert (told[0], told[2]) == ("- now", "- move: Moves along X")


def test_nothing_but_blanks_is_told_as_nothing() -> None:
    assert describe_attempts([FailedAttempt(0, "empty", " \n")]) == "\n- Loop 0 (empty): [empty reply]"
    assert describe_request([Message("system", " \n"), Message("user", "Weather?")]) == "Weather?"
