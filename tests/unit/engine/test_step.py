from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace

import pytest

from tests.kit.engine_run import CALL, NATIVE, QWEN, end, events_of, only
from tests.kit.fakes import REFUSED, FakeClient, FakeTools, Reply, RequiredOnly, plan
from workbench.core.calls import CallRead, ParseEvent, ParseResult
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    NO_STEP,
    ChunkReceived,
    ExchangeEnded,
    ExchangeEvent,
    ExchangeStarted,
    ResponseStarted,
    RunEvent,
    StepFinished,
    StepReply,
    StepTiming,
    StopReason,
)
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import ChatRequest, NativeCall
from workbench.core.protocols import Format
from workbench.core.run_summary import summarize
from workbench.engine import run, step
from workbench.formats import get_format
from workbench.grading.intrinsic import judge
from workbench.schema import JsonSchemaChecker


def test_a_provider_error_ends_the_run_and_a_retry_is_a_further_exchange() -> None:
    events = events_of(plan(FakeClient([Reply(error=REFUSED)]), QWEN))
    assert end(events).stop is StopReason.ERROR
    assert end(events).error == REFUSED
    retried = events_of(plan(FakeClient([Reply("half a", error=REFUSED, retry_in=0.0), Reply("Whole.")]), QWEN))
    assert [event.retry_in for event in only(retried, ExchangeEnded)] == [0.0, None]
    assert end(retried).answer == "Whole."
    assert only(retried, StepFinished)[0].reply.text == "Whole."


def test_ignored_stop_sequence_cuts_the_stream() -> None:
    pieces = ['Action: get_weather\nAction Input: {"city": "Rome"}', "\nObser", "vation: 22", " degrees", " and more"]
    client = FakeClient([Reply(pieces), Reply("Final Answer: Sunny.")])
    events = events_of(plan(client, get_format("react")))
    first = only(events, StepFinished)[0].reply
    assert first.stop_fired.startswith("\nObservation")
    assert "degrees" not in first.text
    assert [call.name for call in first.result.calls] == ["get_weather"]


def test_the_verdict_on_an_ignored_stop_sequence_does_not_depend_on_packets() -> None:
    text = 'Action: get_weather\nAction Input: {"city": "Rome"}\nObservation: 22 degrees\nFinal Answer: 22.'
    seen = []
    for size in (1, 3, 7, 20, len(text)):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        events = events_of(plan(FakeClient([Reply(pieces), Reply("Final Answer: Sunny.")]), get_format("react")))
        reply = only(events, StepFinished)[0].reply
        seen.append(
            (reply.text, reply.stop_fired, reply.result, reply.sanitized, judge(summarize(events), JsonSchemaChecker()))
        )
        assert size < len(text) or reply.notices == ("behind the stop sequence: ': 22 degrees\\nFinal Answer: 22.'",)
    assert all(one == seen[0] for one in seen)
    cut, fired, result, _, verdict = seen[0]
    assert (cut, fired) == ('Action: get_weather\nAction Input: {"city": "Rome"}', "\nObservation")
    assert len(result.calls) == 1
    assert not result.problems
    assert verdict.state == "pass"


def test_partial_stop_sequence_text_is_shown() -> None:
    events = events_of(plan(FakeClient([Reply(["It rains.", "\nObserv"])]), get_format("react")))
    reply = only(events, StepFinished)[0].reply
    assert reply.text == "It rains.\nObserv"
    assert "".join(event.shown for event in only(events, ChunkReceived)) == reply.sanitized


def test_a_cut_reply_completes_nothing() -> None:
    cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"'
    tools = FakeTools()
    events = events_of(plan(FakeClient([Reply(cut, finish="length"), Reply("I stop.")]), QWEN), tools)
    assert tools.ran == []
    assert only(events, StepFinished)[0].reply.result.lost[0].code == "truncated"


def test_a_reply_that_an_error_ended_completes_nothing() -> None:
    unclosed, broke = CALL.removesuffix("}\n</tool_call>"), ErrorInfo(ErrorKind.CUT_OFF, "It broke off.")
    for error, calls in ((None, 1), (broke, 0)):
        replies = [Reply(unclosed, error=error), Reply("Done.")]
        events = events_of(plan(FakeClient(replies), QWEN))
        assert len(only(events, StepFinished)[0].reply.result.calls) == calls


