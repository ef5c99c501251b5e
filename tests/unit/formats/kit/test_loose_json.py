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
        ('{"a"\t: 1, "a"\n : 2}', {"a": 2}, {"name_dup"}),
        ('{"a": "b:", "c": 1, "a"  : 2}', {"a": 2, "c": 1}, {"name_dup"}),
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


@pytest.mark.parametrize(
    ("text", "close", "found"),
    [
        ('{"a": 1}', False, ({"a": 1}, 8, (), "", "")),
        (" [1, 2] x", False, ([1, 2], 7, (), "", "")),
        ("{'a': 'it's'}", False, ({"a": "it's"}, 13, ("single_quotes",), "", "")),
        ("{'a': \"b\"}", False, ({"a": "b"}, 10, ("single_quotes",), "", "")),
        ("{a: 1}", False, ({"a": 1}, 6, ("unquoted_key",), "", "")),
        ("{a-b.c: 1}", False, ({"a-b.c": 1}, 10, ("unquoted_key",), "", "")),
        ("{a = 1}", False, ({"a": 1}, 7, ("unquoted_key",), "", "")),
        ('{"a": 1 "b": 2}', False, ({"a": 1, "b": 2}, 15, ("missing_comma",), "", "")),
        ('{"a": 1,, "b": 2}', False, (None, 8, (), "bad_json", "A comma stands where a key belongs.")),
        ('{,"a": 1}', False, (None, 1, (), "bad_json", "A comma stands where a key belongs.")),
        ('{"a": 1,}', False, ({"a": 1}, 9, ("trailing_comma",), "", "")),
        ("[1,]", False, ([1], 4, ("trailing_comma",), "", "")),
        ("[,]", False, (None, 1, (), "bad_json", "A comma stands where a value belongs.")),
        ("[1 2]", False, ([1, 2], 5, ("missing_comma",), "", "")),
        ("[;1]", False, (None, 1, (), "bad_json", "';' cannot stand here.")),
        ('{"a" 1}', False, (None, 5, (), "bad_json", "No colon follows the key 'a'.")),
        ('{"a"', False, (None, 4, (), "truncated", "No colon follows the key 'a'.")),
        ('{"a": ', False, (None, 6, (), "truncated", "The value is cut off.")),
        ('{"a": 1', False, (None, 6, (), "truncated", "The text ends inside a number.")),
        ('{"a": "x', False, (None, 8, (), "truncated", "A string is cut off.")),
        ('{"a": "x\\', False, (None, 8, (), "truncated", "A string is cut off.")),
        ('{"a": "x\\u12', False, (None, 8, (), "truncated", "A \\u escape is incomplete.")),
        ('{"a": "\\u00e9\\ud83d\\ude00"}', False, ({"a": "é😀"}, 27, (), "", "")),
        ('{"a": "\\q\\\n\\t"}', False, ({"a": "\\q\t"}, 15, ("raw_newline",), "", "")),
        ('{"a": "x\ny\tz"}', False, ({"a": "x\ny\tz"}, 14, ("raw_newline",), "", "")),
        ('{"a": True, "b": None, "c": undefined, "d": FALSE}', False, ({"a": True, "b": None, "c": None, "d": False}, 50, ("py_literal",), "", "")),
        ('{"a": tru}', False, (None, 6, (), "bad_json", "'tru' is not a JSON value.")),
        ('{"a": tru', False, (None, 6, (), "truncated", "'tru' is not a JSON value.")),
        ('{"a": -', False, (None, 6, (), "truncated", "'-' is not a JSON value.")),
        ('{"a": +1, "b": 1_000, "c": .5, "d": 5., "e": 01}', False, ({"a": 1, "b": 1000, "c": 0.5, "d": 5.0, "e": 1}, 48, ("py_literal",), "", "")),
        ('{"a": 1e999}', False, (None, 6, (), "bad_json", "'1e999' is not a JSON value.")),
        ('{"a": --1}', False, (None, 6, (), "bad_json", "'--1' is not a JSON value.")),
        ('{"a": 12', False, (None, 6, (), "truncated", "The text ends inside a number.")),
        ("[1] // x", False, ([1], 3, (), "", "")),
        ('{"a": /* b */ 1}', False, ({"a": 1}, 16, ("comment",), "", "")),
        ('{"a": 1 # c\n}', False, ({"a": 1}, 13, ("comment",), "", "")),
        ('{"a": 1 / 2}', False, (None, 8, ("missing_comma",), "bad_json", "'/' stands where a key belongs.")),
        ('{"a": “b”, ‘c’: `d`}', False, (None, 16, ("smart_quotes",), "bad_json", "'`' cannot stand here.")),
        ("{''a'': ''it's''}", False, ({"a": "it's"}, 17, ("single_quotes",), "", "")),
        ('{"a": 1, "a": 2}', False, ({"a": 2}, 16, ("name_dup",), "", "")),
        ('{"a": [1}', False, (None, 8, (), "truncated", "The value is cut off.")),
        ('{"a": {"b": 1]', False, (None, 13, (), "truncated", "The value is cut off.")),
        ('{"a": 1]', False, (None, 7, (), "truncated", "The value is cut off.")),
        ('[{"a": 1]', False, (None, 8, (), "truncated", "The value is cut off.")),
        ("C:\\x", False, (None, 0, (), "bad_json", "'C' is not a JSON value.")),
        ('{"a": "C:\\new\\x"}', False, ({"a": "C:\\new\\x"}, 17, ("raw_newline",), "", "")),
        ('{"a": "C:\\\\new"}', False, ({"a": "C:\\new"}, 16, (), "", "")),
        ('"x"', False, ("x", 3, (), "", "")),
        ("true", False, (True, 4, (), "", "")),
        ("nul", False, (None, 0, (), "truncated", "'nul' is not a JSON value.")),
        ("12", False, (12, 2, (), "", "")),
        ("12 ", False, (12, 2, (), "", "")),
        ("", False, (None, 0, (), "truncated", "The value is cut off.")),
        ("   ", False, (None, 3, (), "truncated", "The value is cut off.")),
        ("}", False, (None, 0, (), "bad_json", "'}' cannot stand here.")),
        ("]", False, (None, 0, (), "bad_json", "']' cannot stand here.")),
        ("<", False, (None, 0, (), "bad_json", "'<' cannot stand here.")),
        ('{"a": <}', False, (None, 6, (), "bad_json", "'<' cannot stand here.")),
        ('{"a": "b" }}', False, ({"a": "b"}, 11, (), "", "")),
        ("{1: 2}", False, ({"1": 2}, 6, ("unquoted_key",), "", "")),
        ('{"a":"b","c":{"d":[null,false]}}', False, ({"a": "b", "c": {"d": [None, False]}}, 32, (), "", "")),
        ("{'a': 'b\\'c'}", False, ({"a": "b'c"}, 13, ("single_quotes",), "", "")),
        ("['a' , 'b']", False, (["a", "b"], 11, ("single_quotes",), "", "")),
        ("['a'b']", False, (["a'b"], 7, ("single_quotes",), "", "")),
        ("[“a”b”]", False, (["a”b"], 7, ("smart_quotes",), "", "")),
        ('{"a": 1}}', False, ({"a": 1}, 8, (), "", "")),
        ('{"a": 1', True, (None, 6, (), "truncated", "The text ends inside a number.")),
        ('{"a": [1', True, (None, 7, (), "truncated", "The text ends inside a number.")),
        ('{"a": [1,', True, (None, 9, (), "truncated", "The value is cut off.")),
        ('{"a":', True, (None, 5, (), "truncated", "The value is cut off.")),
        ('{"a"', True, (None, 4, (), "truncated", "No colon follows the key 'a'.")),
        ('{"a": "x', True, (None, 8, (), "truncated", "A string is cut off.")),
        ("{", True, (None, 1, (), "truncated", "The value is cut off.")),
        ("[", True, (None, 1, (), "truncated", "The value is cut off.")),
        ("[1, ", True, (None, 4, (), "truncated", "The value is cut off.")),
        ('{"a": {"b": 1}', True, ({"a": {"b": 1}}, 14, ("missing_brace",), "", "")),
        ('{"a": tru', True, (None, 6, (), "truncated", "'tru' is not a JSON value.")),
        ("{'a': 'x", True, (None, 8, ("single_quotes",), "truncated", "A string is cut off.")),
        ("{'a': 'x'", True, ({"a": "x"}, 9, ("single_quotes", "missing_brace"), "", "")),
        ('[{"a": 1]', True, ([{"a": 1}], 9, ("missing_brace",), "", "")),
        ('{"a": 1 // x', True, ({"a": 1}, 12, ("comment", "missing_brace"), "", "")),
    ],
)  # fmt: skip
def test_values_repairs_and_errors(text: str, close: Any, found: Any) -> None:
    assert repr(tuple(read_json(text, 0, close=close))[:5]) == repr(found)


