from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.batch import FieldState
from workbench.core.case import ExpectedArgument, ExpectedCall, Matching
from workbench.core.tools import ToolSpec
from workbench.grading.folding import compare, compare_arguments, compared, faults

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
SPEC = ToolSpec(
    "t",
    "",
    {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "default": 5},
            "f": {"type": "object", "properties": {"deep": {"type": "boolean", "default": False}}},
        },
    },
)


def states(rows: Any) -> list[tuple[tuple[str | int, ...], str]]:
    return [(row.path, str(row.state)) for row in rows]


def arguments(wanted: dict[str, ExpectedArgument], given: dict[str, Any], **more: bool) -> Any:
    return compare_arguments(ExpectedCall("t", wanted, **more), given, SPEC)


@pytest.mark.parametrize(
    ("expected", "actual", "state"),
    [
        (3, 3.0, "folded"),
        (1e3, 1000, "folded"),
        (10**400, float("inf"), "wrong_value"),
        (3, "3", "wrong_type"),
        (True, 1, "wrong_type"),
        (None, False, "wrong_type"),
        ("Rome", "rome", "wrong_value"),
        ("é", "e\u0301", "wrong_value"),
    ],
)
def test_single_values(expected: Any, actual: Any, state: str) -> None:
    assert states(compare(("x",), expected, actual, {})) == [(("x",), state)]


def test_nan_is_nan() -> None:
    assert compare((), float("nan"), float("nan"), {}) == []


@given(JSON)
def test_a_value_equals_itself(value: Any) -> None:
    assert compare((), value, value, {}) == []


@given(JSON, JSON)
def test_folding_is_symmetric(one: Any, other: Any) -> None:
    assert bool(faults(compare((), one, other, {}))) == bool(faults(compare((), other, one, {})))


def test_places_inside_objects_and_lists() -> None:
    rows = compare(("f",), {"a": [1, {"b": 2}], "c": 1}, {"a": [1, {"b": 3}, 9], "d": 1}, {})

    assert states(rows) == [
        (("f", "a", 1, "b"), "wrong_value"),
        (("f", "a", 2), "extra"),
        (("f", "c"), "missing"),
        (("f", "d"), "extra"),
    ]


def test_a_shorter_list_misses_its_tail() -> None:
    assert states(compare((), [1, 2], [1], {})) == [((1,), "missing")]


def test_other_key_order_is_folded_and_listed() -> None:
    (row,) = compare((), {"a": 1, "b": 2}, {"b": 2, "a": 1}, {})

    assert (row.state, row.expected, row.actual, row.note) == (FieldState.FOLDED, ["a", "b"], ["b", "a"], "key order")


def test_defaults_are_folded_both_ways() -> None:
    assert states(arguments({"n": ExpectedArgument((5,))}, {})) == [(("n",), "folded")]
    assert states(arguments({}, {"n": 5})) == [(("n",), "folded")]
    assert states(arguments({"f": ExpectedArgument(({},))}, {"f": {"deep": False}})) == [(("f", "deep"), "folded")]
    assert states(arguments({}, {"n": 6})) == [(("n",), "extra")]
    assert states(arguments({"n": ExpectedArgument((6,))}, {})) == [(("n",), "missing")]


def test_any_value_alternatives_and_optional_arguments() -> None:
    free, either = ExpectedArgument(()), ExpectedArgument(("a", "b"))

    assert arguments({"x": free}, {"x": [1]}) == ()
    assert arguments({"x": either}, {"x": "b"}) == ()
    assert arguments({"x": ExpectedArgument(("a",), optional=True)}, {}) == ()
    (row,) = arguments({"x": either}, {"x": "c"})
    assert (row.state, row.expected, row.note) == (FieldState.WRONG_VALUE, "a", "or 'b'")


def test_the_closest_alternative_is_shown() -> None:
    either = ExpectedArgument(({"a": 1, "b": 2}, {"a": 3, "b": 4}))

    assert states(arguments({"x": either}, {"x": {"a": 3, "b": 5}})) == [(("x", "b"), "wrong_value")]


def test_further_arguments_may_be_allowed() -> None:
    assert arguments({}, {"z": 1}, extra_arguments=True) == ()
    assert compared(ExpectedCall("t", {}, extra_arguments=True), {"z": 1}) == 0
    assert compared(ExpectedCall("t", {"a": ExpectedArgument((1,))}), {"z": 1}) == 2


def test_endless_depth_is_compared_without_falling_over() -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    other: Any = 2
    for _ in range(5000):
        other = [other]

    assert len(faults(compare((), deep, other, {}))) == 1


def test_a_senseless_schema_is_no_hindrance() -> None:
    spec = ToolSpec("t", "", {"properties": ["x"]})

    assert states(compare_arguments(ExpectedCall("t"), {"x": 1}, spec)) == [(("x",), "extra")]
    assert compare_arguments(ExpectedCall("t"), {}, None) == ()


def told(
    wanted: ExpectedArgument, given: Any, schema: dict[str, Any] | None = None, **rules: Any
) -> list[tuple[Any, ...]]:
    """Path, state and note of every line for one argument `x`."""
    spec = ToolSpec("t", "", {"type": "object", "properties": {"x": schema or {}}})
    rows = compare_arguments(ExpectedCall("t", {"x": wanted}), {"x": given}, spec, Matching(**rules))
    return [(".".join(map(str, row.path[1:])), str(row.state), row.note) for row in rows]


