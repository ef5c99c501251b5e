"""What the leaderboard's checker takes and refuses, rule by rule; the replies are played and judged as an import does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.recorded import judged
from workbench.core.case import Expectation
from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState
from workbench.imports.bfcl_answers import NOTHING, Answers
from workbench.imports.bfcl_cases import bfcl_case


def verdict(
    schema: dict[str, Any], answers: Any, given: Any, *, required: bool = True, category: str = "simple_python"
) -> bool:
    """Whether a value of the argument `x` passes; `...`: it is left out."""
    parameters = {"type": "dict", "properties": {"x": schema}, "required": ["x"] if required else []}
    question = {"id": f"{category}_0", "question": "?", "function": [{"name": "f", "parameters": parameters}]}
    case = bfcl_case(question, {"id": "", "ground_truth": [{"f": {"x": answers}}]}, "q")
    found = judged(case, [("f", {} if given is ... else {"x": given})])
    return found.verdict.state is VerdictState.PASS


STRING, INTEGER, FLOAT, BOOLEAN = ({"type": kind} for kind in ("string", "integer", "float", "boolean"))
STRINGS, INTEGERS, FLOATS = ({"type": "array", "items": {"type": kind}} for kind in ("string", "integer", "float"))
LISTS, OBJECT = {"type": "array", "items": {"type": "array"}}, {"type": "dict"}
OBJECTS = {"type": "array", "items": {"type": "dict"}}


@pytest.mark.parametrize(
    ("schema", "answers", "right", "wrong"),
    [
        (STRING, ["New York, NY"], ["new york ny", "NEW_YORK-NY"], ["New York NJ", 1, None, ["New York, NY"]]),
        (STRING, [None, ""], [None, ""], ["x"]),
        (STRING, [2], [2], ["2", 2.0]),
        (INTEGER, [3, 4], [3, 4], [3.0, "3", True, 5]),
        (INTEGER, [0.5], [0.5], [1]),
        (INTEGER, ["limit"], ["limit"], ["Limit", 3]),
        (FLOAT, [3.0], [3.0, 3], ["3.0", 3.1, None]),
        (BOOLEAN, [True], [True], ["true", False, "True"]),
        (STRINGS, [["a b", "c"]], [["A-B", "c"]], [["c", "a b"], ["a b"], "a b", ["a b", "c", "d"]]),
        (INTEGERS, [[1, 2]], [[1, 2]], [[1.0, 2], ["1", 2]]),
        (FLOATS, [[1.0, 2.5]], [[1.0, 2.5]], [[1, 2.5]]),
        (FLOATS, [[1, 2]], [[1, 2], [1.0, 2.0]], [[1, 3]]),
        (LISTS, [[["Rome"], ["Bonn"]]], [[["Rome"], ["Bonn"]]], [[["rome"], ["Bonn"]]]),
        (OBJECT, [{"sky": ["clear", "blue"], "wind": [1, ""]}],
         [{"sky": "CLEAR"}, {"wind": 1.0, "sky": "blue"}],
         [{"wind": 1}, {"sky": "grey"}, {"sky": "clear", "rain": 0}, [{"sky": "clear"}]]),
        (OBJECT, [{"at": [{"Lat": 1}]}], [{"at": {"Lat": 1}}], [{"at": {"lat": 1}}]),
        (OBJECTS, [[{"a": [1]}, {"a": [2]}]], [[{"a": 1}, {"a": 2}]], [[{"a": 2}, {"a": 1}], [{"a": 1}]]),
    ],
)  # fmt: skip
def test_values_that_are_right_and_wrong(schema: dict, answers: list, right: list, wrong: list) -> None:
    assert [verdict(schema, answers, value) for value in right] == [True] * len(right)
    assert [verdict(schema, answers, value) for value in (*wrong, ...)] == [False] * (len(wrong) + 1)


@pytest.mark.parametrize(
    ("schema", "answers", "right", "wrong"),
    [
        (STRING, ["a", ""], ["a", "", "-", ...], ["b"]),
        (STRINGS, [["a"], ""], [["a"], [], ...], [["b"]]),
        (OBJECTS, [""], [[], ...], [[{"a": 1}]]),
        (INTEGER, [""], [...], [0, ""]),
        (OBJECT, ["", {"a": [1]}], [{"a": 1}, ...], [{}]),
    ],
)
def test_what_may_be_left_out(schema: dict, answers: list, right: list, wrong: list) -> None:
    assert [verdict(schema, answers, value, required=False) for value in right] == [True] * len(right)
    assert [verdict(schema, answers, value, required=False) for value in wrong] == [False] * len(wrong)


def test_what_is_required_may_not_be_left_out_though_its_answers_say_so() -> None:
    assert not verdict(STRING, ["a", ""], ..., required=True)


@pytest.mark.parametrize(
    ("category", "schema", "answers", "right", "wrong"),
    [
        ("simple_java", {"type": "long"}, [10], ["10L"], ["10", 10]),
        ("simple_java", {"type": "any"}, ["result"], ["result", "Result"], ["other", None]),
        ("java", {"type": "ArrayList", "items": {"type": "String"}}, [["a", "b"]], ['new ArrayList<>(Arrays.asList("A", "b"))'], ['["a", "b"]']),
        ("simple_java", {"type": "HashMap"}, [{"limit": [50]}], ['new HashMap<String, Object>() {{ put("limit", 50); }}'], ['{"limit": 50}']),
        ("simple_javascript", {"type": "array", "items": {"type": "float"}}, [[60, 30]], ["[60, 30]"], ["[60]", [60, 30]]),
        ("javascript", {"type": "dict"}, [{"key": ["value"]}], ["{key: 'Value'}"], ["{key: 'other'}", {"key": "value"}]),
    ],
)  # fmt: skip
def test_literals_of_java_and_javascript(category: str, schema: dict, answers: list, right: list, wrong: list) -> None:
    assert [verdict(schema, answers, value, category=category) for value in right] == [True] * len(right)
    assert [verdict(schema, answers, value, category=category) for value in wrong] == [False] * len(wrong)


def expectation(
    answers: Any, properties: dict[str, Any], required: tuple[str, ...] = ()
) -> tuple[Expectation, list[str]]:
    function = {"name": "f", "parameters": {"properties": properties, "required": list(required)}}
    found = Answers([function], "python", "q")
    return found.expectation(answers), found.faults


def test_what_nobody_can_pass_is_told() -> None:
    wanted, faults = expectation([{"f": {"x": [1], "y": []}}], {"y": INTEGER, "z": INTEGER}, ("z",))

    assert wanted.calls[0].arguments == {"x": NOTHING, "y": NOTHING, "z": NOTHING}
    assert len(faults) == 3


def test_several_calls_are_made_in_any_order() -> None:
    wanted, _ = expectation([{"f": {}}, {"f": {}}], {})
    assert (wanted.order, len(wanted.calls), wanted.extra_calls) == ("any", 2, False)


@pytest.mark.parametrize("answers", [[], [1], [{"f": 1}]])
def test_broken_answers_are_named(answers: Any) -> None:
    with pytest.raises(InvalidInput, match="possible answer"):
        expectation(answers, {})
