"""JSON as models write it: every repair by name, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit.loose_json import MAX_SIZE, Marks, depth_of, read_json, read_strict, scan_unique


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ('{"a": [1, 2.5, true, null]}', {"a": [1, 2.5, True, None]}, set()),
        ("{'a': 'it\\'s'}", {"a": "it's"}, {"single_quotes"}),
        ("{'a': 'it's'}", {"a": "it's"}, {"single_quotes"}),
        ('{"a": 1,}', {"a": 1}, {"trailing_comma"}),
        ("[1, 2,]", [1, 2], {"trailing_comma"}),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, {"missing_comma"}),
        ('{"a": "x\ny\tz"}', {"a": "x\ny\tz"}, {"raw_newline"}),
        ('{"a": True, "b": None}', {"a": True, "b": None}, {"py_literal"}),
        ("{a: 1, b-c: 2}", {"a": 1, "b-c": 2}, {"unquoted_key"}),
        ("{“a”: “b”}", {"a": "b"}, {"smart_quotes"}),
        ('{"a": 1} // end', {"a": 1}, set()),
        ('{"a": /* one */ 1}', {"a": 1}, {"comment"}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, set()),
        ("{'a': '\\ud83d\\ude00'}", {"a": "😀"}, {"single_quotes"}),
        ('{"a": +1_000}', {"a": 1000}, {"py_literal"}),
        ("{a: [1.5, -2e3, 0]}", {"a": [1.5, -2000.0, 0]}, {"unquoted_key"}),
        ('{"a": [.5, 1., +1.5e2]}', {"a": [0.5, 1.0, 150.0]}, {"py_literal"}),
        ("{'a': {}, 'b': []}", {"a": {}, "b": []}, {"single_quotes"}),
        ('{"a" = 1}', {"a": 1}, {"unquoted_key"}),
        ("{'a': 'x\\\ny'}", {"a": "xy"}, {"single_quotes"}),
        ('{"a": 1, "a": 2}', {"a": 2}, {"name_dup"}),
        ('[{"a": {"b" : 1, "c" : 0, "b" : 2}}]', [{"a": {"b": 2, "c": 0}}], {"name_dup"}),
        ("{a: 1, a: 2}", {"a": 2}, {"unquoted_key", "name_dup"}),
        ('{"a": "\\"b\\": 1, \\"b\\": 2", "c": 1}', {"a": '"b": 1, "b": 2', "c": 1}, set()),
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}], set()),
    ],
)
def test_repairs(text: str, value: Any, repairs: set[str]) -> None:
    read = read_json(text, 0)
    assert (read.value, set(read.repairs), read.error) == (value, repairs, "")
    assert repr(read.value) == repr(value), "also the kind of number"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"a": NaN}', "bad_json"),
        ('{"a": -Infinity}', "bad_json"),
        ('{"a": }', "bad_json"),
        ('{"a" 1}', "bad_json"),
        ("{,}", "bad_json"),
        ('{"a": "b', "truncated"),
        ('{"a": "\\u12', "truncated"),
        ("{'a': '\\u12zz and more'}", "bad_json"),
        ('{"a": 12', "truncated"),
        ('{"a"', "truncated"),
        ("[" * 70 + "]" * 70, "too_large"),
        ("[" * 70 + "'" + "]" * 70, "too_large"),
        ("[" * 100_000, "too_large"),
        ("9" * 5000, "bad_json"),
        ('{"a": 1e999}', "bad_json"),
        ('{"a": -1e999}', "bad_json"),
        ('{"a": 1.2.3}', "bad_json"),
        ('"' + "a" * (MAX_SIZE + 1) + '"', "too_large"),
        ("'" + "a" * (MAX_SIZE + 1) + "'", "too_large"),
    ],
)
def test_refusals(text: str, error: str) -> None:
    assert read_json(text, 0).error == error


def test_a_key_that_stands_twice_is_left_to_the_slow_reader() -> None:
    assert scan_unique('x {"a": 1, "b": {"a": 2}}', 2) == ({"a": 1, "b": {"a": 2}}, 25)
    with pytest.raises(ValueError, match="twice"):
        scan_unique('{"a": 1, "a": 1}', 0)


def test_missing_brackets_are_added_on_request() -> None:
    assert read_json('{"a": {"b": 1}', 0).error == "truncated"
    assert read_json('{"a": {"b": 1}', 0, close=True) == ({"a": {"b": 1}}, 14, ("missing_brace",), "", "")
    for cut in ('{"a": "b', '{"a":', '{"a": 1,', '{"a": 1', '{"a'):
        assert read_json(cut, 0, close=True).error


def test_marks_hold_value_places() -> None:
    text = '{"a": {"b": [1, "x"]}}'
    marks: Marks = []
    read_json(text, 0, marks=marks)
    found = {path: text[start:end] for path, start, end, _, _ in marks}
    assert found == {("a",): '{"b": [1, "x"]}', ("a", "b"): '[1, "x"]', ("a", "b", 0): "1", ("a", "b", 1): '"x"'}
    assert next(text[start:end] for path, _, _, start, end in marks if path == ("a",)) == '"a"'


def test_end_is_respected_far_into_a_text() -> None:
    text = " " * 5000 + '{"a": 1} {"b": 2}'
    assert read_json(text, 5000, 5008).end == 5008
    assert read_strict(text, 5009) == ({"b": 2}, 5017, (), "", "")


def test_depth() -> None:
    assert depth_of({"a": [{}]}) == 3
    assert depth_of([]) == 1


@pytest.mark.parametrize("text", ["{'a': 'b\\", '{"a": "b\\', "{'a': 'b\\u00", '{"a": "b\\u00', "'\\"])
def test_a_string_that_ends_within_an_escape_is_cut_off(text: str) -> None:
    read = read_json(text, 0)
    assert (read.value, read.error) == (None, "truncated")


@pytest.mark.parametrize("quote", ['"', "'"])
def test_escapes_say_the_same_in_strict_and_loose_strings(quote: str) -> None:
    escaped = r"\b\f\n\r\t\/\\" + f"\\{quote}"
    assert read_json(f'{{{quote}a{quote}: {quote}{escaped}{quote}, "b": 1}}', 0).value == {
        "a": f"\b\f\n\r\t/\\{quote}",
        "b": 1,
    }
    loose = read_json(f"{{{quote}a{quote}: {quote}{escaped}{quote},}}", 0)
    assert (loose.value, loose.error) == ({"a": f"\b\f\n\r\t/\\{quote}"}, "")


def test_a_value_of_exactly_the_most_characters_is_read() -> None:
    for quote in "\"'":
        assert read_json(f"{quote}{'a' * (MAX_SIZE - 2)}{quote}", 0).error == ""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"C:\Users\admin\file.txt"', r"C:\Users\admin\file.txt"), (r'"c:\users\new"', r"c:\users\new"), (r"'d:\bin'", r"d:\bin"),
        (r'"C:\\Users\n\x"', "C:\\Users\n\\x"), (r'"\D C:\new"', "\\D C:\new"),
    ],
)  # fmt: skip
def test_a_path_of_windows_has_no_escapes(text: str, value: str) -> None:
    assert read_json(text, 0).value == value


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("bare_json", "stop", Drawn('```json\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»⟧\n```', [("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("bare_json", "stop", Drawn('⟨{"name": "get_weather", "arguments": {"city": "Rome"}{"name": "get_weather", "arguments": {"city": "Rome"}⟩', [], ["reported bad_json get_weather: The call is no readable JSON. '{' stands where a key belongs."])),
    ],
)  # fmt: skip
def test_places_of_objects_that_are_not_closed(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole
