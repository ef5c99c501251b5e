"""Things made smaller: whatever is needed stays, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.messages import Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.replay.shrinking import (
    cut_at,
    fewer_cuts,
    fewer_tools,
    leave_out,
    made,
    shorter_history,
    shorter_pieces,
    shorter_text,
    smaller_json,
    smaller_schemas,
)

Thing = TypeVar("Thing")


def drive(steps: Generator[Thing, bool, Thing], keeps: Callable[[Thing], bool]) -> Thing:
    """Answer every candidate; each must be worth a try."""
    try:
        candidate = next(steps)
        while True:
            candidate = steps.send(keeps(candidate))
    except StopIteration as end:
        found: Thing = end.value
        return found


def test_single_needed_piece_stays() -> None:
    for at in range(9):
        assert drive(leave_out(list(range(9))), lambda kept, a=at: a in kept) == [at]  # type: ignore[misc]
    assert drive(leave_out([1, 2, 3], least=2), lambda _: True) == [1, 2]
    assert drive(leave_out([]), lambda _: True) == []


def test_large_parts_go_before_small_ones() -> None:
    """So a long reply costs few tries: what is needed of a thousand pieces is found in some dozens."""
    tried: list[int] = []

    def keeps(kept: list[int]) -> bool:
        tried.append(len(kept))
        return 777 in kept

    assert drive(leave_out(list(range(1024))), keeps) == [777]
    assert len(tried) < 40
    assert drive(leave_out(list(range(8))), lambda kept: {1, 6} <= set(kept)) == [1, 6]


def test_made_things_are_shown_and_originals_returned() -> None:
    seen: list[str] = []

    def keeps(candidate: Any) -> bool:
        seen.append(candidate)
        return "b" in candidate

    assert drive(made(leave_out(["a", "b"]), "".join), keeps) == ["b"]
    assert seen
    assert all(isinstance(one, str) for one in seen)


@pytest.mark.parametrize("text", ["x", "bx", "xb", "abxcd", "aaaaxaaa", "a x b", "q\nxy\nz"])
def test_every_single_character_is_tried(text: str) -> None:
    assert drive(shorter_text(text), lambda tried: "x" in tried) == "x"


def test_pieces_keep_the_cut_that_is_needed() -> None:
    pieces = ("Hello. <to", "ol_c", "all>", " and ", "more")

    def cut_inside_marker(tried: tuple[str, ...]) -> bool:
        return "<tool_call>" in "".join(tried) and all("<tool_call>" not in piece for piece in tried)

    found = drive(shorter_pieces(pieces), cut_inside_marker)
    assert "".join(found) == "<tool_call>"
    assert len(found) == 2


def test_cuts_that_are_not_needed_go() -> None:
    assert drive(fewer_cuts(("a", "b", "c", "d")), lambda tried: all("bc" not in one for one in tried)) == ("ab", "cd")
    assert drive(fewer_cuts(("a", "b")), lambda _: True) == ("ab",)
    assert cut_at("abc", [1]) == ("a", "bc")


def test_json_loses_what_is_not_needed_at_every_depth() -> None:
    value = {
        "type": "object",
        "properties": {"a": {"type": "string", "enum": ["x", "wanted"]}, "b": {}},
        "required": ["a"],
    }
    wanted = drive(smaller_json(value, ("type",)), lambda tried: "wanted" in str(tried))
    assert wanted == {"type": "object", "properties": {"a": {"enum": ["wanted"]}}}


def test_one_tool_stays_and_its_frame() -> None:
    assert drive(fewer_tools((WEATHER, READ_FILE)), lambda _: True) == (WEATHER,)
    strict = ToolSpec("f", "says a lot", {"type": "object", "properties": {"a": {}}, "required": ["a"]}, {"strict": 1})
    (bare,) = drive(smaller_schemas((strict,)), lambda _: True)
    assert bare == ToolSpec("f", "", {"type": "object", "properties": {}})
    (needed,) = drive(smaller_schemas((strict,)), lambda tools: tools[0].required == ("a",))
    assert needed.parameters == {"type": "object", "properties": {}, "required": ["a"]}


def test_history_loses_turns_and_sentences_but_not_the_question() -> None:
    call = NativeCall(0, "c1", "f", "{}")
    history = (
        Message("system", "Be brief. Never shout."),
        Message("user", "Earlier?"),
        Message("assistant", None, (call,)),
        Message("tool", "done", tool_call_id="c1"),
        Message("user", "One thing. Call f now. Thanks."),
    )
    found = drive(shorter_history(history), lambda tried: "Call f" in tried[-1].text)
    assert found == (Message("user", "Call f now. "),)
    calls = drive(shorter_history(history), lambda tried: any(message.role == "tool" for message in tried))
    assert [message.role for message in calls] == ["assistant", "tool", "user"]
    assert drive(shorter_history(()), lambda _: True) == ()


def test_turns_behind_the_last_question_stay_behind_it() -> None:
    talk = (Message("assistant", "Hello."), Message("user", "Why?"), Message("assistant", "Because."))
    assert drive(shorter_history(talk), lambda tried: len(tried) == 3) == talk


def test_a_marker_stays_whole_or_goes() -> None:
    text = "so <|tool_calls_section_begin|>ab<|x|></tool_call>[TOOL_CALLS]"
    steps = shorter_text(text)
    tried = [next(steps)]
    with suppress(StopIteration):
        while True:
            tried.append(steps.send("a" in tried[-1].replace("<|tool_calls_section_begin|>", "").partition("b")[0]))
    left = "".join(tried)
    for marker in ("<|tool_calls_section_begin|>", "<|x|>", "</tool_call>", "[TOOL_CALLS]"):
        left = left.replace(marker, "")
    assert not set("<>|[]_") & set(left)


def test_what_only_goes_once_something_else_is_gone_goes() -> None:
    def keeps(text: str) -> bool:  # the first line is needed as long as the second one is there
        return "x" in text and ("a" in text or "b" not in text)

    assert drive(shorter_text("a\nb\nx"), keeps) == "x"
    assert drive(shorter_text("one two\nthree x"), lambda text: "x" in text) == "x"


def test_what_can_go_as_a_whole_once_a_character_is_gone_goes() -> None:
    def keeps(text: str) -> bool:  # without the c the first line may go, but not a part of it
        return "x" in text and ("ab\n" in text or not {*"abc"} & {*text})

    assert drive(shorter_text("ab\nxc"), keeps) == "x"


def test_keys_that_stay_are_in_every_candidate() -> None:
    seen: list[Any] = []
    wanted = drive(
        smaller_json({"name": 1, "a": 2, "b": 3}, ("name",)), lambda tried: not seen.append(tried) and "name" in tried
    )
    assert wanted == {"name": 1}
    assert all("name" in one for one in seen)


def test_what_stands_beside_a_smaller_thing_stays_in_every_candidate() -> None:
    seen: list[Any] = []

    def keeps(tried: Any) -> bool:
        seen.append(tried)
        return str(tried).count("wanted") == 3

    value = [{"a": "wanted", "x": 1}, {"b": "wanted", "y": 1}, {"c": "wanted"}]
    assert drive(smaller_json(value), keeps) == [{"a": "wanted"}, {"b": "wanted"}, {"c": "wanted"}]
    assert [{"a": "wanted"}, {"b": "wanted", "y": 1}, {"c": "wanted"}] in seen
    assert [{"a": "wanted"}, {"b": "wanted"}, {"c": "wanted"}] in seen


def test_tools_beside_the_one_that_gets_smaller_stay() -> None:
    told = tuple(ToolSpec(name, "says a lot", {"type": "object", "required": ["a"]}, {"strict": 1}) for name in "fgh")

    def keeps(tools: Sequence[ToolSpec]) -> bool:
        assert [tool.name for tool in tools] == ["f", "g", "h"]
        return True

    assert drive(smaller_schemas(told), keeps) == tuple(ToolSpec(name, "", {"type": "object"}) for name in "fgh")
    assert drive(smaller_schemas(told), lambda _: False) == told


@pytest.mark.parametrize(
    ("size", "tried"), [(1, [0]), (2, [1, 1]), (4, [2, 2, 3, 3, 3, 3]), (5, [3, 3, 4, 4, 4, 4, 4, 4])]
)
def test_halves_are_left_out_before_single_pieces(size: int, tried: list[int]) -> None:
    seen: list[int] = []
    drive(leave_out(list(range(size))), lambda kept: bool(seen.append(len(kept))))
    assert seen == tried


@pytest.mark.parametrize(
    ("messages", "shortest"),
    [
        ([("user", "One. Two."), ("assistant", "Yes."), ("user", "Three? Four.")], [("user", "Four.")]),
        ([("assistant", "Yes."), ("assistant", "No.")], [("assistant", "No.")]),
        ([("tool", "x"), ("user", "q")], [("user", "q")]),
    ],
)
def test_of_a_history_the_last_question_stays(messages: list[tuple[str, str]], shortest: list[tuple[str, str]]) -> None:
    found = drive(shorter_history([Message(role, text) for role, text in messages]), lambda _: True)  # type: ignore[arg-type]
    assert [(one.role, one.text) for one in found] in (
        shortest,
        [(shortest[0][0], messages[-1][1].split(" ")[0] + " ")],
    )


def test_results_go_with_their_call_and_never_alone() -> None:
    talk = [
        Message("user", "a"), Message("assistant", "", (NativeCall(0, "c", "f", "{}"),)), Message("tool", "r", tool_call_id="c"),
        Message("tool", "s", tool_call_id="d"), Message("user", "b"),
    ]  # fmt: skip
    seen: list[list[str]] = []

    def keeps(found: Sequence[Message]) -> bool:
        seen.append([one.role for one in found])
        return False

    assert list(drive(shorter_history(talk), keeps)) == talk
    assert all(("assistant" in roles) == ("tool" in roles) for roles in seen)
    assert all(roles.count("tool") in (0, 2) for roles in seen)


def test_cuts_are_all_but_the_end() -> None:
    tried: list[tuple[str, ...]] = []

    def keeps(pieces: tuple[str, ...]) -> bool:
        tried.append(pieces)
        return False

    assert drive(fewer_cuts(("ab", "cd", "ef")), keeps) == ("ab", "cd", "ef")
    assert tried == [("ab", "cdef"), ("abcd", "ef")]
    assert drive(fewer_cuts(("ab",)), keeps) == ("ab",)


def test_pieces_go_whole_before_their_words() -> None:
    tried: list[tuple[str, ...]] = []

    def keeps(pieces: tuple[str, ...]) -> bool:
        tried.append(pieces)
        return False

    drive(shorter_pieces(("one two", "three")), keeps)
    assert tried[:2] == [("one two",), ("three",)]
    assert ("one ", "three") in tried, "a word"
    assert ("one tw", "three") in tried, "a character"
