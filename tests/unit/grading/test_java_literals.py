from __future__ import annotations

from typing import Any

import pytest

from workbench.grading.java_literals import read_java


@pytest.mark.parametrize(
    ("text", "kind", "members", "value"),
    [
        ("-12", "integer", "", -12),
        ("12.0", "integer", "", "12.0"),
        ("12", "long", "", "12"),
        ("12L", "long", "", 12),
        ("1.5", "float", "", "1.5"),
        ("1e2f", "float", "", 100.0),
        ("1.5f", "double", "", "1.5f"),
        ("3", "double", "", 3.0),
        ("true", "boolean", "", True),
        ("True", "boolean", "", "True"),
        ('"a"', "String", "", '"a"'),
        ("new ArrayList<>(Arrays.asList(1, 2))", "ArrayList", "integer", [1, 2]),
        ('new ArrayList<String>(Arrays.asList("a", "b"))', "ArrayList", "String", ["a", "b"]),
        ("new ArrayList<>(Arrays.asList(1L, 2L))", "ArrayList", "long", [1, 2]),
        ("new ArrayList<Long>(Arrays.asList(1L, 2L))", "ArrayList", "long", [1, 2]),
        ("new ArrayList<>() {{ add(1L); add(2L); }}", "ArrayList", "long", [1, 2]),
        ("new ArrayList<Long>() {{ add(1L); add(2L); }}", "ArrayList", "long", [1, 2]),
        ("new ArrayList<>()", "ArrayList", "integer", []),
        ("List.of(1, 2)", "ArrayList", "integer", "List.of(1, 2)"),
        ("new int[]{1, 2}", "Array", "integer", [1, 2]),
        ('new String[]{"a"}', "Array", "String", ['"a"']),
        ("new Object[]{1, true, 2L, 3.5f, x}", "Array", "", [1, True, 2, 3.5, "x"]),
        ('new HashMap<String, Object>() {{ put("a", 1); put("b", "c"); }}', "HashMap", "", {"a": 1, "b": "c"}),
        ("new HashMap<>()", "HashMap", "", {}),
        ("settings", "HashMap", "", "settings"),
    ],
)
def test_java_literals(text: str, kind: str, members: str, value: Any) -> None:
    found = read_java(text, kind, members)
    assert (found, type(found)) == (value, type(value))


def test_members_end_at_every_comma_as_in_the_leaderboard() -> None:
    assert read_java('new ArrayList<>(Arrays.asList("a, b"))', "ArrayList", "String") == ["", ""]


def test_a_very_long_text_stays_a_text() -> None:
    text = "new HashMap<>(){" * 1000
    assert read_java(text, "HashMap") == text
    assert read_java("9" * 5000, "integer") == "9" * 5000
