"""Runs as transcripts: scripted replies in, events out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit.fakes import READ_FILE, REFUSED, WEATHER, FakeClient, FakeClock, FakeTools, Reply, RequiredOnly, plan
from workbench.core.events import (
    CancelCause,
    ChunkReceived,
    ExchangeEnded,
    FellBack,
    GuidanceTraced,
    LoopFinished,
    LoopStarted,
    PlannerRead,
    RunEvent,
    RunFinished,
    StepFinished,
    StepStarted,
    StopReason,
    ToolFinished,
    ToolStarted,
)
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Policy, RunLimits, Target
from workbench.core.tools import ToolMode, ToolSetup
from workbench.engine import CancelNote, RunPlan, run
from workbench.formats import get_format

QWEN = get_format("qwen_xml")
NATIVE = get_format("native_openai")
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def events_of(run_plan: RunPlan, tools: FakeTools | None = None) -> list[RunEvent]:
    async def main() -> list[RunEvent]:
        return [event async for event in run(run_plan, tools or FakeTools(), RequiredOnly(), clock=FakeClock())]

    return asyncio.run(main())


def only(events: list[RunEvent], kind: type) -> list:
    return [event for event in events if isinstance(event, kind)]


def end(events: list[RunEvent]) -> RunFinished:
    assert isinstance(events[-1], RunFinished)
    return events[-1]


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


def test_events_stand_in_order_and_steps_are_numbered() -> None:
    events = events_of(plan(FakeClient([Reply(CALL), Reply("Done.")]), QWEN))
    kinds = [type(event).__name__ for event in events if not isinstance(event, ChunkReceived)]
    step = ["StepStarted", "ExchangeStarted", "ResponseStarted", "ExchangeEnded", "StepFinished"]
    tool = ["ToolStarted", "ToolFinished"]
    assert kinds == ["RunStarted", "LoopStarted", *step, *tool, *step, "LoopFinished", "RunFinished"]
    assert [event.step for event in only(events, StepStarted)] == [0, 1]


def test_shown_text_is_the_sanitized_reply_and_never_a_marker() -> None:
    text = f"Done. Next I'm going to delete it.\n{CALL}"
    events = events_of(plan(FakeClient([Reply(list(text)), Reply("Ok.")]), QWEN))
    shown = "".join(event.shown for event in only(events, ChunkReceived) if event.step == 0)
    reply = only(events, StepFinished)[0].reply
    assert "<tool_call>" not in shown
    assert shown.strip() == reply.sanitized.strip() == "Done. Next I'm going to delete it."
    assert reply.text == text


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


def test_another_formats_call_is_named_and_counts_only_if_asked() -> None:
    react = 'Thought: look\nAction: get_weather\nAction Input: {"city": "Rome"}'
    events = events_of(plan(FakeClient([Reply(react), Reply(react)]), QWEN))
    problem = only(events, StepFinished)[0].reply.result.lost[0]
    assert problem.code == "wrong_family"
    assert "react" in problem.message
    target = Target(ModelRef("fake", "m"), "qwen_xml", policy=Policy.CROSS_FORMAT)
    crossed = events_of(plan(FakeClient([Reply(react), Reply("Sunny.")]), QWEN, target=target))
    assert [event.name for event in only(crossed, ToolStarted)] == ["get_weather"]
    assert end(crossed).stop is StopReason.ANSWER


def test_arguments_that_do_not_fit_are_answered_without_running_the_tool() -> None:
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


def test_a_provider_error_ends_the_run_and_a_retry_is_a_further_exchange() -> None:
    events = events_of(plan(FakeClient([Reply(error=REFUSED)]), QWEN))
    assert end(events).stop is StopReason.ERROR
    assert end(events).error == REFUSED
    retried = events_of(plan(FakeClient([Reply("half a", error=REFUSED, retry_in=0.0), Reply("Whole.")]), QWEN))
    assert [event.retry_in for event in only(retried, ExchangeEnded)] == [0.0, None]
    assert end(retried).answer == "Whole."
    assert only(retried, StepFinished)[0].reply.text == "Whole."


def test_a_cut_reply_completes_nothing() -> None:
    cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"'
    tools = FakeTools()
    events = events_of(plan(FakeClient([Reply(cut, finish="length"), Reply("I stop.")]), QWEN), tools)
    assert tools.ran == []
    assert only(events, StepFinished)[0].reply.result.lost[0].code == "truncated"


def test_a_stop_sequence_that_the_provider_ignores_cuts_the_stream() -> None:
    pieces = ['Action: get_weather\nAction Input: {"city": "Rome"}', "\nObser", "vation: 22", " degrees", " and more"]
    client = FakeClient([Reply(pieces), Reply("Final Answer: Sunny.")])
    events = events_of(plan(client, get_format("react")))
    first = only(events, StepFinished)[0].reply
    assert first.stop_fired.startswith("\nObservation")
    assert "degrees" not in first.text
    assert [call.name for call in first.result.calls] == ["get_weather"]


def test_cancelling_keeps_what_came_and_names_whose_cancel_it_was() -> None:
    note, seen = CancelNote(), []

    async def main() -> None:
        async def consume() -> None:
            hanging = FakeClient([Reply("So far", hang=True)])
            async for event in run(plan(hanging, QWEN), FakeTools(), RequiredOnly(), clock=FakeClock(), cancel=note):
                seen.append(event)

        task = asyncio.get_running_loop().create_task(consume())
        while not any(isinstance(event, ChunkReceived) for event in seen):
            await asyncio.sleep(0.001)
        note.cause = CancelCause.USER
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert end(seen).stop is StopReason.CANCELLED
    assert end(seen).cancel is CancelCause.USER
    reply = only(seen, StepFinished)[0].reply
    assert reply.cancelled
    assert reply.text == "So far"


PLAN = "ANALYSIS: needs the weather\nGUIDANCE:\n1. get_weather for Rome"


def test_boost_with_one_other_and_one_ignored_guidance_tells_the_story() -> None:
    planner = FakeClient([Reply("Sure, I can help!"), Reply(PLAN), Reply(PLAN)])
    executor = FakeClient([Reply("I cannot."), Reply(CALL), Reply("Sunny in Rome.")])
    events = events_of(plan(executor, QWEN, planner=planner))
    assert [event.reason for event in only(events, LoopFinished)] == ["other", "no_call", "answer"]
    assert [event.loop for event in only(events, LoopStarted)] == [0, 1, 2]
    assert end(events).answer == "Sunny in Rome."
    assert set(end(events).codes) == {"loop.no_planner_heading", "loop.guidance_ignored"}
    assert all(request.tools == () for request in planner.requests)
    assert all(len(request.messages) == 1 for request in planner.requests)
    wrappers = [request.messages[0].text for request in planner.requests]
    assert [f"Current ReAct Loop: {n}" in text for n, text in enumerate(wrappers)] == [True] * 3
    assert "Sure, I can help!" in wrappers[1]
    assert "I cannot." in wrappers[2]
    assert "GUIDANCE:\n1. get_weather for Rome" in executor.requests[0].messages[-1].text
    assert "Weather in Rome?" in executor.requests[0].messages[-1].text
    traced = only(events, GuidanceTraced)
    assert [line.state.value for event in traced for line in event.lines] == ["ignored", "followed"]
    assert only(events, StepStarted)[-1].news == ("+ 1 tool result",)


def test_a_summary_is_the_answer_and_asks_no_executor() -> None:
    executor = FakeClient([])
    events = events_of(plan(executor, QWEN, planner=FakeClient([Reply("SUMMARY:\nRome is a city.")])))
    assert (end(events).stop, end(events).answer) == (StopReason.SUMMARY, "Rome is a city.")
    assert executor.requests == []


def test_after_three_failed_attempts_the_best_reply_is_given_with_the_reason() -> None:
    planner = FakeClient([Reply(PLAN), Reply("Hello."), Reply("Hi.")])
    events = events_of(plan(FakeClient([Reply("My best guess is sun.")]), QWEN, planner=planner))
    assert end(events).stop is StopReason.BOOST_LOOPS
    assert end(events).answer == "My best guess is sun."
    assert "3 failed attempts" in end(events).reason
    nothing = events_of(plan(FakeClient([]), QWEN, planner=FakeClient([Reply(""), Reply(""), Reply("")])))
    assert end(nothing).answer == ""
    assert "no usable reply" in end(nothing).reason


def test_a_failing_planner_falls_back_to_direct_execution_visibly() -> None:
    executor = FakeClient([Reply("Sunny.")])
    events = events_of(plan(executor, QWEN, planner=FakeClient([Reply(error=REFUSED)])))
    assert only(events, FellBack)[0].error == REFUSED
    assert end(events).answer == "Sunny."
    assert "GUIDANCE" not in executor.requests[0].messages[-1].text
    assert "loop.planner_failed" in end(events).codes


def test_a_turn_after_tool_results_that_calls_nothing_is_the_answer() -> None:
    planner = FakeClient([Reply(PLAN)])
    events = events_of(plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN, planner=planner))
    assert [event.reason for event in only(events, LoopFinished)] == ["answer"]


def test_both_forms_count_as_other() -> None:
    planner = FakeClient([Reply("SUMMARY: x\nGUIDANCE: get_weather"), Reply("SUMMARY: Rome.")])
    events = events_of(plan(FakeClient([]), QWEN, planner=planner))
    assert only(events, PlannerRead)[0].reply.problems[0].code == "both_forms"
    assert "loop.both_forms" in end(events).codes


def test_tool_choice_is_checked_afterwards() -> None:
    events = events_of(plan(FakeClient([Reply("No.")]), QWEN, tool_choice="required"))
    assert "decision.tool_choice" in end(events).codes
    fine = events_of(plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN, tool_choice="required"))
    assert end(fine).codes == ()


def test_images_and_system_text_survive_the_scaffold() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    messages = [Message("system", "Be brief."), Message("user", ({"type": "text", "text": "What is it?"}, image))]
    planner = FakeClient([Reply(PLAN)])
    executor = FakeClient([Reply("A cat."), *[Reply("A cat.")] * 2])
    planner.replies += [Reply(PLAN), Reply(PLAN)]
    events_of(plan(executor, QWEN, planner=planner, messages=messages))
    sent = executor.requests[0].messages
    assert sent[0].text.startswith("Be brief.")
    assert image in sent[1].content
    assert "GUIDANCE" in sent[1].text


def test_without_tools_a_reply_is_plain_text() -> None:
    events = events_of(replace(plan(FakeClient([Reply("Rome <b>is</b> nice.")]), QWEN), tools=()))
    assert end(events).answer == "Rome <b>is</b> nice."
