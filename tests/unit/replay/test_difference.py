"""Differences: what counts, what is folded, and where."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.replay.difference import (
    MISSING,
    Change,
    compare_json,
    compare_readings,
    excerpts,
    reading_json,
    same_json,
    same_reading,
)


def call(**change: object) -> ParsedCall:
    base = ParsedCall(
        "get_weather",
        {"city": "Rome", "days": 1},
        "call_1",
        Outcome.STRICT,
        (),
        Span(0, 9),
        Span(1, 3),
        Span(4, 8),
        "qwen_xml",
    )
    return base._replace(**change)  # type: ignore[arg-type]


def test_key_order_and_numeric_spelling_are_folded_and_listed() -> None:
    found = compare_json({"a": 1, "b": {"x": 2, "y": 3}}, {"a": 1.0, "b": {"y": 3, "x": 2}})
    assert not found
    assert found.folded == ("a: 1 and 1.0", "b: key order")


def test_true_is_not_one_and_none_is_not_absent() -> None:
    assert not same_json(True, 1)
    assert not same_json(0, False)
    assert not same_json({"a": None}, {})
    assert not same_json("1", 1)
    assert same_json(float("nan"), float("nan"))
    assert compare_json({"a": None}, {}).changes == (Change("a", None, MISSING),)


def test_paths_point_into_nested_values() -> None:
    found = compare_json({"q": [{"tag": "a"}, {"tag": "b"}]}, {"q": [{"tag": "a"}, {"tag": "c"}, 5]})
    assert found.changes == (Change("q[1].tag", "b", "c"), Change("q[2]", MISSING, 5))
    assert [change.kind for change in found.changes] == ["changed", "added"]
    assert compare_json({"a": 1}, {}).changes[0].kind == "removed"


def test_deep_nesting_does_not_exhaust_the_stack() -> None:
    deep_a: object = 1
    deep_b: object = 2
    for _ in range(50_000):
        deep_a, deep_b = [deep_a], [deep_b]
    assert len(compare_json(deep_a, deep_b).changes) == 1


def test_readings_agree_up_to_wording_and_spelling() -> None:
    problem = ParseProblem("bad_json", Span(3, 5), "old words", Outcome.REPORTED)
    before = ParseResult((call(),), "hello", "", (problem,), "qwen_xml")
    after = ParseResult(
        (call(arguments={"days": 1.0, "city": "Rome"}),),
        "hello",
        "",
        (problem._replace(message="new words"),),
        "qwen_xml",
    )
    assert same_reading(before, after)
    assert not compare_readings(before, after)


def test_a_lost_call_and_its_problem_are_named() -> None:
    before = ParseResult((call(),), "hello")
    after = ParseResult((), "hello", "", (ParseProblem("truncated", Span(0, 9), "cut", Outcome.REPORTED),))
    assert not same_reading(before, after)
    assert [change.path for change in compare_readings(before, after).changes] == ["calls[0]", "problems[0]"]


def test_every_visible_property_of_a_call_counts() -> None:
    before = ParseResult((call(),))
    for change in (
        {"name": "other"},
        {"arguments": {}},
        {"id": "call_2"},
        {"outcome": Outcome.RECOVERED},
        {"repairs": ("trailing_comma",)},
        {"span": Span(0, 8)},
    ):
        after = ParseResult((call(**change),))
        assert not same_reading(before, after)
        (name,) = change
        paths = {found.path for found in compare_readings(before, after).changes}
        assert all(path.startswith(f"calls[0].{name}") for path in paths)
        assert paths


def test_short_values_stand_whole_on_one_line() -> None:
    assert excerpts("a", {"b": None}) == ("a", '{"b": null}')
    assert excerpts("a\n  b", 1.5) == ("a b", "1.5")
    assert excerpts("a\n", "a") == ('"a\\n"', '"a"')


def test_excerpts_start_at_the_first_difference() -> None:
    first, second = excerpts(
        "same words " * 20 + "then Rome and more words after it " * 4, "same words " * 20 + "then Oslo"
    )
    assert first != second
    assert "Rome" in first
    assert "Oslo" in second
    assert max(len(first), len(second)) <= 60
    assert first.startswith("…")
    assert first.endswith("…")
    assert excerpts("word " * 40, "word " * 30, 40)[0].startswith("…")
    assert all(
        one.startswith(begin) for one, begin in zip(excerpts("Rome " * 40, "Oslo " * 40), ("Rome", "Oslo"), strict=True)
    )


def test_the_order_of_repairs_does_not_count() -> None:
    one, other = (ParseResult((call(repairs=repairs),)) for repairs in (("a", "b"), ("b", "a")))
    assert same_reading(one, other)
    assert not compare_readings(one, other)


def test_lists_are_the_same_item_by_item() -> None:
    assert same_json([1, {"a": (2.0,)}], [1.0, {"a": [2]}])
    assert not same_json([1, 2], [2, 1])
    assert not same_json([1], [1, 2])


def test_an_excerpt_uses_all_of_its_room() -> None:
    assert excerpts("a" * 60, "b" * 61) == ("a" * 60, "b" * 59 + "…")


NAN = float("nan")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (True, True, True), (True, False, False), (1, True, False), (1, 1.0, True), (NAN, NAN, True), (NAN, 1, False), (1, NAN, False),
        ("a", "a", True), ("a", "b", False), (None, None, True), (None, 0, False), ("1", 1, False), ([], {}, False), ([], (), True),
        ({}, {}, True), ({"a": 1, "b": 2}, {"b": 2, "a": 1.0}, True), ({"a": 1}, {"a": 2}, False), ({"a": 1, "b": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1, 3], False), ([1], [1, 2], False), ([[1]], [[1.0]], True),
    ],
)  # fmt: skip
def test_which_values_are_the_same(before: Any, after: Any, same: bool) -> None:
    assert (same_json(before, after), same_json(after, before)) == (same, same)
    assert bool(compare_json(before, after)) is not same


@pytest.mark.parametrize(
    ("before", "after", "changes", "folded"),
    [
        ({"a": 1}, {"a": 1}, [], []),
        (1, 2, [Change("", 1, 2)], []),
        (1, 1.0, [], ["value: 1 and 1.0"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, [], ["value: key order"]),
        ({"a": 1, "b": 2}, {"b": 2, "c": 1}, [Change("a", 1, MISSING), Change("c", MISSING, 1)], []),
        ({"x": {"a": 1, "b": 2}}, {"x": {"b": 3, "a": 1}}, [Change("x.b", 2, 3)], ["x: key order"]),
        ({"l": (1, [2])}, {"l": [1, [2, 3]]}, [Change("l[1][1]", MISSING, 3)], []),
        ([1, 2, 3], [1], [Change("[1]", 2, MISSING), Change("[2]", 3, MISSING)], []),
        ({"a": [1]}, {"a": {"b": 1}}, [Change("a", [1], {"b": 1})], []),
    ],
)  # fmt: skip
def test_where_values_differ_in_order(before: Any, after: Any, changes: list[Change], folded: list[str]) -> None:
    found = compare_json(before, after)
    assert (list(found.changes), list(found.folded), bool(found)) == (changes, folded, bool(changes))


def test_paths_begin_where_they_are_told_to() -> None:
    assert compare_json({"a": 1}, {"a": 2}, "x").changes == (Change("x.a", 1, 2),)


@pytest.mark.parametrize("size", [20, 60])
def test_how_much_of_two_long_values_is_shown(size: int) -> None:
    for common in range(size + 5):
        first, second = excerpts("s" * common + "A" * 99, "s" * common + "B" * 99, size)
        assert len(first) == len(second) == size
        begun = common >= size - 8
        assert (first.startswith("…"), first.endswith("…")) == (begun, True)
        assert first.index("A") == second.index("B") == (size // 3 if begun else common)


def test_readings_differ_in_one_thing_each() -> None:
    problem = ParseProblem("bad_json", Span(3, 5), "words", Outcome.REPORTED)
    before = ParseResult((call(), call(id="b")), "t", "r", (problem, problem))
    others = [
        ParseResult((call(), call(id="b")), "u", "r", (problem, problem)),
        ParseResult((call(), call(id="b")), "t", "s", (problem, problem)),
        ParseResult((call(),), "t", "r", (problem, problem)),
        ParseResult((call(), call(id="b")), "t", "r", (problem,)),
        ParseResult((call(), call(id="c")), "t", "r", (problem, problem)),
        ParseResult((call(), call(id="b")), "t", "r", (problem, problem._replace(code="truncated"))),
        ParseResult((call(), call(id="b")), "t", "r", (problem, problem._replace(outcome=None))),
        ParseResult((call(), call(id="b")), "t", "r", (problem, problem._replace(span=Span(3, 6)))),
    ]
    for after in others:
        assert not same_reading(before, after)
        assert compare_readings(before, after)
    assert same_reading(before, before)


def test_a_reading_as_json_is_all_that_counts() -> None:
    problem = ParseProblem("bad_json", Span(3, 5), "words", None)
    assert reading_json(ParseResult((call(repairs=("b", "a")),), "t", "r", (problem,))) == {
        "calls": [
            {"name": "get_weather", "arguments": {"city": "Rome", "days": 1}, "id": "call_1", "outcome": "strict", "repairs": ["a", "b"], "span": [0, 9]}
        ],
        "problems": [{"code": "bad_json", "outcome": None, "span": [3, 5]}],
        "text": "t",
        "reasoning": "r",
    }  # fmt: skip