def test_shown_text_is_the_sanitized_reply_and_never_a_marker() -> None:
    text = f"Done. Next I'm going to delete it.\n{CALL}"
    events = events_of(plan(FakeClient([Reply(list(text)), Reply("Ok.")]), QWEN))
    shown = "".join(event.shown for event in only(events, ChunkReceived) if event.step == 0)
    reply = only(events, StepFinished)[0].reply
    assert "<tool_call>" not in shown
    assert shown.strip() == reply.sanitized.strip() == "Done. Next I'm going to delete it."
    assert reply.text == text


@dataclass
class HandClock:
    """Stands still until somebody sets it; in microseconds."""

    ticks: int = 5_000_000

    def now_us(self) -> int:
        return 1_760_000_000_000_000

    def tick_us(self) -> int:
        return self.ticks


@dataclass
class TimedClient(FakeClient):
    """Each try of each request is a list of `(milliseconds since the try, deltas)`; then it ends at the last of them."""

    clock: HandClock = field(default_factory=HandClock)
    tries: list[Sequence[tuple[int, Sequence[Delta]]]] = field(default_factory=list)
    retries: int = 0

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        for number in range(self.retries + 1):
            begun = self.clock.ticks
            yield ExchangeStarted(NO_STEP, number, self.encode(request), begun)
            yield ResponseStarted(NO_STEP, number, 200, (), begun)
            for index, (after_ms, deltas) in enumerate(self.tries.pop(0)):
                self.clock.ticks = begun + after_ms * 1000
                yield ChunkReceived(NO_STEP, number, index, b"x", self.clock.ticks, tuple(deltas))
            again = number < self.retries
            yield ExchangeEnded(NO_STEP, number, self.clock.ticks, REFUSED if again else None, 0.0 if again else None)


def timing_of(chosen: Format, *tries: Sequence[tuple[int, Sequence[Delta]]]) -> StepTiming:
    """The times of the first step whose tries arrive like this; the parser's own time is left out."""
    client = TimedClient([], tries=list(tries), retries=len(tries) - 1)

    async def main() -> list[RunEvent]:
        found = []
        async for event in run(plan(client, chosen), FakeTools(), RequiredOnly(), clock=client.clock):
            found.append(event)
            if isinstance(event, StepFinished):
                break
        return found

    (step,) = only(asyncio.run(main()), StepFinished)
    return step.reply.timing._replace(parser=0)


DONE = FinishDelta("stop")


def test_times_of_a_streamed_reply() -> None:
    """The head of a reply is no byte of it, an empty delta is no token, and a pause is measured between chunks."""
    timing = timing_of(
        QWEN,
        [(120, []), (300, [TextDelta("I ")]), (340, [TextDelta("look.\n")]), (1040, [TextDelta(CALL)]), (1100, [DONE])],
    )
    assert timing == StepTiming(
        first_byte=120_000, first_token=300_000, first_call=1_040_000, total=1_100_000, longest_silence=700_000
    )


def test_reasoning_and_call_deltas_count_as_first_token() -> None:
    reasoning = timing_of(QWEN, [(10, []), (20, [ReasoningDelta("hm")]), (30, [TextDelta("Hi.")])])
    assert reasoning.first_token == 20_000
    pieces = [(10, []), (50, [CallDelta(0, "c", "get_weather", "")]), (90, [CallDelta(0, "", "", '{"city": "Rome"}')])]
    native = timing_of(NATIVE, [*pieces, (95, [DONE])])
    assert (native.first_token, native.first_call) == (50_000, 95_000), "a native call is whole when its reply is"


def test_a_reply_without_bytes_has_no_times() -> None:
    assert timing_of(QWEN, []) == StepTiming(None, None, None, 0, 0)


def test_times_of_a_retried_step_are_those_of_its_last_try() -> None:
    timing = timing_of(QWEN, [(100, [TextDelta("a")]), (900, [])], [(50, []), (80, [TextDelta("b")]), (130, [DONE])])
    assert timing == StepTiming(950_000, 980_000, None, 1_030_000, 50_000)


def test_times_are_counted_from_the_step_not_from_the_run() -> None:
    first = [(10, [TextDelta(CALL)]), (500, [DONE])]
    second = [(40, [TextDelta("Sunny.")]), (60, [DONE])]
    client = TimedClient([], tries=[first, second])

    async def main() -> list[RunEvent]:
        return [event async for event in run(plan(client, QWEN), FakeTools(), RequiredOnly(), clock=client.clock)]

    events = asyncio.run(main())
    assert [step.reply.timing.first_byte for step in only(events, StepFinished)] == [10_000, 40_000]
    assert [chunk.at_us for chunk in only(events, ChunkReceived) if chunk.data] == [10_000, 500_000, 540_000, 560_000]
    assert end(events).totals.duration_us == 560_000


