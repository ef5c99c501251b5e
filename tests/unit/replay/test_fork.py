"""What a forked run is asked stands as it was sent then, but for what is changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.engine_run import CALL, NATIVE, PLAN, QWEN, events_of
from tests.kit.fakes import READ_FILE, FakeClient, Reply, plan
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.target import ModelRef, Target
from workbench.core.tools import ToolResult, ToolSetup
from workbench.engine.request import opening_messages
from workbench.replay.fork import CallAt, ForkEdits, _lay_guidance, _with_results, fork, iterations, results_before

NATIVE_CALL = Reply(calls=[("c1", "get_weather", '{"city": "Rome"}')])


def text_run() -> RunSummary:
    client = FakeClient([Reply(CALL), Reply(CALL.replace("Rome", "Lima")), Reply("Sunny.")])
    return summarize(events_of(plan(client, QWEN)))


def asked(run: RunSummary, iteration: int) -> tuple[Message, ...]:
    step = iterations(run)[iteration - 1].asked
    assert step is not None
    return step.request.messages


@pytest.mark.parametrize("iteration", [1, 2, 3])
def test_the_first_request_of_a_fork_is_the_one_that_was_sent(iteration: int) -> None:
    run = text_run()
    found = fork(run, iteration)
    again = plan(FakeClient([]), QWEN, messages=found.messages)
    assert opening_messages(again) == asked(run, iteration)
    assert found.parent.iteration == iteration
    assert found.parent.edits == ()


def test_another_prompt_keeps_what_came_after_it() -> None:
    run = text_run()
    found = fork(run, 2, ForkEdits(prompt="Weather in Oslo?", system="Be brief."))
    assert [message.role for message in found.messages[:2]] == ["system", "user"]
    assert found.messages[1].text == "Weather in Oslo?"
    assert found.messages[2:] == fork(run, 2).messages[1:]
    assert found.parent.edits == ("prompt", "system")
    assert found.parent.words == "forked at iteration 2 with another prompt, system"


def test_another_result_is_written_in_the_format_of_the_run() -> None:
    run = text_run()
    found = fork(run, 3, ForkEdits(results={CallAt(1): ToolResult(True, {"sky": "hail"})}))
    texts = [message.text for message in found.messages]
    assert sum("hail" in text for text in texts) == 1
    same = fork(run, 3).messages
    assert sum(one != other for one, other in zip(found.messages, same, strict=True)) == 1
    assert found.parent.edits == ("result 1.1",)


def test_other_tools_are_offered() -> None:
    found = fork(text_run(), 2, ForkEdits(tools=(ToolSetup(READ_FILE),)))
    assert [setup.spec.name for setup in found.tools] == ["read_file"]


def test_a_planner_is_not_asked_again_and_its_guidance_stays() -> None:
    planner, executor = FakeClient([Reply(PLAN)]), FakeClient([Reply(CALL), Reply("Sunny.")])
    run = summarize(events_of(plan(executor, QWEN, planner=planner)))
    found = fork(run, 2, ForkEdits(prompt="Weather in Oslo?"))
    assert found.target.planner is None
    assert found.messages[0].text.startswith("Weather in Oslo?\n\n")
    assert "get_weather for Rome" in found.messages[0].text
    assert fork(run, 1).messages == run.started.messages  # type: ignore[union-attr]


def test_native_results_keep_their_ids() -> None:
    run = summarize(events_of(plan(FakeClient([NATIVE_CALL, Reply("Sunny.")]), NATIVE)))
    then, found = (
        fork(run, 2).messages,
        fork(run, 2, ForkEdits(results={CallAt(1, 1): ToolResult(True, "hail")})).messages,
    )
    assert [message.role for message in found] == ["user", "assistant", "tool"]
    assert found[2].tool_call_id == then[2].tool_call_id
    assert "hail" in found[2].text


@pytest.mark.parametrize(
    ("iteration", "edits", "told"),
    [
        (4, ForkEdits(), "There is no iteration 4."),
        (0, ForkEdits(), "There is no iteration 0."),
        (2, ForkEdits(results={CallAt(2): ToolResult(True, 1)}), "There is no result 2.1 before iteration 2."),
        (2, ForkEdits(results={CallAt(1, 2): ToolResult(True, 1)}), "There is no result 1.2 before iteration 2."),
    ],
)
def test_what_is_not_there_is_said(iteration: int, edits: ForkEdits, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fork(text_run(), iteration, edits)
    assert caught.value.message == told
    assert caught.value.hint


def test_a_record_without_a_beginning_cannot_be_forked() -> None:
    with pytest.raises(InvalidInput, match="how the run began"):
        fork(RunSummary(), 1)


def test_a_turn_stays_as_it_was_sent_where_no_result_is_changed() -> None:
    run = text_run()
    assert run.started is not None
    calls = [(call, ToolResult(True, "sunny")) for call in run.steps[0].reply.result.calls]  # type: ignore[union-attr]
    odd = (Message("assistant", "as it was sent"), Message("user", "no format writes so"))
    assert _with_results(odd, calls, {}, run.started) == list(odd)
    assert _with_results((), calls, {1: ToolResult(True, "hail")}, run.started) == []
    first, *told = _with_results(odd, calls, {1: ToolResult(True, "hail")}, run.started)
    assert first == odd[0]
    assert ["hail" in message.text for message in told] == [True]


def test_what_was_told_behind_the_results_stays_behind_those_that_are_changed() -> None:
    """Such as the note that only the first of two calls was executed."""
    run = summarize(events_of(plan(FakeClient([NATIVE_CALL, Reply("Sunny.")]), NATIVE)))
    assert run.started is not None
    calls = [(call, ToolResult(True, "sunny")) for call in run.steps[0].reply.result.calls]  # type: ignore[union-attr]
    note = Message("user", "Only the first call was executed.")
    sent = (Message("assistant", "as it was sent"), Message("tool", "sunny", tool_call_id="c1"), note)
    turn, told, last = _with_results(sent, calls, {1: ToolResult(True, "hail")}, run.started)
    assert (turn, last) == (sent[0], note)
    assert (told.role, told.tool_call_id, "hail" in told.text) == ("tool", "c1", True)


def test_a_prompt_for_a_conversation_without_a_user_is_added() -> None:
    run = summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN, messages=(Message("system", "Be brief."),))))
    assert [(one.role, one.content) for one in fork(run, 1, ForkEdits(prompt="Weather?")).messages] == [
        ("system", "Be brief."), ("user", "Weather?"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("iteration", "edits", "message", "hint"),
    [
        (4, ForkEdits(), "There is no iteration 4.", "The executor was asked 3 times."),
        (2, ForkEdits(results={CallAt(2): ToolResult(True, 1)}), "There is no result 2.1 before iteration 2.", "Known: 1.1."),
        (3, ForkEdits(results={CallAt(9, 2): ToolResult(True, 1), CallAt(9): ToolResult(True, 1)}), "There is no result 9.1 before iteration 3.", "Known: 1.1, 2.1."),
        (1, ForkEdits(results={CallAt(1): ToolResult(True, 1)}), "There is no result 1.1 before iteration 1.", "No call was answered before it."),
    ],
)  # fmt: skip
def test_what_is_not_there_and_what_is(iteration: int, edits: ForkEdits, message: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fork(text_run(), iteration, edits)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_one_request_is_told_as_once() -> None:
    run = summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN)))
    with pytest.raises(InvalidInput) as caught:
        fork(run, 2)
    assert caught.value.hint == "The executor was asked once."


def test_results_are_known_by_iteration_and_place() -> None:
    two = Reply(calls=[("c1", "get_weather", '{"city": "Rome"}'), ("c2", "read_file", '{"path": "a"}')])
    run = summarize(events_of(plan(FakeClient([two, NATIVE_CALL, Reply("Sunny.")]), NATIVE)))
    assert [[(str(one.at), one.tool, one.result.result) for one in results_before(run, at)] for at in (1, 2, 3)] == [
        [],
        [("1.1", "get_weather", "result of get_weather"), ("1.2", "read_file", "result of read_file")],
        [("1.1", "get_weather", "result of get_weather"), ("1.2", "read_file", "result of read_file"), ("2.1", "get_weather", "result of get_weather")],
    ]  # fmt: skip
    changed = fork(run, 3, ForkEdits(results={CallAt(1, 2): ToolResult(True, "hail")})).messages
    told = [message.text for message in changed if message.role == "tool"]
    assert [text for text in told if "hail" in text] == told[1:2]


@pytest.mark.parametrize(
    ("edits", "opening"),
    [
        (ForkEdits(), [("system", "Be brief."), ("user", "Weather in Rome?")]),
        (ForkEdits(system="Be long."), [("system", "Be long."), ("user", "Weather in Rome?")]),
        (ForkEdits(system=""), [("user", "Weather in Rome?")]),
        (ForkEdits(prompt=""), [("system", "Be brief."), ("user", "")]),
    ],
)
def test_how_a_changed_conversation_begins(edits: ForkEdits, opening: list[tuple[str, str]]) -> None:
    said = (Message("system", "Be brief."), Message("user", "Weather in Rome?"))
    run = summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN, messages=said)))
    assert [(one.role, one.text) for one in fork(run, 1, edits).messages] == opening


def test_from_the_start_the_target_is_the_runs_own() -> None:
    planner, executor = FakeClient([Reply(PLAN)]), FakeClient([Reply(CALL), Reply("Sunny.")])
    target = Target(ModelRef("fake", "m"), QWEN.id, planner=ModelRef("fake", "p"), wrapper="own")
    run = summarize(events_of(plan(executor, QWEN, planner=planner, target=target)))
    assert run.started is not None
    assert run.started.target == target
    first, second = fork(run, 1), fork(run, 2)
    assert (first.target, first.tools) == (run.started.target, run.started.tools)
    assert (second.target.planner, second.target.wrapper, second.target.executor) == (
        None,
        None,
        run.started.target.executor,
    )
    assert second.parent.run_id == run.started.run_id


def test_edits_are_named_in_order() -> None:
    result = ToolResult(True, 1)
    edits = ForkEdits("", "", (), {CallAt(2): result, CallAt(1, 2): result})
    assert edits.words == ("prompt", "system", "tools", "result 1.2", "result 2.1")
    assert ForkEdits().words == ()


def test_of_a_boosted_run_the_requests_of_the_same_loop_come_before() -> None:
    lost = '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'
    planner = FakeClient([Reply(PLAN), Reply(PLAN.replace("Rome", "Oslo"))])
    executor = FakeClient([Reply("I cannot."), Reply(CALL), Reply(f"Sunny. {lost}"), Reply("Sunny.")])
    run = summarize(events_of(plan(executor, QWEN, planner=planner)))
    assert [step.asked.loop for step in iterations(run) if step.asked] == [0, 1, 1, 1]
    assert [str(one.at) for one in results_before(run, 4)] == ["2.1"]
    assert results_before(run, 2) == []
    third = fork(run, 3).messages
    assert "get_weather for Oslo" in third[0].text
    assert "get_weather for Rome" not in third[0].text


def test_a_conversation_without_a_user_keeps_its_guidance_nowhere() -> None:
    planner, executor = FakeClient([Reply(PLAN)]), FakeClient([Reply(CALL), Reply("Sunny.")])
    only_system = (Message("system", "Be brief."),)
    run = summarize(events_of(plan(executor, QWEN, planner=planner, messages=only_system)))
    assert [message.text for message in fork(run, 2).messages[:1]] == ["Be brief."]


@pytest.mark.parametrize(
    ("iteration", "edits", "message", "hint"),
    [
        (4, ForkEdits(), "There is no iteration 4.", "The executor was asked 3 times."),
        (0, ForkEdits(), "There is no iteration 0.", "The executor was asked 3 times."),
        (3, ForkEdits(results={CallAt(3): ToolResult(True, 1)}), "There is no result 3.1 before iteration 3.", "Known: 1.1, 2.1."),
        (1, ForkEdits(results={CallAt(2): ToolResult(True, 1), CallAt(1, 3): ToolResult(True, 1)}),
         "There is no result 1.3 before iteration 1.", "No call was answered before it."),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_with_what_is(iteration: int, edits: ForkEdits, message: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fork(text_run(), iteration, edits)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_who_was_asked_once_is_told_so() -> None:
    with pytest.raises(InvalidInput) as caught:
        fork(summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN))), 2)
    assert caught.value.hint == "The executor was asked once."
    with pytest.raises(InvalidInput) as headless:
        fork(RunSummary(), 1)
    assert headless.value.message == "The record does not say how the run began, so it cannot be forked."


def test_results_are_known_by_iteration_and_call() -> None:
    found = results_before(text_run(), 3)
    assert [(str(one.at), one.tool, one.result.success) for one in found] == [
        ("1.1", "get_weather", True),
        ("2.1", "get_weather", True),
    ]
    assert results_before(text_run(), 1) == []
    assert len(results_before(text_run(), 2)) == 1


def test_edits_are_named_for_the_record() -> None:
    nothing, none = ForkEdits(), ToolResult(True, 1)
    assert nothing.words == ()
    everything = ForkEdits("", "", (), {CallAt(2): none, CallAt(1, 2): none})
    assert everything.words == ("prompt", "system", "tools", "result 1.2", "result 2.1")


def test_a_system_message_is_put_in_taken_out_or_left() -> None:
    run = summarize(
        events_of(
            plan(FakeClient([Reply("Sunny.")]), QWEN, messages=(Message("system", "Old."), Message("user", "Weather?")))
        )
    )
    assert fork(run, 1, ForkEdits(system="New.")).messages == (Message("system", "New."), Message("user", "Weather?"))
    assert fork(run, 1, ForkEdits(system="")).messages == (Message("user", "Weather?"),)
    assert fork(run, 1).messages == (Message("system", "Old."), Message("user", "Weather?"))
    assert fork(run, 1).tools == run.started.tools  # type: ignore[union-attr]


def test_a_prompt_where_there_was_none_comes_last() -> None:
    run = summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN, messages=(Message("system", "Old."),))))
    assert fork(run, 1, ForkEdits(prompt="Well?")).messages == (Message("system", "Old."), Message("user", "Well?"))


def test_without_a_planner_nothing_is_laid_behind_the_prompt() -> None:
    """What a gateway or a template put behind the prompt is no guidance."""
    run = text_run()
    assert run.started is not None
    messages, said = [Message("user", "Weather in Rome?")], [Message("user", "Weather in Rome? Really?")]
    _lay_guidance(messages, run.started, said)
    assert messages == [Message("user", "Weather in Rome?")]
    guided = replace(run.started, planner=run.started.executor)
    _lay_guidance(messages, guided, said)
    assert messages[0].text.startswith("Weather in Rome?")
    assert messages[0].text.endswith(" Really?")
    for opening in ([], [Message("user", "Another?")]):
        kept = [Message("user", "Weather in Rome?")]
        _lay_guidance(kept, guided, opening)
        assert kept[0].text == "Weather in Rome?"
    _lay_guidance([], guided, said)
