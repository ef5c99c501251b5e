"""Calls in recorded replies that nobody ran, and how they are read."""

from __future__ import annotations

from tests.kit.engine_run import events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.cases.lost_calls import LostCall, lost_calls
from workbench.core.run_summary import summarize
from workbench.formats import get_format

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
MISTRAL = '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}'


def lost(*texts: str, asked: str = "qwen_xml") -> list[LostCall]:
    run = summarize(events_of(plan(FakeClient([Reply(text) for text in texts]), get_format(asked))))
    assert run.started is not None
    step, reply = run.replies[0]
    return list(lost_calls(run.started, step, reply))


def test_calls_that_were_given_out_are_not_lost() -> None:
    assert lost(CALL, "Sunny.") == []
    assert lost("No call here.") == []


def test_the_other_format_and_its_repairs_are_named() -> None:
    (found,) = lost(MISTRAL, MISTRAL, MISTRAL)
    assert (found.name, found.arguments, found.whole, found.step) == ("get_weather", {"city": "Rome"}, True, 0)
    assert found.why == "qwen_xml gives out no call of 'get_weather'; mistral_args reads it to the letter."
    (bent,) = lost(*[CALL.replace("}}", ",}}")] * 3, asked="native_openai")
    assert "with repairs (trailing_comma)" in bent.why


def test_two_alike_are_two() -> None:
    assert len(lost(*[f"{CALL}\n{CALL}"] * 3, asked="native_openai")) == 2


def test_an_undeclared_name_is_guessed_with_its_arguments() -> None:
    (found,) = lost(*[CALL.replace("get_weather", "getWeather")] * 3)
    assert (found.name, found.arguments, found.whole) == ("get_weather", {"city": "Rome"}, False)


def test_a_thought_call_is_found() -> None:
    (found,) = lost(f"<think>{CALL}</think>", f"<think>{CALL}</think>", f"<think>{CALL}</think>")
    assert "inside the reasoning" in found.why