def test_a_call_that_only_the_end_makes_certain_is_told_without_text() -> None:
    half = CALL.partition("\n</tool_call>")[0]
    events = events_of(plan(FakeClient([Reply(half), Reply("Sunny.")]), QWEN))
    last = [event for event in only(events, ChunkReceived) if event.step == 0][-1]
    assert (last.index, last.shown) == (-1, "")
    assert [event.call.name for event in last.readings if isinstance(event, CallRead)] == ["get_weather"]


def cancelled_while_reading(
    monkeypatch: pytest.MonkeyPatch, chunks: Sequence[Sequence[Delta]], after: int
) -> tuple[list[RunEvent], list[int]]:
    """The events of a run that is cancelled each time that something is read once so many characters were, and the sizes read."""
    monkeypatch.setattr(step, "PIECE", 100)
    fed: list[int] = []
    feed = step.StepReader.feed

    def counted(self: step.StepReader, text: str, deltas: Sequence[Delta]) -> tuple[tuple[ParseEvent, ...], str]:
        fed.append(len(text))
        if sum(fed) > after:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        return feed(self, text, deltas)

    monkeypatch.setattr(step.StepReader, "feed", counted)
    events: list[RunEvent] = []
    client = TimedClient([], tries=[[(10 * (at + 1), deltas) for at, deltas in enumerate(chunks)]])

    async def main() -> None:
        async for event in run(plan(client, QWEN), FakeTools(), RequiredOnly(), clock=client.clock):
            events.append(event)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    return events, fed


def test_a_cancel_takes_effect_within_a_long_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole reply of many megabytes is one chunk: it is read in pieces, and taken back if a cancel comes between them."""
    chunks = [[TextDelta("First. ")], [TextDelta("word " * 10_000), DONE]]
    events, fed = cancelled_while_reading(monkeypatch, chunks, 1_000)
    assert sum(fed) < 2_000
    reply = only(events, StepFinished)[0].reply
    assert (reply.cancelled, reply.text, reply.sanitized) == (True, "First. ", "First. ")
    assert (reply.finish_reason, reply.timing.first_byte, reply.timing.longest_silence) == ("", 10_000, 0)
    assert "".join(event.shown for event in only(events, ChunkReceived)) == "First. "


def test_a_chunk_is_taken_back_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before is read once more, and others have their turn meanwhile."""
    before = [[CallDelta(0, "c", "get_weather", "{")], *[[TextDelta("word " * 10)]] * 40]
    events, fed = cancelled_while_reading(monkeypatch, [*before, [TextDelta("behind " * 10_000)]], 2_050)
    assert max(fed) <= 100
    assert sum(fed) < 5_000
    reply = only(events, StepFinished)[0].reply
    assert (reply.cancelled, reply.text) == (True, "word " * 400)
    assert [(call.name, call.arguments) for call in reply.native_calls] == [("get_weather", "{")]
    assert "".join(event.shown for event in only(events, ChunkReceived)) == reply.text == reply.sanitized


def test_a_chunk_that_is_nearly_read_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading what came before once more would take longer than the rest."""
    chunks = [[TextDelta("word " * 400)], [TextDelta("late " * 60), CallDelta(0, "c", "get_weather", "{}")], [DONE]]
    events, fed = cancelled_while_reading(monkeypatch, chunks, 2_050)
    assert sum(fed) == 2_300
    reply = only(events, StepFinished)[0].reply
    assert (reply.cancelled, reply.text) == (True, "word " * 400 + "late " * 60)
    assert [call.name for call in reply.native_calls] == ["get_weather"]
    assert [event.index for event in only(events, ChunkReceived) if event.data] == [0, 1]


def test_a_long_chunk_is_read_as_in_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "PIECE", 7)
    text = f"Let me look.\n{CALL}\nbehind it"
    for reply in (Reply(text), Reply(list(text))):
        found = only(events_of(plan(FakeClient([reply, Reply("Done.")]), QWEN)), StepFinished)[0].reply
        assert found.text == text
        assert [call.arguments for call in found.result.calls] == [{"city": "Rome"}]
        assert found.sanitized.split() == ["Let", "me", "look.", "behind", "it"]


def test_a_long_text_behind_a_stop_sequence_is_told_by_its_beginning() -> None:
    text = 'Action: get_weather\nAction Input: {"city": "Rome"}\nObservation' + ": 22 degrees" * 900
    events = events_of(plan(FakeClient([Reply(text), Reply("Final Answer: Sunny.")]), get_format("react")))
    (notice,) = only(events, StepFinished)[0].reply.notices
    assert 200 < len(notice) < 300


def recorded(chosen: Format, deltas: Sequence[tuple[int, Sequence[Delta]]]) -> list[RunEvent]:
    """The events of the first two steps' one try each; both replies come alike."""
    client = TimedClient([], tries=[deltas, [(10, [TextDelta("Sunny.")])]])

    async def main() -> list[RunEvent]:
        return [event async for event in run(plan(client, chosen), FakeTools(), RequiredOnly(), clock=client.clock)]

    return asyncio.run(main())


