from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.events import RunEvent, StepFinished, StepRole, StepStarted, ToolStarted, VerdictGiven
from workbench.core.run_summary import RunSummary
from workbench.core.tools import ToolResult
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.digest import RunDigest, StepRow
from workbench.store.search import SearchTexts


def digest(events: list[RunEvent]) -> RunDigest:
    made = RunDigest("r")
    made.add_all(events)
    return made


def test_a_run_is_summed_up() -> None:
    made = digest(runs.make_run(planner="plain"))

    assert made.over
    assert made.next_seq == len(runs.make_run())
    assert (made.run.step_count, made.run.call_count, made.run.input_tokens, made.run.output_tokens) == (2, 1, 200, 20)
    assert made.run.duration_us == 2_500_000
    assert made.run.called_tools == ("get_weather",)
    assert made.prompt == "Weather in Rome?"


def test_unfinished_run_counts_present_events() -> None:
    made = digest(runs.make_run()[:12])

    assert not made.over
    assert (made.run.step_count, made.run.call_count, made.run.input_tokens) == (1, 1, 100)
    assert made.run.duration_us == 51
    assert (made.calls, made.tools) == (1, ("get_weather",))


@pytest.mark.parametrize(
    ("events", "state", "reason"),
    [
        (runs.make_run()[:12], VerdictState.CANCELLED, "The process ended."),
        (
            runs.make_run(verdict=None),
            VerdictState.NOT_GRADABLE,
            "The run finished, but the process ended before it was judged.",
        ),
    ],
)
def test_what_is_said_of_a_run_whose_process_ended(events: list[RunEvent], state: VerdictState, reason: str) -> None:
    assert digest(events).cut_short() == Verdict(state, Basis.INTRINSIC, reason, ("execution.process_ended",))


def test_tools_and_calls_are_counted_whichever_is_asked_first() -> None:
    assert digest(runs.make_run()).tools == ("get_weather",)
    assert digest(runs.make_run()).calls == 1


def test_the_last_verdict_counts() -> None:
    events = [*runs.make_run(), VerdictGiven(runs.failed("parse.truncated"))]

    assert digest(events).verdict.codes == ("parse.truncated",)


def test_step_rows_hold_reparse_data() -> None:
    first, second = digest(runs.make_run()).new_steps

    assert (first.step, first.role, first.format, first.flags.think_open) == (0, "executor", "qwen_xml", True)
    assert isinstance(second, StepRow)
    assert second.seq > first.seq


def test_search_texts_of_a_run() -> None:
    events = [*runs.make_run(verdict=None), *runs.tool_events(1, ToolResult(False, None, "No network."))]
    texts = digest(events).texts()

    assert texts.prompt == "Be brief.\nWeather in Rome?"
    assert texts.answer == "It is 21 degrees in Rome."
    assert texts.tools == "get_weather"
    assert texts.arguments == '{"city":"Lima"}'
    assert texts.results == '{"temperature":21}\nNo network.'
    assert "<tool_call>" in texts.raw


def test_a_long_prompt_is_cut_for_the_list_and_whole_for_the_search() -> None:
    made = digest(runs.make_run(prompt="first " + "word " * 1000))

    assert len(made.prompt) == 400
    assert made.prompt.startswith("first word")
    assert len(made.texts().prompt) > 5000


def test_calls_are_gone_through_only_when_there_are_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[RunSummary] = []
    whole = RunSummary.parsed_calls.fget
    assert whole is not None
    counting = property(lambda run: [asked.append(run), *whole(run)][1:])
    monkeypatch.setattr(RunSummary, "parsed_calls", counting)
    made = RunDigest("r")
    for event in runs.make_run():
        made.add_all([event])
        assert made.tools == made.run.called_tools
        assert made.calls == made.run.call_count
    asked.clear()
    assert (made.tools, made.calls) == (("get_weather",), 1)
    assert not asked


def test_a_step_whose_beginning_is_not_known_has_no_format() -> None:
    steps = digest([event for event in runs.make_run() if not isinstance(event, StepStarted)]).new_steps
    assert [(step.step, step.format) for step in steps] == [(0, ""), (1, "")]


def test_calls_are_counted_anew_after_whatever_can_change_them() -> None:
    made = RunDigest("r")
    seen = []
    for event in [
        runs.started("r"),
        *runs.step(0, calls=[runs.call()]),
        *runs.tool_events(0, name="another"),
        *runs.tool_events(0),
    ]:
        made.add_all([event])
        seen.append((made.calls, made.tools))
    assert seen[0] == (0, ())
    assert seen[-1] == (made.run.call_count, made.run.called_tools)
    for again in range(2):
        assert [(made.calls, made.tools)] * 2 == [(made.run.call_count, made.run.called_tools)] * 2, again


def test_a_step_of_the_planner_has_the_family_of_its_model() -> None:
    flagged, plain = runs.party("big"), replace(runs.party("small"), detection=None)
    begun = replace(runs.started("r", planner="big"), executor=plain, planner=flagged)
    events = [begun, *runs.step(0, role=StepRole.PLANNER), *runs.step(1)]
    first, second = digest(events).new_steps
    assert (first.role, first.flags) == ("planner", flagged.family)
    assert (second.role, second.flags) == ("executor", plain.family)
    assert flagged.family != plain.family
    assert [first.seq, second.seq] == [place for place, event in enumerate(events) if isinstance(event, StepFinished)]


def test_texts_of_a_run_without_a_beginning_are_empty() -> None:
    assert digest([]).texts() == SearchTexts()
    assert (digest([]).over, digest([]).verdict.state) == (False, VerdictState.RUNNING)
    assert digest(runs.make_run()).texts().raw.count("get_weather {") == 2


def test_a_tool_that_nothing_was_read_of_counts_once_it_starts() -> None:
    events = runs.make_run()
    at = next(place for place, event in enumerate(events) if isinstance(event, ToolStarted))
    made = digest(events[:at])
    assert made.tools == ("get_weather",)
    made.add_all([replace(events[at], name="get_time")])
    assert made.tools == ("get_weather", "get_time")
