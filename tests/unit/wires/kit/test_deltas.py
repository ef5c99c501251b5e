"""Deltas are whole, said once, and safe to pass on."""

from __future__ import annotations

import pytest

from workbench.core.exchange import (
    CallDelta,
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
