"""JSON as strangers send it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.wires.kit.jsons import (
    UNREADABLE,
    argument_object,
    argument_text,
    as_dict,
    as_int,
    as_items,
    as_list,
    as_text,
    compact_bytes,
    json_bytes,
    json_text,
    read_json,
    whole_characters,
    whole_items,
)


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "[" * 100_000, "1" * 10_000, b"\xff\xfe", "nul", '{"a":}'])
def test_unreadable_is_a_value(text: str | bytes) -> None:
    assert read_json(text) is UNREADABLE


def test_readable() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": null}') == {"a": None}
    assert read_json("null") is None


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'[{"a": 1}\n,{"b": ', [{"a": 1}]),
        (b'\xef\xbb\xbf [1, {"b": 2}, 2', [{"b": 2}]),
        (b"[", []),
        (b'{"a": 1}, {', []),
        (b"[1, 2}]", []),
        (b"[" * 100_000, []),
    ],
)
def test_whole_items_of_a_list_that_was_cut(body: bytes, found: list[Any]) -> None:
    assert whole_items(body) == found


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (3, 3),
        (3.9, 3),
        ("12", 12),
        (True, None),
        ("x", None),
        ("-1", None),
        (None, None),
        (1e300, None),
        (float("nan"), None),
    ],
)
def test_counts(value: Any, count: int | None) -> None:
    assert as_int(value) == count


def test_texts() -> None:
    assert as_text(["x"]) == ""
    assert as_text("a\ud800b\U0001f600") == "a\ufffdb\U0001f600"
    assert whole_characters("\ud83d\ude00") == "\U0001f600"


def test_arguments() -> None:
    assert [argument_text(value) for value in (None, "{", {"a": "ü"}, [1])] == ["", "{", '{"a": "ü"}', "[1]"]
    assert argument_object("") == argument_object("  ") == {}
    assert argument_object('{"a":1}') == argument_object('"{\\"a\\":1}"') == {"a": 1}
    assert argument_object("[1]") == {"_raw": "[1]"}


def test_bodies_always_encode() -> None:
    assert json.loads(json_bytes({"a": "ü\ud800"})) == {"a": "ü\ud800"}
    assert json_bytes({"a": "ü"}) == '{"a": "ü"}'.encode()


def test_too_deep_to_write() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    assert json_text(value) == '"nested too deep"'


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (2.0**53, None),
        (-(2.0**53), None),
        (2.0**53 - 1, 2**53 - 1),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, None),
        ("\u0663", None),
    ],
)
def test_counts_beyond_what_a_float_holds_are_none(value: Any, count: int | None) -> None:
    assert as_int(value) == count


def test_shapes_that_were_not_expected_are_empty() -> None:
    assert (as_dict([1]), as_dict({"a": 1})) == ({}, {"a": 1})
    assert (as_list({"a": 1}), as_list([1])) == ([], [1])
    assert (as_items({"a": 1}), as_items([1]), as_items("x")) == ([{"a": 1}], [1], [])


def test_bodies_of_replies_have_no_blanks() -> None:
    assert compact_bytes({"a": ["ü", 1]}) == '{"a":["ü",1]}'.encode()
    assert compact_bytes({"a": "\ud800", "b": 1}) == b'{"a":"\\ud800","b":1}'


def test_an_empty_object_before_the_object_itself_is_left_out() -> None:
    assert argument_text('{}{"a": 1}') == '{"a": 1}'
    assert argument_text("{}{") == "{}{"
    assert argument_text("{}") == "{}"
    assert argument_text("{}[1]") == "{}[1]"


@pytest.mark.parametrize("text", ['{"a": 1} x', ' {"a": 1}', '\ufeff{"a": 1}', '{"a": 1}\n'])
def test_a_document_may_have_blanks_around_it_and_nothing_else(text: str) -> None:
    assert read_json(text) == (UNREADABLE if "x" in text else {"a": 1})


def test_bytes_that_are_no_text_do_not_end_the_reading() -> None:
    assert whole_items(b'[{"a": "\xff"}, {"b"') == [{"a": "\ufffd"}]
    assert read_json(b'{"a": "\xff"}') == {"a": "\ufffd"}
    assert whole_items(b'[{"a": 1}]') == [], "it was not cut off"
