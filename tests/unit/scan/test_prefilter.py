from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import Outcome
from workbench.formats import get_format
from workbench.scan.prefilter import may_hold_call

DECLARED = tuple(TOOLS.values())
MARKERLESS = frozenset({"functionary_v32", "glm4_legacy", "pythonic", "llama3_json"})
"""Formats that have shapes without any marker: such a call counts only where its tool is declared."""


def test_no_call_of_a_declared_tool_is_missed_in_any_sample() -> None:
    missed = []
    for case in cases():
        found = get_format(case.format)
        if found.native or may_hold_call(case.raw, DECLARED):
            continue
        result = found.parse(case.raw, DECLARED)
        if result.calls or any(one.outcome is Outcome.REPORTED for one in result.problems):
            missed.append((case.format, case.raw))
    assert missed == []


def test_no_call_with_markers_is_missed_in_any_sample() -> None:
    missed = [
        (case.format, case.raw)
        for case in cases()
        if not get_format(case.format).native
        and case.format not in MARKERLESS
        and not may_hold_call(case.raw, None)
        and get_format(case.format).parse(case.raw, None).calls
    ]
    assert missed == []


@pytest.mark.parametrize(
    "text",
    [
        "", "A plain answer with a list:\n- one\n- two", "for i in range(10):\n    read(i)  # reads", "<p>HTML</p> <b>bold</b> <script>x</script>",
        '{"title": "JSON", "values": [1, 2]}', "See get_weather for details, or list[0] and f(x).", "I use Read and Write to change it.",
    ],
)  # fmt: skip
def test_ordinary_texts_are_passed_over(text: str) -> None:
    assert may_hold_call(text, None) is False


@pytest.mark.parametrize(
    "text",
    [
        "<<call get_weather {city: Rome}>>",
        "get_weather(city='Rome')",
        "CALL: get-weather {}",
        "now()\n",
        '["get\\_weather", {}]',
    ],
)
def test_declared_names_in_the_shape_of_a_call(text: str) -> None:
    assert may_hold_call(text, DECLARED)


def test_long_texts_take_linear_time() -> None:
    from tests.kit.timing import growth

    text = "get_weather <b> [x] \"name\" {a: 'b'}, action "
    assert growth(lambda size: may_hold_call(text * size, None), 500) < 6
