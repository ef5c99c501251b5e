from __future__ import annotations

import pytest

from tests.kit.engine_run import CALL, NATIVE, QWEN, end, events_of, only
from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, FakeTools, Reply, plan
from workbench.core.events import StepStarted, StopReason, ToolFinished, ToolStarted
from workbench.core.messages import Message, ToolChoice
from workbench.core.target import ModelRef, Policy, RunLimits, Target
from workbench.core.tools import ToolMode, ToolResult, ToolSetup
from workbench.formats import get_format


def test_a_text_call_is_run_and_its_result_goes_back_in_the_formats_way() -> None:
    client = FakeClient([Reply(["I look. <tool", CALL[5:]]), Reply("It is sunny in Rome.")])
    tools = FakeTools()
    events = events_of(plan(client, QWEN), tools)
    assert tools.ran == [("get_weather", {"city": "Rome"})]
    assert end(events).stop is StopReason.ANSWER
    assert end(events).answer == "It is sunny in Rome."
    first, second = client.requests
    assert first.tools == ()
    assert "<tool_call>" in first.messages[0].text
    assert first.messages[0].role == "system"
    assert second.messages[:2] == first.messages
    assert [message.role for message in second.messages[2:]] == ["assistant", "user"]
    assert "<tool_response>" in second.messages[-1].text
    assert "result of get_weather" in second.messages[-1].text


def test_a_native_call_goes_through_the_tools_field_and_the_tool_role() -> None:
    client = FakeClient([Reply("", [("c1", "get_weather", '{"city": "Rome"}')], "tool_calls"), Reply("Sunny.")])
    events = events_of(plan(client, NATIVE))
    first, second = client.requests
    assert first.tools == (WEATHER, READ_FILE)
    assert [message.role for message in first.messages] == ["user"]
    assert second.messages[-2].tool_calls[0].id == "c1"
    assert (second.messages[-1].role, second.messages[-1].tool_call_id) == ("tool", "c1")
    assert end(events).answer == "Sunny."
    assert end(events).totals.calls == 1
    assert end(events).totals.input_tokens == 20


def test_a_lost_call_is_told_to_the_model_and_then_works() -> None:
    broken = '<tool_call>\n{"name": "get_wether", "arguments": {"city": "Rome"}}\n</tool_call>'
    client = FakeClient([Reply(broken), Reply(CALL), Reply("Sunny.")])
    events = events_of(plan(client, QWEN))
    assert end(events).stop is StopReason.ANSWER
    assert "get_weather" in client.requests[1].messages[-1].text
    assert client.requests[1].messages[-2] == Message("assistant", broken)
    assert only(events, StepStarted)[1].news == ("+ parse error told",)


def test_the_same_fault_twice_ends_the_run_as_a_lost_call() -> None:
    broken = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    events = events_of(plan(FakeClient([Reply(broken), Reply(broken)]), QWEN))
    assert end(events).stop is StopReason.LOST_CALL


def test_strict_policy_tells_nothing_and_repairs_nothing() -> None:
    sloppy = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome",}}\n</tool_call>'
    target = Target(ModelRef("fake", "m"), "qwen_xml", policy=Policy.STRICT)
    events = events_of(plan(FakeClient([Reply(sloppy)]), QWEN, target=target))
    assert end(events).stop is StopReason.LOST_CALL
    tolerant = events_of(plan(FakeClient([Reply(sloppy), Reply("ok")]), QWEN))
    assert end(tolerant).stop is StopReason.ANSWER
    assert only(tolerant, ToolStarted)


def test_schema_violations_are_answered_without_running() -> None:
    tools = FakeTools()
    call = ("c1", "get_weather", '{"days": 3}')
    client = FakeClient([Reply("", [call], "tool_calls"), Reply("Which city?")])
    events = events_of(plan(client, NATIVE), tools)
    assert tools.ran == []
    finished = only(events, ToolFinished)
    if finished:
        assert not finished[0].result.success
        assert "city" in (finished[0].result.error or "")
    else:
        assert "city" in client.requests[1].messages[-1].text


def test_mode_record_ends_the_run_after_the_calls() -> None:
    tools = FakeTools()
    setup = [ToolSetup(WEATHER, ToolMode.RECORD)]
    events = events_of(plan(FakeClient([Reply(CALL)]), QWEN, tools=setup), tools)
    assert end(events).stop is StopReason.RECORDED
    assert tools.ran == []
    assert only(events, ToolStarted)[0].arguments == {"city": "Rome"}


