"""Recorded clients: bytes, times and errors come back as they were; what differs is noted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, STREAM, play, reply, sse
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    ResponseStarted,
    RunFinished,
    StepFinished,
    StepRole,
    StopReason,
)
from workbench.core.exchange import Endpoint, TextDelta, WireRequest
from workbench.core.messages import ChatRequest, Message
from workbench.replay.recorded import (
    RecordedClient,
    RecordedClock,
    RecordedStep,
    RecordedTry,
    _common_fields,
    body_json,
    recorded_steps,
)

ENDPOINT = Endpoint("P", "openai_chat", "https://recorded.invalid/v1")
REQUEST = ChatRequest("m", (Message("user", "hi"),))


def ask(client: RecordedClient, request: ChatRequest = REQUEST) -> list:
    async def collect() -> list:
        return [event async for event in client.exchange(request)]

    return asyncio.run(collect())


def test_one_exchange_as_a_client_gives_it() -> None:
    clock = RecordedClock(5_000_000)
    client = RecordedClient(ENDPOINT, [reply("Hel", "lo")], clock)
    events = ask(client)
    assert [type(event) for event in events] == [
        ExchangeStarted,
        ResponseStarted,
        ChunkReceived,
        ChunkReceived,
        ChunkReceived,
        ChunkReceived,
        ExchangeEnded,
    ]
    assert [event.at_us for event in events] == [0, 500, 1000, 2000, 3000, 4000, 5000]
    text = "".join(
        delta.text for event in events for delta in getattr(event, "deltas", ()) if isinstance(delta, TextDelta)
    )
    assert text == "Hello"
    assert events[-1].error is None
    assert clock.now_us() == 5_005_000


def test_requests_are_encoded_by_the_recorded_wire() -> None:
    client = RecordedClient(ENDPOINT, [reply("x")])
    sent = ask(client)[0].request
    assert sent.url == "https://recorded.invalid/v1/chat/completions"
    assert body_json(sent.body)["messages"] == [{"role": "user", "content": "hi"}]
    assert client.changes == []


def test_a_changed_request_is_answered_and_noted() -> None:
    recorded = WireRequest(
        "POST", "u", (), b'{"messages": [{"role": "user", "content": "ho"}], "model": "m", "own": 1}'
    )
    client = RecordedClient(ENDPOINT, [reply("x", request=recorded)])
    assert ask(client)[-1].error is None
    (change,) = client.changes
    assert [item.path for item in change.difference.changes] == ["messages[0].content"]


def test_request_beyond_the_record_is_an_error() -> None:
    client = RecordedClient(ENDPOINT, [reply("x")])
    ask(client)
    assert not client.exhausted
    events = ask(client)
    assert client.exhausted
    assert [type(event) for event in events] == [ExchangeStarted, ExchangeEnded]
    assert events[-1].error.kind is ErrorKind.PROTOCOL
    assert "never recorded" in events[-1].error.message


def test_errors_come_from_the_record_or_from_the_bytes() -> None:
    noted = ErrorInfo(ErrorKind.TIMEOUT, "Nothing came.")
    assert ask(RecordedClient(ENDPOINT, [RecordedStep((RecordedTry(error=noted),))]))[-1].error is noted
    body = b'{"error": {"message": "slow down", "code": "rate_limit_exceeded"}}'
    refused = RecordedTry(429, (("content-type", "application/json"),), 1, ((2, body),), 3, retry_in=0.5)
    tries = RecordedStep(
        (refused, replace(refused, head_us=600_000, chunks=((600_001, body),), done_us=600_002, retry_in=None))
    )
    events = ask(RecordedClient(ENDPOINT, [tries]))
    ends = [event for event in events if isinstance(event, ExchangeEnded)]
    assert [(end.exchange, end.error.kind, end.retry_in, end.at_us) for end in ends] == [
        (0, ErrorKind.RATE_LIMIT, 0.5, 3),
        (1, ErrorKind.RATE_LIMIT, None, 600_002),
    ]
    cut = ask(RecordedClient(ENDPOINT, [reply("half", finish=None, done=False)]))
    assert cut[-1].error.kind is ErrorKind.CUT_OFF
    both = ask(RecordedClient(ENDPOINT, [RecordedStep((replace(refused, error=noted),))]))
    assert both[-1].error is noted, "the record knows more than its bytes"


def test_a_recorded_cancel_is_played_as_one() -> None:
    client = RecordedClient(ENDPOINT, [reply("half", finish=None, done=False, stopped=True)])
    with pytest.raises(asyncio.CancelledError):
        ask(client)
    assert client.stopped
    events = play(reply("I will ", BROKEN_CALL, finish=None, done=False, stopped=True))
    finished = next(event for event in events if isinstance(event, RunFinished))
    assert finished.stop is StopReason.CANCELLED
    last = next(event for event in events if isinstance(event, StepFinished))
    assert last.reply.cancelled
    assert last.reply.result.calls == ()


def test_a_cancel_in_a_later_try_is_played_there() -> None:
    refused = RecordedTry(error=ErrorInfo(ErrorKind.TIMEOUT, "Nothing came."), retry_in=0.5)
    (half,) = reply("half", finish=None, done=False).tries
    client, events = RecordedClient(ENDPOINT, [RecordedStep((refused, half), stopped=True)]), list[object]()

    async def collect() -> None:
        async for event in client.exchange(REQUEST):
            events.append(event)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(collect())
    ends = [(event.exchange, event.retry_in) for event in events if isinstance(event, ExchangeEnded)]
    assert ends == [(0, 0.5)]
    assert [event.exchange for event in events if isinstance(event, ChunkReceived)] == [1]


def test_recorded_run_plays_back_equally() -> None:
    first = play(reply("I look. ", CALL), reply("It is clear."))
    steps = recorded_steps(first)
    assert steps[StepRole.PLANNER] == []
    assert [len(step.tries[0].chunks) for step in steps[StepRole.EXECUTOR]] == [4, 3]
    again = play(*steps[StepRole.EXECUTOR])
    assert [event for event in again if not isinstance(event, StepFinished)] == [
        event for event in first if not isinstance(event, StepFinished)
    ]
    assert [event.reply.result for event in again if isinstance(event, StepFinished)] == [
        event.reply.result for event in first if isinstance(event, StepFinished)
    ]


def test_record_ending_in_mid_step_is_stopped() -> None:
    events = play(reply("I look. ", CALL), reply("It is clear."))
    place = next(i for i, event in enumerate(events) if isinstance(event, ChunkReceived))
    (step,) = recorded_steps(events[: place + 1])[StepRole.EXECUTOR]
    assert step.stopped
    assert b"".join(data for _, data in step.tries[0].chunks) == sse("I look. ")[0]
    assert step.tries[0].done_us == step.tries[0].chunks[-1][0] > step.tries[0].head_us


def test_planner_and_executor_are_kept_apart_and_retries_together() -> None:
    events = play(reply(CALL), reply("Done."), planner=[reply("GUIDANCE:\n1. get_weather Rome")])
    steps = recorded_steps(events)
    assert len(steps[StepRole.PLANNER]) == 1
    assert len(steps[StepRole.EXECUTOR]) == 2
    failed = RecordedTry(500, STREAM, 1, (), 2, ErrorInfo(ErrorKind.SERVER, "no"), 0.1)
    ok = reply("Fine.").tries[0]
    two = recorded_steps(play(RecordedStep((failed, ok)), tools=()))[StepRole.EXECUTOR][0]
    assert [attempt.status for attempt in two.tries] == [500, 200]
    assert two.tries[0].retry_in == 0.1
    requests = [event for event in events if isinstance(event, ExchangeStarted)]
    assert steps[StepRole.PLANNER][0].tries[0].request == requests[0].request


def test_the_clock_of_a_record_never_goes_back() -> None:
    clock = RecordedClock(1_000)
    assert [clock.advance_to(tick) for tick in (5, 3, 5, 8)] == [5, 5, 5, 8]
    assert (clock.tick_us(), clock.now_us()) == (8, 1_008)


def test_non_json_bodies_are_compared_as_text() -> None:
    assert body_json(b"plain") == "plain"
    assert body_json(b"\xff") == "\ufffd"


def test_a_body_nested_without_end_is_compared_as_text() -> None:
    assert body_json(b"[" * 100_000) == "[" * 100_000
    assert body_json(b'{"a": 1}') == {"a": 1}
    assert body_json(b"\xff no") == "\ufffd no"


def test_what_is_beyond_the_record_is_told_in_these_words() -> None:
    client = RecordedClient(ENDPOINT, [])
    begun, ended = ask(client)
    assert (begun.exchange, ended.exchange, begun.at_us, ended.at_us) == (0, 0, ended.at_us, ended.at_us)
    assert ended.error == ErrorInfo(
        ErrorKind.PROTOCOL,
        "Request 1 was never recorded: the recording holds 0 of this role.",
        "offline replay",
        "The run goes another way today. Run it live to see how it ends.",
    )
    assert (client.asked, client.exhausted) == (1, True)


def test_a_step_without_a_try_has_nothing_to_compare_or_play() -> None:
    client = RecordedClient(ENDPOINT, [RecordedStep(())])
    assert ask(client) == []
    assert (client.changes, client.exhausted) == ([], False)


@pytest.mark.parametrize(
    ("recorded", "sent", "common"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, ({"b": 2}, {"b": 3})),
        ([1], {"b": 3}, ([1], {"b": 3})),
        ({"b": 3}, "text", ({"b": 3}, "text")),
        ("a", "b", ("a", "b")),
    ],
)
def test_fields_of_one_side_alone_are_no_difference(recorded: object, sent: object, common: object) -> None:
    assert _common_fields(recorded, sent) == common


def test_times_of_a_step_are_counted_from_its_beginning() -> None:
    events = play(reply(CALL), reply("b"))
    first, second = recorded_steps(events)[StepRole.EXECUTOR]
    for step in (first, second):
        (attempt,) = step.tries
        assert (attempt.head_us, [at for at, _ in attempt.chunks], attempt.done_us) == (500, [1000, 2000, 3000], 4000)
        assert not step.stopped


def test_what_became_certain_at_the_end_has_no_place_in_the_body() -> None:
    last = [
        event
        for event in ask(RecordedClient(ENDPOINT, [reply("Hel", done=False, finish=None)]))
        if isinstance(event, ChunkReceived)
    ][-1]
    assert (last.index, last.data) == (-1, b"")


def test_the_first_fault_of_the_bytes_is_the_error_where_none_was_recorded() -> None:
    body = b'data: {"error": {"message": "first"}}\n\ndata: {"error": {"message": "second"}}\n\n'
    attempt = RecordedTry(status=200, headers=STREAM, head_us=1, chunks=((2, body),), done_us=3)
    ended = ask(RecordedClient(ENDPOINT, [RecordedStep((attempt,))]))[-1]
    assert (ended.error.message, ended.error.where) == ("first", "POST https://recorded.invalid/v1/chat/completions")
    own = ErrorInfo(ErrorKind.TIMEOUT, "recorded")
    assert ask(RecordedClient(ENDPOINT, [RecordedStep((replace(attempt, error=own),))]))[-1].error == own


def test_a_try_without_an_end_lasts_until_its_last_piece() -> None:
    events = play(reply(CALL), reply("b"))
    at = next(place for place, event in enumerate(events) if isinstance(event, ExchangeEnded) and event.step == 1)
    first, second = recorded_steps(events[: at - 1])[StepRole.EXECUTOR]
    assert (first.tries[0].done_us, first.stopped) == (4000, False)
    last = second.tries[0]
    assert (last.done_us, second.stopped) == (last.chunks[-1][0], True)
    assert 500 < last.done_us < 4000