IS = ExpectedArgument


@pytest.mark.parametrize(
    ("wanted", "given", "rules", "lines"),
    [
        (IS(("Rome",)), "ROME ", {"text": "folded"}, [("", "folded", "case and white space")]),
        (IS(("N.Y.",)), "ny", {"text": "letters"}, [("", "folded", "case, blanks and punctuation")]),
        (IS(("Rome",), text="folded"), "rome", {}, [("", "folded", "case and white space")]),
        (IS(("Rome",), text="exact"), "rome", {"text": "folded"}, [("", "wrong_value", "")]),
        (IS((3,)), "3", {"coerced": True}, [("", "folded", "text form")]),
        (IS((3,)), "3", {}, [("", "wrong_type", "")]),
        (IS((0.3,)), 0.30001, {"tolerance": 0.001}, [("", "folded", "within the tolerance")]),
        (IS((0.3,), tolerance=0.5), 0.7, {}, [("", "folded", "within the tolerance")]),
        (IS((3,)), 3.0, {"numbers": "widening"}, [("", "wrong_type", "")]),
        (IS((3.0,)), 3, {"numbers": "widening"}, [("", "folded", "numeric spelling")]),
        (IS((3.0,)), 3, {"numbers": "type"}, [("", "wrong_type", "")]),
        (IS((3.0,), numbers="type"), 3, {}, [("", "wrong_type", "")]),
        (IS((3,), numbers="value"), 3.0, {"numbers": "type"}, [("", "folded", "numeric spelling")]),
        (IS((10,), literal="java long"), "10L", {}, [("", "folded", "java long literal")]),
        (IS((10,), literal="java long"), "10", {}, [("", "wrong_type", "")]),
        (IS((10,), literal="java long"), 10, {}, [("", "wrong_type", "")]),
        (IS(("total",), literal="java long"), "Total", {"text": "letters"}, [("", "folded", "case, blanks and punctuation")]),
        (IS(one_of=(IS((1,)), IS(kind="date"))), "2026-01-02", {}, []),
        (IS(kind="date"), "tomorrow", {}, [("", "wrong_value", "")]),
        (IS(fields={"a": IS((1,)), "b": IS(kind="string", optional=True)}), {"a": 1}, {}, []),
        (IS(fields={"a": IS((1,))}), {"a": 1, "z": 2}, {}, [("z", "extra", "")]),
        (IS(fields={"a": IS((1,))}, extra=True), {"a": 1, "z": 2}, {}, []),
        (IS(fields={"a": IS((1,))}), {}, {}, [("a", "missing", "")]),
        (IS(fields={"a": IS()}), [1], {}, [("", "wrong_type", "")]),
        (IS(items=(IS((1,)), IS(kind="string"))), [1, "x"], {}, []),
        (IS(items=(IS((1,)), IS((2,)))), [2, 1], {}, [("0", "wrong_value", ""), ("1", "wrong_value", "")]),
        (IS(items=(IS((1,)), IS((2,))), any_order=True), [2, 1], {}, [("", "folded", "list order")]),
        (IS(items=(IS((1,)), IS((2,)), IS((3,))), any_order=True), [3, 1], {}, [("", "folded", "list order"), ("1", "missing", "")]),
        (IS(items=(IS((1,)),)), [1, 5], {}, [("1", "extra", "")]),
        (IS(items=(IS((1,)),), extra=True), [1, 5], {}, []),
        (IS(items=(IS((1,)), IS((2,), optional=True), IS((3,)))), [1, 3], {}, []),
        (IS(items=(IS((1,)), IS((2,), optional=True), IS((3,)))), [1, 5, 3], {}, [("1", "wrong_value", "")]),
        (IS((1.0,)), 1.05, {"tolerance": 0.05}, [("", "folded", "within the tolerance")]),
        (IS((1.0,)), 1.0500001, {"tolerance": 0.05}, [("", "wrong_value", "")]),
        (IS((1.0,)), 10**400, {"tolerance": 0.05}, [("", "wrong_value", "")]),
    ],
)  # fmt: skip
def test_rules_of_an_argument(wanted: ExpectedArgument, given: Any, rules: dict, lines: list) -> None:
    assert told(wanted, given, **rules) == lines


def test_schema_decides_the_number_type() -> None:
    assert told(IS((3,)), 3.0, {"type": "number"}, numbers="widening") == [("", "folded", "numeric spelling")]
    assert told(IS((3,)), 3.0, {"type": "integer"}, numbers="widening") == [("", "wrong_type", "")]


def test_schema_defaults_may_count() -> None:
    spec = ToolSpec("t", "", {"properties": {"x": {"default": 5}}})
    left_out = compare_arguments(ExpectedCall("t", {"x": IS((5,))}), {}, spec, Matching(defaults=False))
    unasked = compare_arguments(ExpectedCall("t"), {"x": 5}, spec, Matching(defaults=False))

    assert [str(row.state) for row in (*left_out, *unasked)] == ["missing", "extra"]


def test_a_literal_that_is_wrong_is_shown_as_it_was_written() -> None:
    wanted = ExpectedCall("t", {"x": IS((10,), literal="java long")})
    (row,) = compare_arguments(wanted, {"x": "11L"}, None)

    assert (row.state, row.expected, row.actual) == (FieldState.WRONG_VALUE, 10, "11L")