def test_the_iteration_limit_holds() -> None:
    target = Target(ModelRef("fake", "m"), "qwen_xml", limits=RunLimits(iterations=3))
    events = events_of(plan(FakeClient([Reply(CALL)] * 3), QWEN, target=target))
    assert end(events).stop is StopReason.ITERATIONS
    assert len(only(events, StepStarted)) == 3


def test_a_format_for_one_call_runs_the_first_and_says_so() -> None:
    two = 'Action: get_weather\nAction Input: {"city": "Rome"}\nAction: read_file\nAction Input: {"path": "a"}'
    tools = FakeTools()
    client = FakeClient([Reply(two), Reply("Final Answer: Sunny.")])
    events = events_of(plan(client, get_format("react")), tools)
    assert tools.ran[0] == ("get_weather", {"city": "Rome"})
    assert end(events).answer == "Sunny."


def test_tool_choice_is_checked_afterwards() -> None:
    events = events_of(plan(FakeClient([Reply("No.")]), QWEN, tool_choice="required"))
    assert "decision.tool_choice" in end(events).codes
    fine = events_of(plan(FakeClient([Reply(CALL), Reply("The result: sunny.")]), QWEN, tool_choice="required"))
    assert end(fine).codes == ()


def test_send_back_data_is_in_the_next_request() -> None:
    client = FakeClient([Reply(CALL, send_back={"anthropic_messages": [{"type": "thinking"}]}), Reply("Sunny.")])
    events_of(plan(client, QWEN))
    assert client.requests[1].messages[-2].extra == {"anthropic_messages": [{"type": "thinking"}]}


def test_without_feedback_the_first_unreadable_call_ends_the_run() -> None:
    broken = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    target = Target(ModelRef("fake", "m"), "qwen_xml", limits=RunLimits(feedback_per_iteration=0))
    client = FakeClient([Reply(broken)])
    assert end(events_of(plan(client, QWEN, target=target))).stop is StopReason.LOST_CALL
    assert len(client.requests) == 1


def test_a_fault_is_told_again_after_a_good_call() -> None:
    broken = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    client = FakeClient([Reply(broken), Reply(CALL), Reply(broken), Reply("Done.")])
    assert end(events_of(plan(client, QWEN))).stop is StopReason.ANSWER


def test_text_beside_a_native_call_goes_back_as_it_came() -> None:
    call = ("c1", "get_weather", '{"city": "Rome"}')
    native = FakeClient([Reply("  I look.\n", [call], "tool_calls"), Reply("Sunny.")])
    events_of(plan(native, NATIVE))
    assert native.requests[1].messages[-2].text == "  I look.\n"
    text = FakeClient([Reply(f"  I look.\n{CALL}\n"), Reply("Sunny.")])
    events_of(plan(text, QWEN))
    assert text.requests[1].messages[-2].text.startswith("I look.")


def test_native_mode_runs_both_calls_of_a_one_call_format() -> None:
    two = 'Action: get_weather\nAction Input: {"city": "Rome"}\nAction: read_file\nAction Input: {"path": "a"}'
    target = Target(ModelRef("fake", "m"), "native_openai", policy=Policy.CROSS_FORMAT)
    tools = FakeTools()
    events_of(plan(FakeClient([Reply(two), Reply("Done.")]), NATIVE, target=target), tools)
    assert [name for name, _ in tools.ran] == ["get_weather", "read_file"]


def test_beside_a_call_that_was_run_the_lost_one_is_told() -> None:
    broken = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    client = FakeClient([Reply(f"{CALL}\n{broken}"), Reply("Sunny.")])
    events = events_of(plan(client, QWEN))
    told = client.requests[1].messages[-1]
    assert told.role == "user"
    assert told.text.startswith("Another call could not be read and was not executed: ")
    assert "nothing" in told.text
    assert only(events, StepStarted)[1].news == ("+ 1 tool result", "+ note on calls not executed")


READ = ("c2", "read_file", '{"path": "a"}')
ROME = ("c1", "get_weather", '{"city": "Rome"}')
NAMED: ToolChoice = {"type": "function", "function": {"name": "read_file"}}


