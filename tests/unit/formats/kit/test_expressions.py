"""Where an expression ends, and what it stands for. Nothing is run."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.tools import ToolSpec
from workbench.formats import list_formats
from workbench.formats.kit.expressions import as_value, expression_end


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("new Map<String, Integer>(), b=1)", "new Map<String, Integer>()"),
        ("(a, b) => a - b, c=1)", "(a, b) => a - b"),
        ("function(x) { return [x, 1]; })", "function(x) { return [x, 1]; }"),
        ("a == b)", "a == b"),
        ("“one, two”, c=1)", "“one, two”"),
        ("a < b, c=1)", "a < b"),
        ("`x, ${y}`)", "`x, ${y}`"),
        ("f('a)b', \"c,d\"))", "f('a)b', \"c,d\")"),
        ("open", "open"),
    ],
)
def test_the_end_is_found_by_structure(text: str, want: str) -> None:
    assert text[: expression_end(text, 0, len(text), ")")] == want


@pytest.mark.parametrize("text", ["b c=d)", "[b}c)", "'open)", "x]", "(never, closed"])
def test_ambiguous_ends(text: str) -> None:
    assert expression_end(text, 0, len(text), ")") == -1


@pytest.mark.parametrize(
    ("raw", "value", "repair"),
    [
        ("5/100", 0.05, "schema_coerced"),
        ("float(100)", 100.0, "schema_coerced"),
        ('float("-1.5")', -1.5, "schema_coerced"),
        ("int('3')", 3, "schema_coerced"),
        ("int(x)", "int(x)", "schema_coerced"),
        ("int('7', 8)", "int('7', 8)", "schema_coerced"),
        ("int()", "int()", "schema_coerced"),
        ("int('7', base=8)", "int('7', base=8)", "schema_coerced"),
        ("int('x')", "int('x')", "schema_coerced"),
        ("float('inf')", "float('inf')", "schema_coerced"),
        ("'a' + chr('b')", "'a' + chr('b')", "schema_coerced"),
        ("2**10", 1024, "schema_coerced"),
        ("-(3 + 4)", -7, "schema_coerced"),
        ("0x1F", 31, "schema_coerced"),
        ("['a', 1] * 2", ["a", 1, "a", 1], "schema_coerced"),
        ("[{[]: 1}] * 3", "[{[]: 1}] * 3", "schema_coerced"),
        ("[{{1}}] * 3", "[{{1}}] * 3", "schema_coerced"),
        ("[1e999] * 2", "[1e999] * 2", "schema_coerced"),
        ("['a'] * 9999", "['a'] * 9999", "schema_coerced"),
        ("'a' + 'b'", "ab", "schema_coerced"),
        ("2024-05-17", "2024-05-17", "schema_coerced"),
        ("555-0199", "555-0199", "schema_coerced"),
        ("1/2/2024", "1/2/2024", "schema_coerced"),
        ("9**99999999", "9**99999999", "schema_coerced"),
        ("1/0", "1/0", "schema_coerced"),
        ("x**2", "x**2", "schema_coerced"),
        ("session.id", "session.id", "schema_coerced"),
        ("New York", "New York", "schema_coerced"),
        ("“Rome”", "Rome", "smart_quotes"),
        ("'the 'best' one'", "the 'best' one", "unescaped_quote"),
        ("'a' if b else 'c'", "'a' if b else 'c'", "schema_coerced"),
    ],
)
def test_values(raw: str, value: Any, repair: str) -> None:
    assert as_value(raw) == (value, repair)


@pytest.mark.parametrize("value", ["[{[]: 1}] * 3", "[{{1}}] * 2", "{[]: 1}", "{{}: 1}['a']", "'\\ud800' + 1"])
def test_no_value_that_python_refuses_ends_the_reading(value: str) -> None:
    tool = ToolSpec("f", "", {"type": "object", "properties": {"a": {}}})
    for text in (
        f"[f(a={value})]",
        f"<tool_call>f(a={value})</tool_call>",
        f'{{"name": "f", "arguments": {{"a": {value}}}}}',
    ):
        for form in list_formats():
            if not form.native:
                form.parse(text, (tool,))


@pytest.mark.parametrize("raw", ["", "...", "value1..."])
def test_a_place_for_a_value_is_none(raw: str) -> None:
    assert as_value(raw) is None


@pytest.mark.parametrize(
    ("text", "close", "found"),
    [
        ("a, b)", ")", 1),
        ("a]", ")", -1),
        ("a]", "]", 1),
        ("a}", "}", 1),
        ("f(a, b), c", ")", 7),
        ("[a, b], c", ")", 6),
        ("{a: [b, c]}, d", ")", 11),
        ("f(a", ")", -1),
        ("f(a]", ")", -1),
        ("a=b", ")", -1),
        ("a==b)", ")", 4),
        ("a=>b)", ")", 4),
        ("a>=b)", ")", 4),
        ("a!=b)", ")", 4),
        ("a=b=c)", ")", -1),
        ("f(a=b))", ")", 6),
        ("x==[1, 2], b", ")", 9),
        ("x=>{a, b}, c", ")", 9),
        ("a>='x, y', b", ")", 9),
        ("x!=(1, 2)", ")", 9),
        ("'a, b', c", ")", 6),
        ("'a\\', b', c", ")", 8),
        ("'a, b", ")", -1),
        ("`a, b", ")", 2),
        ("“a, b", ")", 2),
        ("“a, b”, c", ")", 6),
        ("‘a, b’, c", ")", 6),
        ("Map<a, b>(), c", ")", 11),
        ("a<b, c>d, e", ")", 3),
        ("a < b)", ")", 5),
        ("", ")", 0),
        ("x", ")", 1),
        ("a \n, b", ")", 3),
    ],
)  # fmt: skip
def test_ends_of_expressions(text: str, close: Any, found: Any) -> None:
    assert repr(expression_end(text, 0, len(text), close)) == repr(found)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("", None),
        ("...", None),
        ("x...", None),
        ("“a”", ("a", "smart_quotes")),
        ("“a", ("“a", "schema_coerced")),
        ("‘a’", ("a", "smart_quotes")),
        ("“a’", ("a", "smart_quotes")),
        ("`a`", ("a", "single_quotes")),
        ("`", ("`", "schema_coerced")),
        ("``", ("", "single_quotes")),
        ("'a' 'b'", ("ab", "schema_coerced")),
        ("'a\"", ("'a\"", "schema_coerced")),
        ("'it's'", ("it's", "unescaped_quote")),
        ('"say "hi""', ('say "hi"', "unescaped_quote")),
        ("'", ("'", "schema_coerced")),
        ("1 + 2", (3, "schema_coerced")),
        ("1+", ("1+", "schema_coerced")),
        ("1 +x", ("1 +x", "schema_coerced")),
        ("7 // 2", (3, "schema_coerced")),
        ("7 % 4", (3, "schema_coerced")),
        ("2 * 3 - 1", (5, "schema_coerced")),
        ("1/0", ("1/0", "schema_coerced")),
        ("2 ** 64", ("2 ** 64", "schema_coerced")),
        ("2 ** 65", ("2 ** 65", "schema_coerced")),
        ("1000 ** 2", (1000000, "schema_coerced")),
        ("1001 ** 2", ("1001 ** 2", "schema_coerced")),
        ("1e17 * 9", (9e+17, "schema_coerced")),
        ("1e18 * 9", ("1e18 * 9", "schema_coerced")),
        ("- 'a'", ("- 'a'", "schema_coerced")),
        ("'a' * 3", ("'a' * 3", "schema_coerced")),
        ("'a' - 'b'", ("'a' - 'b'", "schema_coerced")),
        ("'a' + 1", ("'a' + 1", "schema_coerced")),
        ("+5", (5, "schema_coerced")),
        ("~5", ("~5", "schema_coerced")),
        ("(1)", (1, "schema_coerced")),
        ("1 < 2", ("1 < 2", "schema_coerced")),
        ("int(3.7)", (3, "schema_coerced")),
        ("int('x')", ("int('x')", "schema_coerced")),
        ("float('nan')", ("float('nan')", "schema_coerced")),
        ("float('1e3')", (1000.0, "schema_coerced")),
        ("int('3', 8)", ("int('3', 8)", "schema_coerced")),
        ("max(1, 2)", ("max(1, 2)", "schema_coerced")),
        ("1-2", ("1-2", "schema_coerced")),
        ("1-2-3", ("1-2-3", "schema_coerced")),
        ("1/2", (0.5, "schema_coerced")),
        ("1/2/3", ("1/2/3", "schema_coerced")),
        ("01 + 1", ("01 + 1", "schema_coerced")),
        ("0b11 + 1", (4, "schema_coerced")),
        ("1j + 1", ("1j + 1", "schema_coerced")),
        ("x", ("x", "schema_coerced")),
        ("None", ("None", "schema_coerced")),
        ("[1] * 2", ([1, 1], "schema_coerced")),
        ("['a', 'b'] * 0", ([], "schema_coerced")),
        ("[1, 2]", ("[1, 2]", "schema_coerced")),
        ("[1] * x", ("[1] * x", "schema_coerced")),
        ("[[1]] * 2", ("[[1]] * 2", "schema_coerced")),
        ("[1.5, True] * 2", ([1.5, True, 1.5, True], "schema_coerced")),
        ("['aaaaaaaaaa'] * 700", ("['aaaaaaaaaa'] * 700", "schema_coerced")),
        ("['aaaaaaaaaa'] * 716", ("['aaaaaaaaaa'] * 716", "schema_coerced")),
        ("[1] * 99999", ("[1] * 99999", "schema_coerced")),
        ("(1,) * 2", ("(1,) * 2", "schema_coerced")),
    ],
)  # fmt: skip
def test_values_of_expressions(raw: str, found: Any) -> None:
    assert repr(as_value(raw)) == repr(found)


@pytest.mark.parametrize(("raw", "number"), [("10**18", 10**18), ("-10**18", -(10**18)), ("10**18*2", None), ("-2*10**18", None), ("1.5-3", -1.5), ("2**64", None), ("2**65", None)])  # fmt: skip
def test_numbers_that_are_too_big_stay_as_they_are_written(raw: str, number: float | None) -> None:
    assert as_value(raw) == (raw if number is None else number, "schema_coerced")
