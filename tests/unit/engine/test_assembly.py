from __future__ import annotations

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
from workbench.core.messages import NativeCall
from workbench.engine.assembly import Assembly


def test_pieces_are_joined() -> None:
    assembly = Assembly()
    assert assembly.empty
    assert assembly.fold([TextDelta("Hel"), ReasoningDelta("hm"), TextDelta("lo")]) == "Hello"
    assembly.fold([FinishDelta("stop"), ModelDelta("m-1"), UsageDelta(Usage(1, 2)), UsageDelta(Usage(3, 4))])
    assert (assembly.text, assembly.reasoning) == ("Hello", "hm")
    assert (assembly.finish_reason, assembly.served_model, assembly.usage) == ("stop", "m-1", Usage(3, 4))


def test_calls_are_joined_by_number_and_named_once() -> None:
    assembly = Assembly()
    assembly.fold([CallDelta(0, "a", "f", '{"x"'), CallDelta(1, "b", "g", "")])
    assembly.fold([CallDelta(0, "a", "f", ": 1}"), CallDelta(1, "", "", "{}")])
    assert assembly.native_calls == (NativeCall(0, "a", "f", '{"x": 1}'), NativeCall(1, "b", "g", "{}"))
    assembly.fold([CallDelta(1, "other", "another", "")])
    assert assembly.native_calls[1][:3] == (1, "b", "g")


def test_the_first_fault_stays_and_a_notice_is_told_once() -> None:
    assembly = Assembly()
    first, second = (ErrorInfo(ErrorKind.SERVER, text) for text in ("one", "two"))
    assembly.fold(
        [FaultDelta(first), FaultDelta(second), NoticeDelta("extra_choices", "x"), NoticeDelta("extra_choices", "y")]
    )
    assert assembly.fault is first
    assert assembly.notices == ["extra_choices"]
