from __future__ import annotations

import pytest

from tests.kit.engine_run import NATIVE, QWEN, end, events_of
from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, Reply, plan
from workbench.core.calls import Outcome, ParseProblem, ParseResult, Span
from workbench.core.events import StepReply
from workbench.core.messages import Message, NativeCall
from workbench.core.tools import ToolResult
from workbench.engine.feedback import as_written, explain, fault_of, feedback_messages, results_marked

TOOLS = (WEATHER, READ_FILE)
LOST = '<tool_call>\n{"name": "get_wether", "arguments": {}}\n</tool_call>'


def test_repeated_fault_is_recognised() -> None:
    first = QWEN.parse(LOST, TOOLS).lost
    assert fault_of(first) == fault_of(QWEN.parse(f"Again: {LOST}", TOOLS).lost) != ""
    assert fault_of(QWEN.parse(LOST.replace("get_wether", "other"), TOOLS).lost) != fault_of(first)
    assert fault_of(()) == ""


def test_a_call_in_any_other_format_is_the_same_fault_whether_it_is_known_or_not() -> None:
    known, unknown = (ParseProblem(code, Span(0, 1), "x", name="now") for code in ("wrong_family", "unknown_format"))
    other_tool = known._replace(name="later")
    assert fault_of([known]) == fault_of([unknown]) == fault_of([unknown, known]) != ""
    assert fault_of([known]) != fault_of([other_tool])
    assert fault_of([other_tool, known]) == fault_of([known, other_tool]), "in whatever order"


def test_feedback_names_the_fault_and_the_tools() -> None:
    text = explain(QWEN.parse(LOST, TOOLS).lost, TOOLS)
    assert "get_wether" in text
    assert "get_weather, read_file" in text


def test_feedback_gives_hints_but_those_about_other_formats() -> None:
    own = ParseProblem("unknown_tool", Span(0, 1), "No such tool.", hint="Call another one.")
    other = ParseProblem("wrong_family", Span(0, 1), "Another format.", hint="Choose the format react.")
    assert explain([own, other], TOOLS).splitlines()[1:3] == ["- No such tool. Call another one.", "- Another format."]


def test_feedback_answers_each_native_call_by_id() -> None:
    native = (NativeCall(0, "c1", "get_weather", '{"city": "Ro'), NativeCall(1, "", "read_file", '{"path": "a"}'))
    reply = StepReply("", native_calls=native, result=NATIVE.read_native("", native, TOOLS, "length"))
    turn, *answers = feedback_messages(reply, TOOLS)
    assert [call.arguments for call in turn.tool_calls] == ["{}", '{"path": "a"}']
    assert [message.tool_call_id for message in answers] == [call.id for call in turn.tool_calls]
    assert all(call.id for call in turn.tool_calls)


def _reply(*native: NativeCall) -> StepReply:
    return StepReply("", native_calls=native, result=NATIVE.read_native("", native, TOOLS), send_back={"w": {"x": 1}})


def test_lost_call_carries_send_back_data() -> None:
    turn, answer = feedback_messages(_reply(NativeCall(0, "c1", "get_weather", '{"city": "Ro')), TOOLS)
    assert turn.extra == {"w": {"x": 1}}
    assert answer.failed


def test_arguments_stay_as_the_model_wrote_them() -> None:
    written = '{ "city" :"R\\u006fme"}'
    reply = _reply(NativeCall(2, "c1", "get_weather", written), NativeCall(3, "c2", "get_weather", "{'city': 'Oslo'}"))
    made = reply.result.calls
    turn = as_written(NATIVE.render_turn("", made), made, reply)
    assert [(call.number, call.arguments) for call in turn.tool_calls] == [(2, written), (1, '{"city": "Oslo"}')]
    text = QWEN.parse('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>', TOOLS)
    plain = QWEN.render_turn("", text.calls)
    assert as_written(plain, text.calls, StepReply("", result=text)) == plain


def test_failed_results_are_marked() -> None:
    (call,) = _reply(NativeCall(0, "c1", "get_weather", '{"city": "Rome"}')).result.calls
    for success in (True, False):
        results = [(call, ToolResult(success, "x"))]
        (message,) = results_marked(NATIVE.result_messages(results), results)
        assert message.failed == (not success)