@pytest.mark.parametrize("before", ["", "xx ", "x" * 5000])
@pytest.mark.parametrize(
    ("inner", "value"), [('{"a": [1, "b"]}', {"a": [1, "b"]}), ("{'a': [1, \"b\"]}", {"a": [1, "b"]}), ('"x"', "x")]
)
def test_a_part_of_a_text_is_read_as_the_whole(before: str, inner: str, value: object) -> None:
    at, text = len(before), f"{before}{inner}, and so on"
    found = read_json(text, at, at + len(inner))
    assert (found.value, found.end, found.error) == (value, at + len(inner), "")
    cut = read_json(text, at, at + len(inner) - 1)
    assert (cut.value, cut.error) == (None, "truncated")


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ("[1; 2]", [1, 2], ("missing_comma",)),
        ("[1; 2;]", [1, 2], ("missing_comma", "trailing_comma")),
        ("[1, 2]", [1, 2], ()),
    ],
)
def test_a_semicolon_for_a_comma_is_named(text: str, value: object, repairs: tuple[str, ...]) -> None:
    found = read_json(text, 0)
    assert (found.value, found.repairs) == (value, repairs)


@pytest.mark.parametrize("colon", [":", " :"])
def test_a_key_twice_in_a_long_object_of_many_is_told(colon: str) -> None:
    members = [f'"number {number}"{colon} "{"x" * 250}"' for number in range(20)]
    for more, repairs in (([], ()), ([f'"number 3"{colon} 1'], ("name_dup",))):
        text = f"{{{', '.join([*members, *more])}}}"
        read = read_json(text, 0)
        assert (read.repairs, read.error, len(read.value)) == (repairs, "", 20)