def test_a_reply_holds_all_that_came() -> None:
    call = [CallDelta(0, "c", "get_weather", '{"city": "Rome"}')]
    more = [
        ReasoningDelta("hm"),
        ModelDelta("m-1"),
        NoticeDelta("odd", ""),
        NoticeDelta("send_back", "", (0, 0), {"w": 1}),
    ]
    end_of = [FinishDelta("tool_calls"), UsageDelta(Usage(3, 4))]
    step, _ = only(recorded(NATIVE, [(10, [TextDelta("I look."), *more]), (20, call), (30, end_of)]), StepFinished)
    reply = step.reply
    (read,) = reply.result.calls
    assert (read.name, read.arguments) == ("get_weather", {"city": "Rome"})
    assert replace(reply, timing=reply.timing._replace(parser=0)) == StepReply(
        text="I look.", reasoning="hm", native_calls=(NativeCall(0, "c", "get_weather", '{"city": "Rome"}'),),
        result=ParseResult(calls=(read,), text="I look.", format="native_openai"), sanitized="I look.", finish_reason="tool_calls",
        usage=Usage(3, 4), served_model="m-1", timing=StepTiming(10_000, 10_000, 30_000, 30_000, 10_000), notices=("odd",),
        send_back={"w": 1},
    )  # fmt: skip


def test_what_crosses_the_wire_is_numbered_and_timed_as_the_runs() -> None:
    call = [TextDelta(CALL)]
    events = recorded(QWEN, [(100, call), (150, [DONE])])
    told = [
        (type(event).__name__, event.step, event.at_us // 1000)
        for event in events
        if isinstance(event, ExchangeStarted | ResponseStarted | ChunkReceived | ExchangeEnded)
    ]
    assert told == [
        ("ExchangeStarted", 0, 0), ("ResponseStarted", 0, 0), ("ChunkReceived", 0, 100), ("ChunkReceived", 0, 150), ("ExchangeEnded", 0, 150),
        ("ExchangeStarted", 1, 150), ("ResponseStarted", 1, 150), ("ChunkReceived", 1, 160), ("ExchangeEnded", 1, 160),
    ]  # fmt: skip


def test_a_call_is_there_from_the_moment_that_it_is_read() -> None:
    begun = timing_of(QWEN, [(10, [TextDelta(CALL[:-1])]), (30, [TextDelta(CALL[-1])]), (70, [DONE])])
    assert begun.first_call == 30_000
    assert timing_of(QWEN, [(10, [TextDelta("Sunny.")])]).first_call is None


def test_a_fault_in_a_good_stream_is_the_exchanges_error_and_the_steps() -> None:
    fault = ErrorInfo(ErrorKind.MODEL_OUTPUT, "The model wrote nonsense.")
    events = recorded(QWEN, [(10, [TextDelta("I ")]), (20, [FaultDelta(fault)])])
    assert [event.error for event in only(events, ExchangeEnded)] == [fault]
    assert only(events, StepFinished)[0].reply.error == fault
    assert end(events).stop is StopReason.ERROR


def test_a_cancelled_step_says_so_and_keeps_an_error_that_came_before() -> None:
    seen = []
    for error in (None, REFUSED):
        client = FakeClient([Reply("half a", hang=error is None, error=error)])

        async def main(client: FakeClient = client) -> list[RunEvent]:
            found: list[RunEvent] = []
            task = asyncio.current_task()
            assert task is not None
            try:
                async for event in run(plan(client, QWEN), FakeTools(), RequiredOnly()):
                    found.append(event)
                    if isinstance(event, ChunkReceived):
                        asyncio.get_running_loop().call_soon(task.cancel)
            except asyncio.CancelledError:
                task.uncancel()
            return found

        (step_,) = only(asyncio.run(main()), StepFinished)
        seen.append((step_.reply.cancelled, step_.reply.error))
    assert seen[0] == (True, ErrorInfo(ErrorKind.CANCELLED, "Cancelled before the reply was complete."))
    assert seen[1][1] == REFUSED
