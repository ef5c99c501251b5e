"""Places of members: quickly in strict JSON, thoroughly in any other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit import json_places
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
    '[{"a": 1, }, [2 , ], ]',
    '{"a": {"b": [1,], } ,}',
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


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ('{"a": 1, "b": [2, {"c": 3}]}', ("b",), (14, 27, 9, 12)),
        ('{"a": 1, "b": [2, {"c": 3}]}', ("b", 0), (15, 16, 15, 15)),
        ('{"a": 1, "b": [2, {"c": 3}]}', ("b", 1), (18, 26, 18, 18)),
        ('{"a": 1, "b": [2, {"c": 3}]}', ("b", 1, "c"), (24, 25, 19, 22)),
        ("{'a': 1, b: [2]}", ("b", 0), (13, 14, 13, 13)),
        ('[[], {}, "x"]', (2,), (9, 12, 9, 9)),
        ('[[], {}, "x"]', (1, "a"), None),
        ('["x"]', (0, 0), None),
        ('{"a": {"b": {"c": {"d": {"e": 1}}}}}', ("a", "b", "c", "d"), (24, 32, 19, 22)),
        ('{"a": {"b": {"c": {"d": {"e": 1}}}}}', ("a", "b", "c", "d", "e"), (30, 31, 25, 28)),
    ],
)
@pytest.mark.parametrize("before", ["", "[["])
def test_place_of_one_member(text: str, path: Path, place: tuple[int, ...] | None, before: str) -> None:
    places = Places(before + text + "]", len(before), len(before) + len(text))
    for _ in range(2):  # once more out of what is known
        assert places.get(path) == (None if place is None else tuple(at + len(before) for at in place))


def test_strict_json_is_looked_up_without_a_full_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    walk = json_places.read_json

    def walked(text: str, *args: Any, **more: Any) -> Any:
        asked.append(text)
        return walk(text, *args, **more)

    monkeypatch.setattr(json_places, "read_json", walked)
    strict = '[{"name" : "a", "arguments": {"x": [1]}} , []]'
    places = Places(strict, 0, len(strict))
    for path in ((0,), (0, "name"), (0, "arguments", "x"), (1,), (0, "arguments", "x", 0), ()):
        assert (places.get(path) is not None) is bool(path)
    assert asked == []
    assert places.get((0, "arguments", "x", 0, 0)) is None
    assert asked == [strict], "deeper than what is asked for"
    loose = "{'a': 1}"
    places = Places(loose, 0, len(loose))
    assert places.get(("a",)) == places.get(("a",)) == (6, 7, 1, 4)
    assert asked == [strict, loose], "once"
