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
from workbench.core.messages import NativeCall
from workbench.engine.assembly import Assembly, with_whole_names


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


def test_a_copy_knows_nothing_of_what_comes_later() -> None:
    """A chunk that is taken back leaves what was there before it."""
    assembly = Assembly()
    early = [TextDelta("a"), ReasoningDelta("b"), CallDelta(0, "c", "f", "{"), NoticeDelta("odd", "", (0, 0))]
    assembly.fold([*early, NoticeDelta("send_back", "", (0, 0), {"wire": 1})])
    copied, before = assembly.copy(), _state(assembly)
    late = [TextDelta("x"), ReasoningDelta("y"), CallDelta(0, "", "", "}"), CallDelta(1, "d", "g", "{}")]
    assembly.fold(
        [*late, NoticeDelta("late", "", (0, 0)), NoticeDelta("send_back", "", (0, 0), {"wire": 2, "more": 3})]
    )
    assert before == ("a", "b", (NativeCall(0, "c", "f", "{"),), ["odd"], {"wire": 1})
    assert _state(copied) == before
    assert _state(assembly) != before


def _state(assembly: Assembly) -> tuple[object, ...]:
    told = list(assembly.notices), dict(assembly.send_back)
    return (assembly.text, assembly.reasoning, assembly.native_calls, *told)


def pieces(*told: tuple[str, str, str]) -> list[NativeCall]:
    return [NativeCall(number, *one) for number, one in enumerate(told)]


@pytest.mark.parametrize(
    ("told", "whole"),
    [
        ([("c", "edit_", ""), ("", "file", "{}")], [("c", "edit_file", "{}")]),
        ([("", "ed", ""), ("", "it_", ""), ("", "file", "{}"), ("", "get", "{}")], [("", "edit_file", "{}"), ("", "get", "{}")]),
        ([("c", "get", ""), ("", "_all", "{}")], [("c", "get_all", "{}")]),
        ([("c", "edit_", ""), ("c", "file", "{}")], [("c", "edit_file", "{}")]),
        ([("c", "get", "{}"), ("", "_all", "{}")], None),
        ([("c", "get", ""), ("d", "_all", "{}")], None),
        ([("", "edit_", ""), ("", "get", "{}")], None),
        ([("", "edit_", ""), ("", "other", "{}")], None),
        ([("a", "get", ""), ("", "get", "{}")], None),
    ],
)  # fmt: skip
def test_names_in_pieces_are_joined_to_declared_ones_alone(
    told: list[tuple[str, str, str]], whole: list[tuple[str, str, str]] | None
) -> None:
    found = with_whole_names(pieces(*told), {"edit_file", "get", "get_all"})
    assert [tuple(call[1:]) for call in found] == (told if whole is None else whole)


def test_the_first_fault_stays_and_a_notice_is_told_once() -> None:
    assembly = Assembly()
    first, second = (ErrorInfo(ErrorKind.SERVER, text) for text in ("one", "two"))
    assembly.fold(
        [FaultDelta(first), FaultDelta(second), NoticeDelta("extra_choices", "x"), NoticeDelta("extra_choices", "y")]
    )
    assert assembly.fault is first
    assert assembly.notices == ["extra_choices"]


def test_an_assembly_begins_empty_and_anything_said_fills_it() -> None:
    began = Assembly()
    assert _state(began) == ("", "", (), [], {})
    assert (began.usage, began.finish_reason, began.served_model, began.fault) == (Usage(), "", "", None)
    for deltas, empty in (
        ([TextDelta("a")], False),
        ([ReasoningDelta("a")], False),
        ([CallDelta(0, "", "", "")], False),
        ([UsageDelta(Usage(1)), FinishDelta("stop"), ModelDelta("m"), NoticeDelta("odd", "")], True),
    ):
        assembly = Assembly()
        assembly.fold(deltas)
        assert assembly.empty is empty


def test_an_empty_reason_takes_no_earlier_one_away() -> None:
    assembly = Assembly()
    assembly.fold([FinishDelta("length"), FinishDelta("")])
    assert assembly.finish_reason == "length"


def test_text_behind_a_stop_sequence_is_cut_away() -> None:
    assembly = Assembly()
    assembly.fold([TextDelta("abc"), TextDelta("def")])
    assembly.cut(4)
    assert assembly.text == "ab"
    assembly.cut(0)
    assembly.fold([TextDelta("x")])
    assert assembly.text == "abx"


def test_what_goes_back_is_joined_and_its_last_word_counts() -> None:
    assembly = Assembly()
    for data in ({"a": 1}, {"b": 2}, {"a": 3}):
        assert assembly.fold([NoticeDelta("send_back", "", (0, 0), data)]) == ""
    assert (assembly.send_back, assembly.notices) == ({"a": 3, "b": 2}, [])


def test_no_name_goes_on_with_a_piece_that_is_a_name_of_its_own() -> None:
    found = with_whole_names(pieces(("", "get", ""), ("", "_all", ""), ("", "edit_file", "")), {"get", "edit_file"})
    assert [call.name for call in found] == ["get", "_all", "edit_file"]
    joined = with_whole_names(pieces(("c", "ed", ""), ("", "", ""), ("", "it", "{}")), {"edit"})
    assert [call.name for call in joined] == ["ed", "", "it"]
