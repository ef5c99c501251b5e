from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.events import RunEvent, StepFinished, StopReason
from workbench.core.messages import NativeCall
from workbench.ui.gateway.exchange_words import ExchangeWords
from workbench.ui.gateway.values import ExchangeLine
from workbench.ui.run.run_fold import RunFold, fold
from workbench.ui.run.run_view import RunView

LINE = ExchangeLine(2, "r1", "calls get_weather", wire="anthropic_messages", results=1, left_out=("thinking: x",))


def run_of(*, native: bool = False, text: str = "raw <tool_call>", shown: str = "Let me see.", called: bool = True,
           native_calls: tuple[NativeCall, ...] = (), open_: bool = False) -> RunView:  # fmt: skip
    begun = runs.started()
    begun = replace(begun, executor=replace(begun.executor, native=native))
    events: list[RunEvent] = [begun, *runs.step(0, text, [runs.call()] if called else [], shown=shown)]
    events = [
        replace(event, reply=replace(event.reply, native_calls=native_calls))
        if isinstance(event, StepFinished)
        else event
        for event in events
    ]
    if open_:
        live = RunFold()
        live.apply([event for event in events if not isinstance(event, StepFinished)])
        return live.view
    return fold([*events, runs.finished(stop=StopReason.RECORDED)])


def given(line: ExchangeLine, run: RunView) -> list[str]:
    return [block.plain for block in ExchangeWords(line).last(run, run.steps[0], run.last_at_us)]


def sent(line: ExchangeLine, run: RunView) -> list[str]:
    return [block.plain for block in ExchangeWords(line).sent(run, run.steps[0], run.last_at_us, narrow=False)]


def test_the_request_says_what_came_and_how_tools_went() -> None:
    words = sent(LINE, run_of())
    assert words[0].startswith("Request")
    assert words[1:4] == ["+ 1 tool result", "1 tool as qwen_xml", "1 left out"]
    assert "native, 1 tool" in sent(LINE, run_of(native=True))
    assert "passed through" in sent(replace(LINE, way="pass-through"), run_of(native=True))


@pytest.mark.parametrize(
    ("wire", "call", "reason"),
    [
        ("anthropic_messages", "tool_use get_weather", "stop_reason tool_use"),
        ("openai_chat", "tool_calls get_weather", "finish_reason tool_calls"),
        ("openai_responses", "function_call get_weather", "status completed"),
        ("gemini_generate", "functionCall get_weather", "finishReason STOP"),
    ],
)
def test_what_the_agent_got_is_told_in_its_own_protocol(wire: str, call: str, reason: str) -> None:
    assert given(replace(LINE, wire=wire), run_of()) == ["Let me see.", call, reason]


def test_an_answer_is_the_shown_text() -> None:
    assert given(LINE, run_of(called=False, shown="Sunny.")) == []


def test_passed_through_the_agent_got_the_raw_text_and_no_call() -> None:
    line = replace(LINE, way="pass-through", wire="openai_chat")
    assert given(line, run_of(native=True, text="[TOOL_CALLS][…]")) == ["[TOOL_CALLS][…]", "finish_reason stop"]


def test_native_calls_go_on_as_they_came() -> None:
    call = NativeCall(0, "c", "get_wether", "{}")
    assert "tool_use get_wether" in given(LINE, run_of(native=True, native_calls=(call,)))
    assert "tool_use get_weather" in given(replace(LINE, way="repair"), run_of(native=True, native_calls=(call,)))


def test_while_nothing_is_shown_nothing_was_given() -> None:
    run = run_of(open_=True, shown="")
    assert given(LINE, run)[0] == "nothing yet"


def test_a_lifted_call_says_what_would_have_been_lost() -> None:
    run = run_of(native=True)
    words = [
        block.plain for block in ExchangeWords(replace(LINE, lifted=("get_weather",))).parsed(run, run.steps[0], 0)
    ]
    assert "lifted out of the text, qwen_xml strict" in words
    assert "the agent would have seen no call" in words[-1]
    assert not any("recorded, not run" in one for one in words)


def test_places_are_named_for_assistive_technology() -> None:
    run = run_of()
    assert ExchangeWords(LINE).place(run.steps[0]) == "Exchange 2 · request 1"
