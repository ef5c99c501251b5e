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
    describe_choice,
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


@pytest.mark.parametrize(
    ("template", "message", "hint"),
    [
        ("a\n{{ loop", "The boost template is not readable, line 2: unexpected end of template, expected 'end of print statement'.", "Fields are written {{ loop }}."),
        ("{{ loop }}", "The boost template lacks the field {{ previous_attempts }}.", "All four are needed."),
        (default_wrapper() + "{{ zeta }}{{ alpha }}", "The boost template uses an unknown field {{ alpha }}.", "Known: loop, previous_attempts, request, tools."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_template_and_what_to_do(template: str, message: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as told:
        check_wrapper(template)
    assert (str(told.value), told.value.hint) == (f"{message} {hint}", hint)


def test_a_template_is_filled_to_the_letter() -> None:
    template = "{{ loop }}|{{ previous_attempts }}|{{ request }}|{{ tools }}|\n"
    attempts = [FailedAttempt(0, "empty", ""), FailedAttempt(1, "other", " <b> ")]
    said = [Message("user", "ä < b")]
    assert render_wrapper(template, loop=2, attempts=attempts, messages=said, tools=[]) == (
        "2|\n- Loop 0 (empty): [empty reply]\n- Loop 1 (other): <b>|ä < b|none|\n"
    )
    assert render_wrapper(template, loop=0, attempts=[], messages=said, tools=[]) == "0|none|ä < b|none|\n"


ASKED = "Weather?"


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([Message("user", ASKED)], ASKED),
        ([Message("system", "A."), Message("user", ASKED), Message("system", " B. ")], f"{ASKED}\n\nSystem Instructions: A.\n B."),
        ([Message("user", ASKED), Message("assistant", "Where?")], f"\nuser: {ASKED}\nassistant: Where?"),
        ([Message("user", ASKED), Message("tool", "x", tool_call_id="c1", name="own")], f"\nuser: {ASKED}\ntool own: x"),
        ([Message("user", ASKED), Message("tool", "x", tool_call_id="nobody's")], f"\nuser: {ASKED}\ntool: x"),
        ([Message("user", ASKED), Message("tool", "x", failed=True)], f"\nuser: {ASKED}\ntool (failed): x"),
    ],
)  # fmt: skip
def test_how_a_planner_is_told_the_request(messages: list[Message], told: str) -> None:
    assert describe_request(messages) == told


def test_how_a_planner_is_told_the_tools_and_their_choice() -> None:
    tools = [ToolSpec("now", "The hour in Köln.", {"type": "object"}), ToolSpec("a", "B: ")]
    plain = '- now: The hour in Köln.\n  parameters: {"type": "object"}\n- a: B\n  parameters: ' + "{}"
    begun = describe_tools(tools)
    assert begun.startswith(plain.removesuffix("{}"))
    assert describe_tools(tools, "required") == f"{begun}\n\n{describe_choice('required')}"
    assert describe_tools([], "required") == describe_tools([]) == "none"


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (None, ""),
        ("auto", ""),
        ("none", "Do not call any tool for this request, and guide nobody to do so: give the answer as SUMMARY."),
        ("required", "The auxiliary model must call at least one of the tools: reply with GUIDANCE that says which."),
        ("any", "The auxiliary model must call at least one of the tools: reply with GUIDANCE that says which."),
        ({"type": "function", "function": {"name": "now"}}, "The auxiliary model must call the tool `now`: reply with GUIDANCE that says so."),
    ],
)  # fmt: skip
def test_what_a_tool_choice_means_for_a_planner(choice: ToolChoice, sentence: str) -> None:
    assert describe_choice(choice) == sentence


def test_a_template_is_checked_before_it_is_filled() -> None:
    with pytest.raises(InvalidInput) as caught:
        render_wrapper("{{ request }}", loop=0, attempts=[], messages=[Message("user", "x")], tools=[])
    assert caught.value.message == "The boost template lacks the field {{ loop }}."


@pytest.mark.parametrize(
    ("first", "error"),
    [
        ("{{ loop.x.y }}", "UndefinedError"),
        ("{{ loop + 'a' }}", "TypeError"),
        ("{{ range(0, 9, loop) }}", "ValueError"),
    ],
)
def test_what_a_template_does_wrong_while_it_is_filled_is_told(first: str, error: str) -> None:
    template = f"{first}{{{{ loop }}}}{{{{ previous_attempts }}}}{{{{ request }}}}{{{{ tools }}}}"
    with pytest.raises(InvalidInput) as caught:
        render_wrapper(template, loop=0, attempts=[], messages=[Message("user", "x")], tools=[])
    assert caught.value.message.startswith("The boost template cannot be filled: ")
    assert type(caught.value.__cause__).__name__ == error


@pytest.mark.parametrize(
    ("attempts", "told"),
    [
        ([], "none"),
        ([FailedAttempt(0, "why", " text ")], "\n- Loop 0 (why): text"),
        (
            [FailedAttempt(0, "a", ""), FailedAttempt(1, "b", " ")],
            "\n- Loop 0 (a): [empty reply]\n- Loop 1 (b): [empty reply]",
        ),
    ],
)
def test_failed_attempts_are_told_by_loop(attempts: list[FailedAttempt], told: str) -> None:
    assert describe_attempts(attempts) == told
