"""Arguments that come in pieces with paths."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.wires.kit.partial_args import PartialArguments


def grown(*pieces: dict[str, Any]) -> PartialArguments:
    found = PartialArguments({})
    for piece in pieces:
        found.add([piece])
    return found


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.a", {"a": 1}),
        ("$.a.b", {"a": {"b": 1}}),
        ("$.a[1]", {"a": [None, 1]}),
        ("$.a[0][0].b", {"a": [[{"b": 1}]]}),
        ("$['two words'].b", {"two words": {"b": 1}}),
        ('$["it\\"s"]', {'it"s': 1}),
        ("$.ä-ö", {"ä-ö": 1}),
    ],
)
def test_paths(path: str, expected: dict[str, Any]) -> None:
    assert grown({"jsonPath": path, "numberValue": 1}).value == expected


@pytest.mark.parametrize(
    "path", ["", "$", "a", "$.", "$..a", "$.a[", "$.a[x]", "$[0]", "$.a[999999]", "$" + ".a" * 70, None, 5]
)
def test_unreadable_partial_paths(path: Any) -> None:
    found = PartialArguments({"kept": True})
    assert len(found.add([{"jsonPath": path, "numberValue": 1}])) == 1
    assert found.value["kept"] is True


def test_partial_texts_continue_only_when_marked() -> None:
    go_on = {"jsonPath": "$.a", "stringValue": "x", "willContinue": True}
    ended = {"jsonPath": "$.a", "stringValue": "y"}
    assert grown(go_on, go_on, ended).value == {"a": "xxy"}
    assert grown(go_on, ended, ended).value == {"a": "y"}
    assert grown({"json_path": "$.a", "string_value": "x", "will_continue": True}, ended).value == {"a": "xy"}


def test_values_of_all_kinds() -> None:
    pieces = [
        {"jsonPath": "$.a", "boolValue": False},
        {"jsonPath": "$.b", "nullValue": "NULL_VALUE"},
        {"jsonPath": "$.c"},
    ]
    assert grown(*pieces).value == {"a": False, "b": None}
    assert PartialArguments({}).add("no list") == []


def test_conflicting_partial_values_are_replaced() -> None:
    assert grown({"jsonPath": "$.a", "numberValue": 1}, {"jsonPath": "$.a.b", "numberValue": 2}).value == {
        "a": {"b": 2}
    }


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([], "{"),
        ([{"jsonPath": "$.a", "stringValue": "b}", "willContinue": True}], '{"a": "b}'),
        ([{"jsonPath": "$.a[0].b", "stringValue": "c"}], '{"a": [{"b": "c"'),
        ([{"jsonPath": "$.a", "numberValue": 1}], '{"a": 1'),
    ],
)
def test_a_cut_shows(pieces: list[dict[str, Any]], text: str) -> None:
    found = grown(*pieces)
    assert found.text(whole=False) == text
    assert json.loads(found.text(whole=True)) == found.value
