from __future__ import annotations

from tests.kit.engine_run import CALL, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, FakeTools, Reply, plan
from workbench.core.events import ChunkReceived, ExchangeEnded, StepFinished, StopReason
from workbench.formats import get_format


def test_a_provider_error_ends_the_run_and_a_retry_is_a_further_exchange() -> None:
    events = events_of(plan(FakeClient([Reply(error=REFUSED)]), QWEN))
    assert end(events).stop is StopReason.ERROR
    assert end(events).error == REFUSED
    retried = events_of(plan(FakeClient([Reply("half a", error=REFUSED, retry_in=0.0), Reply("Whole.")]), QWEN))
    assert [event.retry_in for event in only(retried, ExchangeEnded)] == [0.0, None]
    assert end(retried).answer == "Whole."
    assert only(retried, StepFinished)[0].reply.text == "Whole."


def test_a_stop_sequence_that_the_provider_ignores_cuts_the_stream() -> None:
    pieces = ['Action: get_weather\nAction Input: {"city": "Rome"}', "\nObser", "vation: 22", " degrees", " and more"]
    client = FakeClient([Reply(pieces), Reply("Final Answer: Sunny.")])
    events = events_of(plan(client, get_format("react")))
    first = only(events, StepFinished)[0].reply
    assert first.stop_fired.startswith("\nObservation")
    assert "degrees" not in first.text
    assert [call.name for call in first.result.calls] == ["get_weather"]


def test_a_cut_reply_completes_nothing() -> None:
    cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"'
    tools = FakeTools()
    events = events_of(plan(FakeClient([Reply(cut, finish="length"), Reply("I stop.")]), QWEN), tools)
    assert tools.ran == []
    assert only(events, StepFinished)[0].reply.result.lost[0].code == "truncated"


def test_shown_text_is_the_sanitized_reply_and_never_a_marker() -> None:
    text = f"Done. Next I'm going to delete it.\n{CALL}"
    events = events_of(plan(FakeClient([Reply(list(text)), Reply("Ok.")]), QWEN))
    shown = "".join(event.shown for event in only(events, ChunkReceived) if event.step == 0)
    reply = only(events, StepFinished)[0].reply
    assert "<tool_call>" not in shown
    assert shown.strip() == reply.sanitized.strip() == "Done. Next I'm going to delete it."
    assert reply.text == text