def test_feedback_on_a_text_is_the_users_next_turn() -> None:
    reply = StepReply(LOST, reasoning="Hm.", result=QWEN.parse(LOST, TOOLS), send_back={"w": 1})
    turn, answer = feedback_messages(reply, TOOLS)
    assert (turn.role, turn.content, turn.reasoning, turn.extra) == ("assistant", LOST, "Hm.", {"w": 1})
    assert (answer.role, answer.content) == ("user", explain(reply.result.lost, TOOLS))


@pytest.mark.parametrize("arguments", ["[" * 100_000, '{"a":' * 100_000])
def test_arguments_nested_without_end_are_told_to_the_model_as_any_fault(arguments: str) -> None:
    client = FakeClient([Reply("", [("c", "get_weather", arguments)]), Reply("Sunny.")])
    assert end(events_of(plan(client, NATIVE))).answer == "Sunny."
    assert client.requests[1].messages[-2].tool_calls[0].arguments == "{}"


TOLD = "Your tool call could not be executed:\n- Cut off.\nTools: get_weather, read_file. Repeat the call in the exact format asked for."


def test_what_a_model_is_told_of_a_lost_call_in_text() -> None:
    lost = ParseResult(problems=(ParseProblem("truncated", Span(0, 1), "Cut off.", Outcome.REPORTED),))
    reply = StepReply("<tool_call>{", reasoning="hm", result=lost, send_back={"w": 1})
    assert feedback_messages(reply, TOOLS) == (
        Message("assistant", "<tool_call>{", reasoning="hm", extra={"w": 1}),
        Message("user", TOLD),
    )


def test_what_a_model_is_told_of_lost_calls_in_fields() -> None:
    lost = ParseResult(problems=(ParseProblem("truncated", Span(0, 1), "Cut off.", Outcome.REPORTED),))
    calls = (NativeCall(0, "c", "f", "{}"), NativeCall(1, "", "g", "{"))
    reply = StepReply("I look.", reasoning="hm", native_calls=calls, result=lost, send_back={"w": 1})
    kept = (NativeCall(0, "c", "f", "{}"), NativeCall(1, "call_2", "g", "{}"))
    assert feedback_messages(reply, TOOLS) == (
        Message("assistant", "I look.", kept, reasoning="hm", extra={"w": 1}),
        Message("tool", TOLD, tool_call_id="c", name="f", failed=True),
        Message("tool", TOLD, tool_call_id="call_2", name="g", failed=True),
    )


@pytest.mark.parametrize(
    ("lost", "fault"),
    [
        ([], ""), ([("truncated", "f")], "truncated:f"), ([("b", "g"), ("a", "f")], "a:f+b:g"), ([("a", "f"), ("a", "f")], "a:f"),
        ([("unknown_format", "f")], "wrong_family:f"),
    ],
)  # fmt: skip
def test_how_a_fault_is_named(lost: list[tuple[str, str]], fault: str) -> None:
    assert fault_of([ParseProblem(code, Span(0, 1), "x", name=name) for code, name in lost]) == fault


def test_a_turn_of_another_number_of_calls_than_were_read_stays() -> None:
    reply = _reply(NativeCall(0, "c1", "get_weather", '{ "city": "Rome" }'))
    turn = Message(
        "assistant", "", (NativeCall(0, "c1", "get_weather", '{"city": "Rome"}'), NativeCall(1, "c2", "x", "{}"))
    )
    assert as_written(turn, reply.result.calls, reply) == turn
    text_call = QWEN.parse('<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>', TOOLS).calls
    one = Message("assistant", "", turn.tool_calls[:1])
    assert as_written(one, text_call, reply) == one, "a call of the text has no piece of its own"
    assert as_written(one, reply.result.calls, StepReply("")) == one, "nothing was written natively"


def test_only_results_of_failed_calls_are_marked() -> None:
    (call,) = _reply(NativeCall(0, "c1", "get_weather", '{"city": "Rome"}')).result.calls
    told = (
        Message("tool", "no", tool_call_id="c1"),
        Message("user", "no", tool_call_id="c1"),
        Message("tool", "a", tool_call_id="c2"),
    )
    marked = results_marked(
        told, [(call, ToolResult(False, None, "no")), (call._replace(id="c2"), ToolResult(True, 1))]
    )
    assert [message.failed for message in marked] == [True, False, False]
