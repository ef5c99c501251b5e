"""Arguments as lines with a key and a value."""

from __future__ import annotations

import pytest

from workbench.formats.kit.key_lines import read_lines

KEYS = ("city", "days", "content", "tags")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("city: New York\ndays: 3", {"city": "New York", "days": "3"}),
        ("\n    city: 'it''s'\n    days: \"3\"\n", {"city": "it's", "days": "3"}),
        ('"city": "a\\"b"', {"city": 'a"b'}),
        ("content: |\n  First\n    Second\n\n  Third\ndays: 1", {"content": "First\n  Second\n\nThird\n", "days": "1"}),
        ("content: |-\n  a\n  <b>c</b>", {"content": "a\n<b>c</b>"}),
        ("content: >\n  a long\n  line", {"content": "a long line\n"}),
        ("tags:\n- a\n- b c", {"tags": '["a", "b c"]'}),
        ("tags:\n  - 'a'\ncity: x:y", {"tags": '["a"]', "city": "x:y"}),
        ("city:\r\ndays: 2\r\n", {"city": "", "days": "2"}),
    ],
)
def test_lines_are_read(text: str, values: dict[str, str]) -> None:
    assert read_lines(text, KEYS) == values


@pytest.mark.parametrize(
    "text",
    ["", "New York", "- a\n- b", "town: Rome", "city: a\ncity: b", "city: a\nand more", "tags:\n  x\n  y", "[city: a"],
)
def test_anything_else_is_none(text: str) -> None:
    assert read_lines(text, KEYS) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("city: Rome  \ndays: 3\t", {"city": "Rome", "days": "3"}),
        ("city: '\ndays: \"", {"city": "'", "days": '"'}),
        ("city: ''\ndays: \"\"", {"city": "", "days": ""}),
        ('city: "a\\qb"', {"city": "a\\qb"}),
        ("city: 'a\"", {"city": "'a\""}),
        ("city: \"a'", {"city": "\"a'"}),
        ('tags:\n- "a"\n-  b\ncity: -', {"tags": '["a", "b"]', "city": "-"}),
        ("content: |\n    a\n\n  \ncity: b", {"content": "a\n", "city": "b"}),
        ("city: Rome\n\n\n", {"city": "Rome"}),
    ],
)
def test_values_of_lines(text: str, values: dict[str, str]) -> None:
    assert read_lines(text, KEYS) == values


@pytest.mark.parametrize("text", ["tags:\n- a\nx\n- b", "tags:\n- a\n  b", "city Rome", f"city: {'x' * 500_001}"])
def test_lines_between_and_long_texts_are_none(text: str) -> None:
    assert read_lines(text, KEYS) is None
