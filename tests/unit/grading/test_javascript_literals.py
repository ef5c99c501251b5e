from __future__ import annotations

from typing import Any

import pytest

from workbench.grading.javascript_literals import read_javascript


@pytest.mark.parametrize(
    ("text", "kind", "members", "value"),
    [
        ("12", "integer", "", 12),
        ("12.5", "integer", "", "12.5"),
        ("12", "float", "", 12.0),
        ("1e3", "float", "", "1e3"),
        ("12n", "Bigint", "", 12),
        ("12", "Bigint", "", "12"),
        ("false", "Boolean", "", False),
        ("'a'", "String", "", "a"),
        ('"a"', "String", "", "a"),
        ("a", "String", "", "a"),
        ('"a"', "any", "", '"a"'),
        ("[1, 2]", "array", "integer", [1, 2]),
        ("new Array(1, 2)", "array", "integer", [1, 2]),
        ("[1, 'two', true]", "array", "", [1, "two", True]),
        ("[]", "array", "String", []),
        ("[[1, 2], [3, 4]]", "array", "array", [[1, 2], [3, 4]]),
        ("names", "array", "String", "names"),
        ("{}", "dict", "", {}),
        ("{a: 1, \"b\": 'c', d: [1, 2]}", "dict", "", {"a": 1, "b": "c", "d": [1, 2]}),
        ('{a: "10"}', "dict", "", {"a": 10}),
        ("options", "dict", "", "options"),
    ],
)
def test_javascript_literals(text: str, kind: str, members: str, value: Any) -> None:
    found = read_javascript(text, kind, members)
    assert (found, type(found)) == (value, type(value))


def test_a_very_long_text_stays_a_text() -> None:
    text = "[" * 9000
    assert read_javascript(text, "array") == text
    assert read_javascript("9" * 5000, "integer") == "9" * 5000
