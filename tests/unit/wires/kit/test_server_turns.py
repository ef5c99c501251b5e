"""Turns as clients send them: nothing unknown is an error."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server_turns import number, read_turn, stops, whole_number


@pytest.mark.parametrize(
    ("role", "read"), [("developer", "system"), ("function", "tool"), ("critic", "user"), ("system", "system")]
)
def test_roles(role: str, read: str) -> None:
    notes = RequestNotes()
    assert read_turn({"role": role, "content": "x"}, notes, "messages[0]").role == read
    assert bool(notes.left_out) == (role == "critic")


@pytest.mark.parametrize("value", [{"content": "x"}, "hi", None, {"role": "user", "content": 7}])
def test_invalid_messages(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"messages\[0\]"):
        read_turn(value, RequestNotes(), "messages[0]")


def test_calls_of_a_foreign_kind() -> None:
    calls = [{"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls"}}, {"id": "b", "type": "odd"}]
    first, second = read_turn(
        {"role": "assistant", "content": None, "tool_calls": calls}, RequestNotes(), "m"
    ).tool_calls
    assert (first.name, first.arguments) == ("sh", "ls")
    assert (second.id, second.name) == ("b", "")


def test_content_of_one_part_without_its_list() -> None:
    part = {"type": "text", "text": "x"}
    assert read_turn({"role": "user", "content": part}, RequestNotes(), "m").content == (part,)


def test_numbers_and_stops() -> None:
    assert (number({"a": 1}, "a"), number({}, "a"), whole_number({"a": 3.0}, "a")) == (1.0, None, 3)
    for wrong in ("1", True, [1]):
        with pytest.raises(InvalidInput, match="a: expected a number"):
            number({"a": wrong}, "a")
    assert (stops("x"), stops(["x", 1]), stops(None)) == (("x",), ("x", "1"), ())


@pytest.mark.parametrize(("content", "text"), [({"a": 1}, '{"a": 1}'), (5, "5"), (False, "false"), (None, "")])
def test_a_result_that_is_no_text_is_its_json(content: Any, text: str) -> None:
    assert read_turn({"role": "tool", "tool_call_id": "c", "content": content}, RequestNotes(), "m").text == text


def test_what_is_read_otherwise_is_noted_with_its_place() -> None:
    notes = RequestNotes()
    read_turn({"role": "critic", "content": "x"}, notes, "messages[3]")
    assert notes.left_out == ["messages[3].role: 'critic' is read as user"]


def test_a_number_that_is_none_says_where_and_what_it_was() -> None:
    with pytest.raises(InvalidInput) as caught:
        number({"a": "x"}, "a", "options.")
    assert (caught.value.message, caught.value.hint) == ("options.a: expected a number.", "Got 'x'.")
    assert whole_number({}, "a") is None
    assert whole_number({"a": 3.9}, "a") == 3
