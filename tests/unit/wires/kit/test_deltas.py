"""Deltas are whole, said once, and safe to pass on."""

from __future__ import annotations

import pytest

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import (
    CallDelta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.wires.kit.deltas import SEND_BACK, DeltaSink

AT = (0, 1)


def test_halves_are_joined_and_leftovers_come_at_the_end() -> None:
    sink = DeltaSink(200, True)
    for half in ("a\ud83d", "\ude00b\ud83d"):
        sink.text(half, AT)
    sink.reasoning("c\ud83d", AT)
    sink.call(0, "i", "f", "\ud83d", AT)
    assert sink.take() == [
        TextDelta("a", AT),
        TextDelta("\U0001f600b", AT),
        ReasoningDelta("c", AT),
        CallDelta(0, "i", "f", "", AT),
    ]
    sink.flush_halves()
    assert sink.take() == [TextDelta("\ufffd"), ReasoningDelta("\ufffd"), CallDelta(0, "", "", "\ufffd")]


def test_usage_finish_and_model_deltas_are_emitted_once() -> None:
    sink = DeltaSink(200, True)
    for _ in range(2):
        sink.model("m", AT)
        sink.finish("stop", AT)
        sink.usage(Usage(1, 2), AT)
        sink.notice("odd", "m", AT)
        sink.text("", AT)
    sink.usage(Usage(), AT)
    sink.finish(None, AT)
    sink.model(7, AT)
    assert sink.take() == [
        ModelDelta("m", AT),
        FinishDelta("stop", AT),
        UsageDelta(Usage(1, 2), AT),
        NoticeDelta("odd", "m", AT),
    ]


def test_send_back_data_is_keyed_by_the_wire() -> None:
    sink = DeltaSink(200, True)
    sink.send_back("w", {"a": 1}, AT)
    (notice,) = sink.take()
    assert isinstance(notice, NoticeDelta)
    assert (notice.code, notice.data) == (SEND_BACK, {"w": {"a": 1}})


def test_faults_are_remembered() -> None:
    sink = DeltaSink(206, False)
    assert not sink.faulted
    sink.cut_off(AT)
    assert sink.faulted
    assert sink.wrong_shape("X", "'y'").status == 206


def test_what_seals_reasoning_is_a_delta_of_its_own() -> None:
    sink = DeltaSink(200, True)
    sink.seal("", AT)
    sink.seal("signed", AT)
    assert sink.take() == [ReasoningDelta("", AT, "signed")]


@pytest.mark.parametrize("word", ["", "null", "None", None, 7])
def test_a_word_for_no_end_yet_is_no_finish(word: object) -> None:
    sink = DeltaSink(200, True)
    sink.finish(word, AT)
    assert sink.take() == []


def test_what_changes_is_told_again_and_a_model_is_not() -> None:
    sink = DeltaSink(200, True)
    sink.model("", AT)
    for model, reason, usage in (("m", "stop", Usage(1)), ("n", "length", Usage(None, 0)), ("m", "stop", Usage())):
        sink.model(model, AT)
        sink.finish(reason, AT)
        sink.usage(usage, AT)
    assert sink.take() == [
        ModelDelta("m", AT), FinishDelta("stop", AT), UsageDelta(Usage(1), AT),
        FinishDelta("length", AT), UsageDelta(Usage(None, 0), AT), FinishDelta("stop", AT),
    ]  # fmt: skip
    assert sink.take() == []


def test_words_of_a_server_hold_no_half_characters() -> None:
    sink = DeltaSink(200, True)
    sink.model("m\ud83d", AT)
    sink.finish("s\ud83d", AT)
    sink.notice("odd", "n\ud83d", AT, {"a": 1})
    assert sink.take() == [
        ModelDelta("m\ufffd", AT),
        FinishDelta("s\ufffd", AT),
        NoticeDelta("odd", "n\ufffd", AT, {"a": 1}),
    ]


def test_halves_are_kept_apart_by_where_they_came() -> None:
    """Text, reasoning and each call wait for their own other half; a second half alone is a mark in its place."""
    sink = DeltaSink(200, True)
    sink.call(1, "b", "g", "\ud83d", AT)
    sink.call(0, "a", "f", "x\ud83d", AT)
    sink.text("\ude00y", AT)
    sink.reasoning("\ud83d", AT)
    sink.call(0, "", "", "\ude00", AT)
    assert (sink.spoke, sink.thought) == (True, False)
    assert sink.take() == [
        CallDelta(1, "b", "g", "", AT),
        CallDelta(0, "a", "f", "x", AT),
        TextDelta("\ufffdy", AT),
        CallDelta(0, "", "", "\U0001f600", AT),
    ]
    sink.flush_halves()
    sink.flush_halves()
    assert sink.take() == [ReasoningDelta("\ufffd"), CallDelta(1, "", "", "\ufffd")]


def test_names_within_plain_letters_are_changed_back_where_the_wire_sends_them_so() -> None:
    for plain, name in ((True, "a.b"), (False, "a_x2E_b")):
        sink = DeltaSink(200, True)
        sink.plain_names = plain
        sink.call(0, "", "a_x2E_b", "", AT)
        sink.call(0, "", "", "{}", AT)
        assert sink.take() == [CallDelta(0, "", name, "", AT), CallDelta(0, "", "", "{}", AT)]


def test_what_was_said_and_thought_is_known() -> None:
    sink = DeltaSink(200, True)
    assert (sink.spoke, sink.thought, sink.torn, sink.streaming) == (False, False, False, False)
    sink.text("", AT)
    sink.reasoning("", AT)
    assert (sink.spoke, sink.thought) == (False, False)
    sink.reasoning("hm", AT)
    assert (sink.spoke, sink.thought) == (False, True)
    sink.text("a", AT)
    assert (sink.spoke, sink.thought) == (True, True)


CLOSED_EARLY = "All that came is kept. Try again; a proxy or the server closed the connection early."


@pytest.mark.parametrize(
    ("stream", "marker", "torn", "message"),
    [
        (True, "", False, "The reply ended before it was complete."),
        (True, "[DONE]", False, "The reply ended before it was complete: [DONE] is missing."),
        (False, "[DONE]", False, "The reply ended before it was complete."),
        (True, "[DONE]", True, "The reply ended in the middle of an event: [DONE] is missing."),
        (False, "", True, "The reply ended in the middle of an event."),
    ],
)
def test_a_reply_that_ends_too_early_says_what_is_missing(stream: bool, marker: str, torn: bool, message: str) -> None:
    sink = DeltaSink(206, stream)
    sink.end_marker, sink.torn = marker, torn
    sink.cut_off(AT)
    info = ErrorInfo(ErrorKind.CUT_OFF, message, hint=CLOSED_EARLY, status=206)
    assert (sink.take(), sink.faulted) == ([FaultDelta(info, AT)], True)


def test_a_call_that_its_provider_could_not_read_is_the_models_fault() -> None:
    sink = DeltaSink(200, True)
    hint = "A failure of the model: try again, or use a text format."
    began = "The model wrote a call that its provider could not read (BAD)."
    for words, message in (("", began), ("Why.", f"{began} Why."), ("x" * 3000, f"{began} {'x' * 3000}"[:2000])):
        sink.broken_call("BAD", words, AT)
        info = ErrorInfo(ErrorKind.MODEL_OUTPUT, message, hint=hint, status=200, code="BAD")
        assert (sink.take(), sink.faulted) == ([FaultDelta(info, AT)], True)


@pytest.mark.parametrize(("streaming", "what"), [(True, "a stream"), (False, "JSON")])
def test_json_of_another_protocol_is_told_with_what_it_lacks(streaming: bool, what: str) -> None:
    sink = DeltaSink(201, True)
    sink.streaming = streaming
    hint = "Check that this address speaks Chat."
    told = ErrorInfo(ErrorKind.PROTOCOL, f"The reply is {what} but holds no 'y'.", hint=hint, status=201)
    assert sink.wrong_shape("Chat", "'y'") == told
    sink.fault(told)
    assert sink.take() == [FaultDelta(told, (0, 0))]


def test_what_goes_back_says_that_it_must_stay_unchanged() -> None:
    sink = DeltaSink(200, True)
    for number in range(2):
        sink.send_back("w", {"a": number}, AT)
    told = "To be sent back unchanged with this turn."
    assert sink.take() == [NoticeDelta(SEND_BACK, told, AT, {"w": {"a": number}}) for number in range(2)]
