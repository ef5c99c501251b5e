"""What a run should have done: as it did, or for a failed one the calls that were lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.kit.engine_run import events_of
from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, Reply, RequiredOnly, plan
from workbench.cases.proposal import Proposal, calls_made, propose
from workbench.core.approvals import ApprovalDecision
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ApprovalDecided, ChunkReceived, RunEvent, ToolStarted, VerdictGiven
from workbench.core.exchange import NoticeDelta
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import ToolSetup
from workbench.formats import get_format
from workbench.grading.intrinsic import judge
from workbench.schema import JsonSchemaChecker

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
MISTRAL = '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}'
CHECK = JsonSchemaChecker()


def recorded(*replies: Reply | str, asked: str = "qwen_xml", **options: Any) -> list[RunEvent]:
    """The events of a run, judged."""
    client = FakeClient([Reply(one) if isinstance(one, str) else one for one in replies])
    events = events_of(plan(client, get_format(asked), **options))
    return [*events, VerdictGiven(judge(summarize(events), CHECK))]


def weather(city: Any = "Rome") -> Expectation:
    rule = city if isinstance(city, ExpectedArgument) else ExpectedArgument((city,))
    return Expectation(calls=(ExpectedCall("get_weather", {"city": rule}),))


def test_calls_of_a_good_run_are_proposed_as_they_are() -> None:
    found = propose(recorded(CALL, "Sunny."), CHECK)
    assert found == Proposal(weather(), False, ("These calls were made.",))


def test_no_call_is_proposed_only_where_none_was_lost() -> None:
    found = propose(recorded("It is sunny."), CHECK)
    assert (found.expectation, found.guess) == (Expectation(no_call=True), False)


@pytest.mark.parametrize("asked", ["qwen_xml", "native_openai", "react"])
def test_a_lost_call_is_proposed_from_the_format_that_reads_it(asked: str) -> None:
    found = propose(recorded(MISTRAL, MISTRAL, MISTRAL, asked=asked), CHECK)
    assert found.expectation == weather()
    assert found.guess
    assert "mistral_args reads it to the letter" in found.notes[0]
    assert found.places[0].span.start == 0


def test_a_lost_call_that_was_made_right_after_feedback_is_not_proposed_twice() -> None:
    found = propose(recorded(MISTRAL, CALL.replace("Rome", "Oslo"), "Cold."), CHECK)
    assert (found.expectation, found.guess) == (weather("Oslo"), False)


def test_unreadable_arguments_are_left_open_by_their_kind() -> None:
    cut = Reply('<tool_call>\n{"name": "get_weather", "arguments": {"ci', finish="length")
    found = propose(recorded(cut, cut, cut), CHECK)
    call = ExpectedCall("get_weather", {"city": ExpectedArgument(kind="string")}, extra_arguments=True)
    assert (found.expectation, found.guess) == (Expectation(calls=(call,)), True)
    assert "could not be read" in found.notes[0]


def test_an_undeclared_tool_stands_for_the_closest_one() -> None:
    made_up = CALL.replace("get_weather", "fetch_weather")
    found = propose(recorded(made_up, made_up, made_up), CHECK)
    assert found.expectation == weather()
    assert "closest name" in found.notes[0]
    strange = CALL.replace("get_weather", "zzz")
    open_call = propose(recorded(strange, strange, strange), CHECK)
    assert (open_call.expectation, open_call.guess) == (Expectation(any_call=True), True)


def test_arguments_that_broke_the_schema_are_not_proposed() -> None:
    typed = replace(WEATHER, parameters={**WEATHER.parameters, "additionalProperties": False})
    wrong = Reply("", [("c1", "get_weather", '{"days": "many", "mood": "good"}')], "tool_calls")
    target = Target(ModelRef("fake", "fake-model"), "native_openai", limits=RunLimits(iterations=2))
    tools = (ToolSetup(typed), ToolSetup(READ_FILE))
    events = recorded(*[wrong] * 6, asked="native_openai", tools=tools, target=target)
    found = propose(events, CHECK)
    assert found.expectation is not None
    assert found.expectation.calls[0].arguments == {
        "days": ExpectedArgument(kind="integer"),
        "city": ExpectedArgument(kind="string"),
    }
    assert found.guess


def test_what_a_provider_quotes_of_its_model_is_read() -> None:
    error = ErrorInfo(ErrorKind.MODEL_OUTPUT, "Failed to call a function.", status=400)
    events = recorded(Reply(error=error), asked="native_openai")
    quoted = [
        ChunkReceived(0, 0, 0, b"{}", 5, (NoticeDelta("failed_generation", "", data=CALL),)),
        *events,
    ]
    assert propose(quoted, CHECK).expectation == weather()
    nothing = propose(events, CHECK)
    assert (nothing.expectation, nothing.guess) == (None, True)


def test_a_known_case_says_what_should_come() -> None:
    case = Case("c", "C", (Message("user", "x"),), expectation=weather("Bari"))
    found = propose(recorded(MISTRAL, MISTRAL, MISTRAL), CHECK, case)
    assert (found.expectation, found.guess) == (weather("Bari"), False)
    assert "'c'" in found.notes[0]


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ("required", Expectation(any_call=True)),
        (
            {"type": "function", "function": {"name": "get_weather"}},
            Expectation(
                calls=(ExpectedCall("get_weather", {"city": ExpectedArgument()}, extra_arguments=True),),
            ),
        ),
    ],
)
def test_the_request_may_demand_a_call(choice: Any, wanted: Expectation) -> None:
    events = recorded("No.", "No.", "No.", tool_choice=choice)
    found = propose(events, None)
    assert found.guess
    assert found.expectation is not None
    assert [call.name for call in found.expectation.calls] == [call.name for call in wanted.calls]
    assert found.expectation.any_call == wanted.any_call


def test_a_person_has_the_last_word_on_arguments() -> None:
    events = recorded(CALL, "Sunny.")
    at = next(n for n, event in enumerate(events) if isinstance(event, ToolStarted))
    edited = ApprovalDecided(0, 0, "call_1", ApprovalDecision(True, arguments={"city": "Nice"}), 1)
    found = propose([*events[: at + 1], edited, *events[at + 1 :]], CHECK)
    assert (found.expectation, found.guess) == (weather("Nice"), True)
    refused = ApprovalDecided(0, 0, "call_1", ApprovalDecision(False), 1)
    assert propose([*events[: at + 1], refused, *events[at + 1 :]], CHECK).expectation == Expectation(no_call=True)


def test_a_repeated_call_of_a_failed_run_is_proposed_once() -> None:
    target = Target(ModelRef("fake", "fake-model"), "qwen_xml", limits=RunLimits(iterations=3))
    found = propose(recorded(*[CALL] * 6, target=target), RequiredOnly())
    assert found.expectation == weather()
    assert any("made again" in note for note in found.notes)


def test_made_calls_are_told_as_they_were() -> None:
    assert calls_made(summarize(recorded(CALL, "Sunny."))) == weather()
    assert calls_made(summarize(recorded("Sunny."))) == Expectation(no_call=True)


def test_nothing_is_proposed_without_a_beginning() -> None:
    assert propose([]) == Proposal(None, False, ())
