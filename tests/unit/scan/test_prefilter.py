from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import Outcome
from workbench.formats import get_format
from workbench.grading.incidents import in_markers
from workbench.scan.prefilter import may_hold_call, relevant_from

DECLARED = tuple(TOOLS.values())


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
    missed = []
    for case in cases():
        found = get_format(case.format)
        if not found.native and not may_hold_call(case.raw, None):
            calls = found.parse(case.raw, None).calls
            missed += [(case.format, case.raw) for call in calls if in_markers(case.raw, call.span)]
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
        'Tool call: now({"zone": "UTC"})',
        '["get\\_weather", {}]',
    ],
)
def test_declared_names_in_the_shape_of_a_call(text: str) -> None:
    assert may_hold_call(text, DECLARED)


def test_long_texts_take_linear_time() -> None:
    from tests.kit.timing import growth

    text = "get_weather <b> [x] \"name\" {a: 'b'}, action "
    assert growth(lambda size: may_hold_call(text * size, None), 500) < 6


def test_a_closer_look_begins_at_the_paragraph_of_the_first_marker() -> None:
    call = '<tool_call>\n{"name": "now"}\n</tool_call>'
    before = "One.\n\nTwo, with `code`.\n"
    text = f"{before}\nNow.\n{call}"
    assert text[relevant_from(text) :].strip() == f"Now.\n{call}"
    for open_before in ("```\nOne.\n\n", "<think>One.\n\n"):
        assert relevant_from(f"{open_before}{call}") == 0
    assert relevant_from("Nothing.\n\nNothing.") == 0
