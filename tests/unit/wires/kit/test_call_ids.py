"""Conversations made fit for a wire."""

from __future__ import annotations

from workbench.core.messages import Message, NativeCall
from workbench.wires.kit.call_ids import at_most, nine_characters, paired, with_ids


def test_ids_and_names_are_filled_in() -> None:
    messages = (
        Message("assistant", "", (NativeCall(0, "", "a", "{}"), NativeCall(1, "x", "b", "{}"))),
        Message("tool", "2", name="b"),
        Message("tool", "1"),
        Message("assistant", "", (NativeCall(0, "", "a", "{}"),)),
        Message("tool", "3"),
    )
    first, b, a, second, c = paired(messages)
    assert [call.id for call in first.tool_calls] == ["call_0_0", "x"]
    assert (b.tool_call_id, b.name) == ("x", "b")
    assert (a.tool_call_id, a.name) == ("call_0_0", "a")
    assert (second.tool_calls[0].id, c.tool_call_id, c.name) == ("call_3_0", "call_3_0", "a")


def test_results_without_ids_answer_calls_of_one_tool_in_order() -> None:
    calls = tuple(NativeCall(number, id_, "f", "{}") for number, id_ in enumerate("abc"))
    named = [Message("tool", "", name="f"), Message("tool", "", tool_call_id="b"), Message("tool", "", name="f")]
    _, *results = paired([Message("assistant", "", calls), *named, Message("tool", "")])
    assert [(one.tool_call_id, one.name) for one in results] == [("a", "f"), ("b", "f"), ("c", "f"), ("", "")]


def test_present_ids_stay() -> None:
    messages = (
        Message("system", "s"),
        Message("tool", "orphan"),
        Message("tool", "known", tool_call_id="q", name="n"),
    )
    assert paired(messages) == messages


def test_nine_characters() -> None:
    assert nine_characters("AbC123xyZ") == "AbC123xyZ"
    assert nine_characters("") == ""
    short = nine_characters("call_0_0")
    assert len(short) == 9
    assert short.isalnum()
    assert short == nine_characters("call_0_0") != nine_characters("call_0_1")


def test_all_ids_are_mapped() -> None:
    turn, result = with_ids(
        (Message("assistant", "", (NativeCall(0, "a", "f", ""),)), Message("tool", "", tool_call_id="a")), str.upper
    )
    assert (turn.tool_calls[0].id, result.tool_call_id) == ("A", "A")


def test_long_ids_are_shortened_the_same_way_each_time() -> None:
    shorten = at_most(40)
    long = "chatcmpl-tool-0123456789abcdef0123456789abcdef"
    assert shorten("call_1") == "call_1"
    assert (len(shorten(long)), shorten(long)) == (40, at_most(40)(long))
    assert shorten(long) != shorten(long + "0")


def test_only_ids_of_nine_letters_and_digits_stay() -> None:
    for id_, stays in (("abcDEF123", True), ("abcDEF1234", False), ("abcDEF12", False), ("abc-EF123", False)):
        assert (nine_characters(id_) == id_) is stays
        assert len(nine_characters(id_)) == 9