@pytest.mark.parametrize(
    ("choice", "calls", "wrong"),
    [
        (None, [], False), ("auto", [], False), ("auto", [ROME], False),
        ("none", [], False), ("none", [ROME], True),
        ("required", [], True), ("required", [ROME], False),
        (NAMED, [], True), (NAMED, [ROME], True), (NAMED, [READ], False), (NAMED, [ROME, READ], False),
    ],
)  # fmt: skip
def test_which_replies_go_against_the_tool_choice(
    choice: ToolChoice, calls: list[tuple[str, str, str]], wrong: bool
) -> None:
    client = FakeClient([Reply("", calls), Reply("result of get_weather, result of read_file")])
    codes = end(events_of(plan(client, NATIVE, tool_choice=choice))).codes
    assert ("decision.tool_choice" in codes) is wrong
    bare = end(events_of(plan(FakeClient([Reply("I look.")]), NATIVE, tool_choice=choice, tools=())))
    assert "decision.tool_choice" not in bare.codes, "without tools there is nothing to choose"


@pytest.mark.parametrize(
    ("calls", "news"),
    [
        ([ROME], ("+ 1 tool result",)),
        ([ROME, READ], ("+ 2 tool results",)),
        ([ROME, READ, READ], ("+ 3 tool results",)),
    ],
)
def test_what_is_new_in_a_request_is_told(calls: list[tuple[str, str, str]], news: tuple[str, ...]) -> None:
    events = events_of(plan(FakeClient([Reply("", calls), Reply("Sunny.")]), NATIVE))
    first, second = only(events, StepStarted)
    assert (first.news, second.news) == (("request", "2 tools as native_openai"), news)


def test_notes_on_calls_that_were_not_run_come_in_lines() -> None:
    lost = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    client = FakeClient([Reply(f"{CALL}{lost}{lost.replace('nothing', 'fly')}"), Reply("Sunny.")])
    events = events_of(plan(client, QWEN))
    assert client.requests[1].messages[-1] == Message(
        "user",
        "Another call could not be read and was not executed: No tool 'nothing' is declared.\n"
        "Another call could not be read and was not executed: No tool 'fly' is declared.",
    )
    assert only(events, StepStarted)[1].news == ("+ 1 tool result", "+ note on calls not executed")


def test_of_a_format_for_one_call_the_others_are_named() -> None:
    three = "; ".join(f'{{"name": "{name}", "parameters": {arguments}}}' for _, name, arguments in (ROME, READ, ROME))
    client = FakeClient([Reply(f"<|python_tag|>{three}"), Reply("Sunny.")])
    events = events_of(plan(client, get_format("llama3_json")))
    assert [event.name for event in only(events, ToolStarted)] == ["get_weather"]
    assert client.requests[1].messages[-1].text == (
        "Only the first call was executed; read_file was not.\nOnly the first call was executed; get_weather was not."
    )


def test_a_call_of_a_tool_that_was_taken_from_the_plan_is_not_run() -> None:
    tools = FakeTools()
    events = events_of(
        plan(FakeClient([Reply("", [READ, ROME]), Reply("Ok.")]), NATIVE, tools=[ToolSetup(WEATHER)]), tools
    )
    assert tools.ran == [("get_weather", {"city": "Rome"})]
    assert [event.name for event in only(events, ToolStarted)] == ["get_weather"]


def test_a_limit_within_a_reply_leaves_the_rest_of_its_calls() -> None:
    target = Target(ModelRef("fake", "m"), "native_openai", limits=RunLimits(calls=1))
    events = events_of(plan(FakeClient([Reply("", [ROME, READ])]), NATIVE, target=target))
    assert [event.name for event in only(events, ToolStarted)] == ["get_weather"]
    assert (end(events).stop, end(events).reason) == (StopReason.LIMIT, "limit of 1 tool calls reached")


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("result of get_weather", ()), ("I do not know.", ("loop.ignored_result",)),
        ("Let me check that.", ("loop.premature_stop", "loop.ignored_result")),
    ],
)  # fmt: skip
def test_habits_of_the_answer_are_told(answer: str, codes: tuple[str, ...]) -> None:
    assert end(events_of(plan(FakeClient([Reply("", [ROME]), Reply(answer)]), NATIVE))).codes == codes


def test_a_picture_that_a_tool_gave_back_follows_its_result() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}

    class Camera(FakeTools):
        async def run(self, setup: ToolSetup, call: object, place: object = None) -> ToolResult:
            return ToolResult(True, "seen", content=(picture,))

    client = FakeClient([Reply(CALL), Reply("A cat.")])
    events_of(plan(client, QWEN), Camera())
    *_, result, shown = client.requests[1].messages
    assert "seen" in result.text
    assert (shown.role, shown.content[-1]) == ("user", picture)  # type: ignore[index]
