from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.calls import CallRead, ReasoningRead, Span, TextRead
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived, RunEvent, StepRole, StopReason
from workbench.core.exchange import CallDelta, FaultDelta, FinishDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.gateway.reply_deltas import ReplyDeltas

CALL = runs.call("get_weather", {"city": "Rome"})


def fed(*events: RunEvent, repair: bool = False) -> list:
    folding = ReplyDeltas(repair=repair)
    return [delta for event in events for delta in folding.feed(event)]


def chunk(**fields) -> ChunkReceived:
    return ChunkReceived(0, 0, 0, b"", 1, **fields)


def begun(*, native: bool) -> RunEvent:
    event = runs.started()
    return replace(event, executor=replace(event.executor, native=native))


def test_text_with_calls_read_from_it() -> None:
    events = [
        begun(native=False), *runs.step(0, calls=(CALL,), shown="Let me see.", chunks=0)[:1],
        chunk(readings=(ReasoningRead("hm", Span(0, 2)),), shown="Let me see."), chunk(readings=(CallRead(0, CALL),)),
        runs.step(0, calls=(CALL,), shown="Let me see.")[-1], runs.finished(stop=StopReason.RECORDED),
    ]  # fmt: skip
    found = fed(*events)

    assert found[:2] == [ReasoningDelta("hm"), TextDelta("Let me see.")]
    (made,) = [delta for delta in found if isinstance(delta, CallDelta)]
    assert (made.number, made.name, json.loads(made.arguments)) == (0, "get_weather", {"city": "Rome"})
    assert made.id.startswith("call_")
    assert found[-2:] == [UsageDelta(Usage(100, 10, 5)), FinishDelta("tool_calls")]


def test_two_exchanges_never_give_the_same_id() -> None:
    events = [begun(native=False), chunk(readings=(CallRead(0, CALL),))]
    (one,), (other,) = fed(*events), fed(*events)
    assert one.id != other.id


def test_fragments_of_native_calls_go_on_as_they_come() -> None:
    pieces = (CallDelta(0, "c1", "get_weather", '{"ci'), CallDelta(0, "", "", 'ty": 1}'))
    found = fed(begun(native=True), *(chunk(deltas=(piece,)) for piece in pieces), runs.step(0)[-1], runs.finished())

    assert [delta for delta in found if isinstance(delta, CallDelta)] == list(pieces)
    assert found[-1] == FinishDelta("tool_calls")


def test_repaired_native_calls_wait_for_their_end() -> None:
    piece = CallDelta(0, "c1", "get_weather", '{"city": "Rome",}')
    mended = CALL._replace(id="c1", repairs=("trailing_comma",))
    found = fed(begun(native=True), chunk(deltas=(piece,)), runs.step(0, calls=(mended,))[-1], repair=True)

    assert [delta for delta in found if isinstance(delta, CallDelta)] == [
        CallDelta(0, "c1", "get_weather", '{"city": "Rome"}')
    ]


def test_repair_passes_unreadable_native_calls() -> None:
    lost = runs.problem("bad_json", span=Span(0, 5, "call:0"))
    found = fed(begun(native=True), runs.step(0, problems=[lost])[-1], repair=True)

    assert [(delta.id, delta.name, delta.arguments) for delta in found if isinstance(delta, CallDelta)] == [
        ("call_1", "get_weather", '{"city": "Lima"}')
    ]


@pytest.mark.parametrize(
    ("stop", "error", "kind"),
    [
        (StopReason.ERROR, ErrorInfo(ErrorKind.RATE_LIMIT, "Slow down.", status=429), ErrorKind.RATE_LIMIT),
        (StopReason.CANCELLED, None, ErrorKind.CANCELLED),
    ],
)
def test_failures(stop: StopReason, error: ErrorInfo | None, kind: ErrorKind) -> None:
    (found,) = fed(begun(native=True), runs.finished("", stop=stop, error=error))

    assert isinstance(found, FaultDelta)
    assert found.error.kind is kind


def test_boosted_only_the_end_is_for_the_client() -> None:
    planned = replace(runs.started(planner="plain"))
    steps = [*runs.step(0, role=StepRole.PLANNER, shown="GUIDANCE: call"), chunk(shown="half an answer"), *runs.step(1)]
    found = fed(planned, *steps, runs.finished("It is 21 degrees."))

    assert found[0] == TextDelta("It is 21 degrees.")
    assert found[1:] == [UsageDelta(Usage(200, 20, 10)), FinishDelta("stop")]


def test_text_before_a_call_of_the_same_chunk_goes_out_first() -> None:
    readings = (TextRead("Ok ", Span(0, 3)), CallRead(0, CALL))
    first, second = fed(begun(native=False), chunk(readings=readings, shown="Ok"))
    assert first == TextDelta("Ok")
    assert isinstance(second, CallDelta)
    assert isinstance(fed(begun(native=False), chunk(readings=readings[::-1], shown="Ok"))[0], CallDelta)


def test_blanks_behind_a_call_wait_for_words() -> None:
    call, blank = chunk(deltas=(CallDelta(0, "c", "f", "{}"),)), chunk(shown=" ")
    begin = [begun(native=True), chunk(shown="Ok"), call, blank]
    assert [delta.text for delta in fed(*begin) if isinstance(delta, TextDelta)] == ["Ok"]
    assert [delta.text for delta in fed(*begin, chunk(shown="done")) if isinstance(delta, TextDelta)] == ["Ok", " done"]
