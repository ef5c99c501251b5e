"""Places of members: quickly in strict JSON, thoroughly in any other."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit.json_places import Path, Places
from workbench.formats.kit.loose_json import Marks, read_json

TEXTS = (
    '{"name": "a", "arguments": {"x": [1, {"y": "z"}], "q": null}}',
    ' [ {"name" : "a\\"b","arguments":{ } } , [], 1.5e3 ] ',
    "{}",
    "[]",
    "{'name': 'a', arguments: {x: True,}}",
    '{"name": "a", "arguments": {"x": "cut o',
    '{"n": {"a": {"b": {"c": {"d": 1}}}}}',
    '{"a": 1e999, "b": [1]}',
    '{"a", 1: "b"}',
    '{"a" "b": 1, "c": 2}',
    '{1: 2, "a": 3}',
    '"text"',
    "1",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("before", ["", "xx {[ "])
def test_lazy_places_equal_the_full_walk(text: str, before: str) -> None:
    marks: Marks = []
    whole = before + text + " rest"
    read_json(whole, len(before), len(before) + len(text), close=True, marks=marks)
    wanted: dict[Path, tuple[int, ...]] = {path: tuple(place) for path, *place in marks}
    places = Places(whole, len(before), len(before) + len(text))
    assert {path: places.get(path) for path in wanted} == wanted
    assert places.get(()) is None
    assert places.get(("nothing",)) is None
    assert places.get((7, "name")) is None


def test_of_two_equal_keys_the_last_counts() -> None:
    assert Places('{"a": 1, "a": 22}', 0, 17).get(("a",)) == (14, 16, 9, 12)


def test_siblings_are_walked_once() -> None:
    text = "[" + ", ".join('{"name": "a"}' for _ in range(2000)) + "]"
    places = Places(text, 0, len(text))
    found = [places.get((number, "name")) for number in range(2000)]
    assert [text[place[0] : place[1]] for place in found if place] == ['"a"'] * 2000


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»</tool_call>⟧', [("now", {}, "missing_brace")])),
    ],
)  # fmt: skip
def test_the_place_of_arguments_where_a_brace_is_lost(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole
