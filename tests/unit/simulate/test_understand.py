from __future__ import annotations

import json

import pytest

from tests.kit.simulated import ASK, LIST, READ, TOOLS, planner_request
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.protocols import Format
from workbench.core.tools import ToolResult
from workbench.formats import list_formats
from workbench.simulate.situation import SeenResult, Situation
from workbench.simulate.understand import understand

TEXT_FORMATS = [fmt for fmt in list_formats() if not fmt.native]
CALL = NativeCall(0, "call_a", "read_file", '{"path": "a"}')


def _read(*messages: Message, native: bool = False) -> Situation:
    return understand(ChatRequest("m", messages, TOOLS if native else ()))


def test_native_tools_and_results() -> None:
    turns = (Message("user", ASK), Message("assistant", None, (CALL,)), Message("tool", "hello", tool_call_id="call_a"))
    seen = _read(*turns, native=True)
    assert (seen.native, seen.tools, seen.request, seen.format) == (True, TOOLS, ASK, "")
    assert seen.results == (SeenResult("read_file", "hello", failed=False),)
    again = _read(*turns, Message("assistant", "Done."), Message("user", "Thanks, list src."), native=True)
    assert (again.request, again.results) == ("Thanks, list src.", ())


@pytest.mark.parametrize(
    "note", ["Only the first call was executed; f was not.", "Another call could not be read and x."]
)
def test_a_note_beside_the_results_is_not_the_users_wish(note: str) -> None:
    turns = (Message("user", ASK), Message("assistant", None, (CALL,)), Message("tool", "hello", tool_call_id="call_a"))
    assert _read(*turns, Message("user", note), native=True).request == ASK
    assert _read(Message("user", note), native=True).request == note


@pytest.mark.parametrize("fmt", TEXT_FORMATS, ids=lambda fmt: fmt.id)
def test_every_formats_own_prompt_and_results_are_understood(fmt: Format) -> None:
    system = Message("system", f"You are careful.\n\n{fmt.prompt(TOOLS)}")
    seen = _read(system, Message("user", ASK))
    assert (seen.native, seen.tools, seen.request, seen.format) == (False, TOOLS, ASK, fmt.id)
    nowhere = Span(0, 0)
    call = ParsedCall("read_file", {"path": "a"}, "call_1", Outcome.STRICT, (), nowhere, nowhere, nowhere, fmt.id)
    back = fmt.result_messages([(call, ToolResult(success=True, result="port = 8080"))])
    known = _read(system, Message("user", ASK), fmt.render_turn("", [call]), *back)
    assert known.request == ASK
    assert known.results == (SeenResult("", "port = 8080", failed=False),)
    other = call._replace(id="call_2", arguments={"path": "b"})
    both = [(call, ToolResult(success=True, result="one")), (other, ToolResult(success=False, error="two"))]
    twice = _read(system, Message("user", ASK), fmt.render_turn("", [call, other]), *fmt.result_messages(both))
    assert twice.results == (SeenResult("", "one", failed=False), SeenResult("", "two", failed=True))


@pytest.mark.parametrize("fmt", TEXT_FORMATS, ids=lambda fmt: fmt.id)
def test_a_tool_choice_put_into_words_is_understood(fmt: Format) -> None:
    named = {"type": "function", "function": {"name": "list_directory"}}
    for choice in (None, "required", named):
        seen = _read(Message("system", fmt.prompt(TOOLS, choice)), Message("user", ASK))
        assert seen.choice == choice
    assert (
        _read(Message("system", f"{fmt.prompt(TOOLS)}\nDo not call any tool."), Message("user", ASK)).choice == "none"
    )


def test_a_scaffold_in_the_users_own_message_is_understood() -> None:
    fmt = next(fmt for fmt in TEXT_FORMATS if fmt.id == "json_scaffold")
    seen = _read(Message("user", f"{fmt.prompt(TOOLS)}\n\n{ASK}"))
    assert (seen.tools, seen.format, seen.request) == (TOOLS, "json_scaffold", ASK)


def test_failures_are_told_apart() -> None:
    text = json.dumps(ToolResult(success=False, error="no such file").to_json())
    seen = _read(
        Message("user", ASK), Message("assistant", None, (CALL,)), Message("tool", text, tool_call_id="call_a")
    )
    assert seen.results == (SeenResult("read_file", "no such file", failed=True),)


@pytest.mark.parametrize(
    "text",
    [
        "Observation: 22",
        "Tool output for call_1: 22",
        "<tool_response>\n22\n</tool_response>",
        "```tool_output\n22\n```",
    ],
)
def test_results_as_text_are_no_words_of_the_user(text: str) -> None:
    seen = _read(Message("user", ASK), Message("assistant", "calling"), Message("user", text))
    assert seen.request == ASK
    assert "22" in seen.results[0].text


def test_several_results_in_one_message_are_counted() -> None:
    one = "<tool_response>\n{}\n</tool_response>"
    text = one.format("1") + "\n" + one.format("2")
    seen = _read(Message("user", ASK), Message("assistant", "calling"), Message("user", text))
    assert [result.text for result in seen.results] == ["1", "2"]


def test_an_error_text_of_the_client_is_neither_request_nor_result() -> None:
    text = "Your tool call could not be executed:\n- The JSON is not closed.\nTools: read_file."
    seen = _read(Message("user", ASK), Message("assistant", "<tool_call>{"), Message("user", text))
    assert (seen.request, seen.results) == (ASK, ())


def test_guidance_is_taken_apart_from_the_request() -> None:
    text = (
        f"{ASK}\n\nA planning model has read this request and prepared the following for you.\n\n"
        "ANALYSIS:\nNeeds the file.\n\nGUIDANCE:\n1. read_file config/app.toml\n\nCarry out the guidance."
    )
    seen = _read(Message("user", text), native=True)
    assert seen.request == ASK
    assert seen.guidance.startswith("1. read_file config/app.toml")
    assert not seen.later
    assert _read(Message("user", f"{text} An earlier attempt called no tool."), native=True).later


def test_the_planners_wrapper_is_taken_apart() -> None:
    first = understand(planner_request()).wrapper
    assert first is not None
    assert (first.loop, first.attempts, first.request) == (0, "", ASK)
    assert [tool.name for tool in first.tools] == [READ.name, LIST.name]
    assert first.tools[0].parameters == READ.parameters
    asked = f"{ASK}\n\nSystem Instructions: Be brief."
    later = understand(planner_request(asked, loop=2, attempts="\n- Loop 0 (x): Sure\n- Loop 1 (y): No")).wrapper
    assert later is not None
    assert (later.loop, later.request) == (2, ASK)
    assert "Loop 1 (y)" in later.attempts


def test_a_wrapped_conversation_gives_the_last_words_of_the_user() -> None:
    wrapper = understand(planner_request("\nuser: Hello\nassistant: Hi\nuser: Read a.txt")).wrapper
    assert wrapper is not None
    assert wrapper.request == "Read a.txt"


def test_a_conversation_without_a_user_is_survived() -> None:
    seen = _read(Message("system", "Be brief."))
    assert (seen.request, seen.tools, seen.results) == ("", (), ())


def test_results_since_the_users_last_words_are_known_to_a_planner() -> None:
    text = "\nuser: Read a.txt\nassistant: \ncalled read_file {}\ntool read_file: port = 1\nuser: And b.txt\ntool (failed): gone"
    wrapper = understand(planner_request(text)).wrapper
    assert wrapper is not None
    assert wrapper.request == "And b.txt"
    assert wrapper.results == (SeenResult("", "gone", failed=True),)
