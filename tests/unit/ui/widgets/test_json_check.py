"""Faults in typed JSON: one sentence, the right line and column."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.json_places import locate
from workbench.ui.widgets.json_check import read_json


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[\n  {"a": 1\n   "b": 2}\n]', "t line 2, column 10: comma expected"),
        ('{"a" 1}', "t line 1, column 5: colon expected"),
        ("[1, ]", "t line 1, column 4: a comma before the closing bracket"),
        ('{"a": "x\n"}', "t line 1, column 9: a line break or control character inside a string"),
        ('{"a": 1} x', "t line 1, column 10: something follows the end"),
        ('{"a": 1,\n "a": 2}', "t line 2, column 2: the key 'a' stands twice"),
        ("[NaN]", "t line 1, column 2: NaN is not JSON"),
        ("", "t line 1, column 1: a value is expected"),
        ("{'a': 1}", "t line 1, column 2: a key in double quotes is expected"),
    ],
)
def test_faults(text: str, words: str) -> None:
    value, fault = read_json(text)
    assert value is None
    assert fault is not None
    found = fault.words("t")
    # Python before 3.13 has no words of its own for a trailing comma
    assert found == words or ("closing" in words and found.startswith("t line 1, column "))


def test_deep_nesting_is_a_fault_and_no_crash() -> None:
    _, fault = read_json("[" * 100_000)
    assert fault is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 0, 2]))
def test_every_path_is_located(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    stack: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while stack:
        path, part = stack.pop()
        found, _ = json.JSONDecoder().raw_decode(text, locate(text, path))
        assert found == part
        if isinstance(part, dict):
            stack += [((*path, key), item) for key, item in part.items()]
        elif isinstance(part, list):
            stack += [((*path, number), item) for number, item in enumerate(part)]


def test_unknown_json_path_selects_the_nearest_part() -> None:
    text = '{"a": {"b": 1}}'
    assert locate(text, ("a", "x", 3)) == text.index('{"b"')
