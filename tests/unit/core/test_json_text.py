"""JSON that others wrote."""

from __future__ import annotations

import json

import pytest

from workbench.core.json_text import UNREADABLE, json_or, parse_json

DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested too deeply"),
        ("1" * 5000, "a number has more than 4300 digits"),
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    ],
    ids=["nesting", "digits", "cut", "bytes"],
)
def test_what_is_no_json_is_refused_with_a_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_json(text)
    assert str(refused.value) == reason
    assert json_or(text) is UNREADABLE
    assert json_or(text, "else") == "else"


def test_a_fault_in_the_text_has_its_place() -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        parse_json('{"a": 1,\n x}')
    assert (refused.value.lineno, refused.value.colno) == (2, 2)


def test_numbers_that_json_has_not() -> None:
    assert parse_json("[Infinity]") == [float("inf")]
    assert parse_json('["NaN"]', exact=True) == ["NaN"]
    for text in ("NaN", '{"id": NaN}', "[-Infinity]"):
        with pytest.raises(ValueError, match="there is no number"):
            parse_json(text, exact=True)


def test_none_is_a_value() -> None:
    assert json_or("null", "else") is None
    assert parse_json(b'{"a": [1]}', exact=True) == {"a": [1]}
    assert parse_json('"a\nb"', strict=False) == "a\nb"
