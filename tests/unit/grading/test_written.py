from __future__ import annotations

from typing import Any

import pytest

from tests.kit.recorded import expecting, judged, run_of
from workbench.core.batch import CallState
from workbench.core.case import ExpectedArgument, ExpectedCall, Matching
from workbench.core.tools import ToolSpec
from workbench.core.verdict import VerdictState
from workbench.grading.written import changed_paths, mended_calls, written_calls

PASS, FAIL = VerdictState.PASS, VerdictState.FAIL
ROME = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",)), "days": ExpectedArgument((3,))})
AS_WRITTEN = Matching(as_written=True)
CALLS = [("get_weather", {"city": "Rome", "days": "3"})]
TEXT = '[get_weather(city="Rome", days="3")]'
QWEN = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": "3"}}\n</tool_call>'
JAVA = ToolSpec(
    "Shop.buy", "", {"type": "object", "properties": {"ids": {"type": "string"}, "now": {"type": "string"}}}
)
BUY = ExpectedCall(
    "Shop.buy",
    {"ids": ExpectedArgument(([1, 2],), literal="java ArrayList of long"), "now": ExpectedArgument((True,), literal="java boolean")},
)  # fmt: skip


@pytest.mark.parametrize(("said", "form"), [(CALLS, ""), (TEXT, "pythonic"), (QWEN, "qwen_xml")])
def test_a_value_turned_into_the_schemas_type_is_listed_as_treated_as_equal(said: Any, form: str) -> None:
    found = judged(expecting(ROME), said, form)

    assert found.verdict.state is PASS
    ((call, row),) = found.folded
    assert (call.actual, row.path, row.expected, row.actual, row.note) == (
        "get_weather",
        ("days",),
        3,
        "3",
        "text form",
    )


@pytest.mark.parametrize(("said", "form"), [(CALLS, ""), (TEXT, "pythonic"), (QWEN, "qwen_xml")])
def test_values_can_be_judged_as_written(said: Any, form: str) -> None:
    found = judged(expecting(ROME, matching=AS_WRITTEN), said, form)

    assert (found.verdict.state, found.verdict.codes[0]) == (FAIL, "argument.wrong_type")
    assert found.calls[0].fields[0].actual == "3"
    lenient = judged(expecting(ROME, matching=Matching(as_written=True, coerced=True)), said, form)
    assert (lenient.verdict.state, lenient.folded[0][1].note) == (PASS, "text form")


def test_a_format_without_types_says_nothing_of_how_values_were_written() -> None:
    text = (
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n3\n</parameter>\n"
    )
    text += "</function>\n</tool_call>"
    found = judged(expecting(ROME, matching=AS_WRITTEN), text, "qwen3_coder_xml")

    assert (found.verdict.state, found.folded) == (PASS, ())


def test_names_can_be_judged_as_written() -> None:
    calls = [("GET_WEATHER", {"city": "Rome", "days": 3})]

    assert judged(expecting(ROME), calls).verdict.state is PASS
    found = judged(expecting(ROME, matching=AS_WRITTEN), calls)
    assert (found.verdict.state, found.calls[0].state, found.calls[0].actual) == (
        FAIL,
        CallState.WRONG_TOOL,
        "GET_WEATHER",
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('```python\n[get_weather(city="Rome", days=3)]\n```', "parse.fenced"),
        ('Here: [get_weather(city="Rome", days=3)]', "parse.text_around"),
        ('[get_weather(city: "Rome", days=3)]', "parse.unquoted_key"),
        ('[get_weather(days=3, city="Rome"', "parse.missing_brace"),
    ],
)
def test_a_call_of_mended_form_is_none_as_written(text: str, code: str) -> None:
    assert judged(expecting(ROME), text).verdict.state is PASS
    found = judged(expecting(ROME, matching=AS_WRITTEN), text)
    assert (found.verdict.state, found.verdict.codes[0]) == (FAIL, code)
    refusal = judged(expecting(no_call=True, matching=AS_WRITTEN), text)
    assert (refusal.verdict.state, refusal.verdict.codes[0]) == (PASS, code)
    assert judged(expecting(no_call=True), text).verdict.state is FAIL


@pytest.mark.parametrize("text", ['get_weather(city="Rome", days=3)', '```\n[get_weather(city="Rome", days=3)]\n```'])
def test_the_bare_call_is_as_written(text: str) -> None:
    assert judged(expecting(ROME, matching=AS_WRITTEN), text).verdict.state is PASS


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ([("Shop.buy", {"ids": "new ArrayList<>(Arrays.asList(1L, 2L))", "now": "true"})], PASS),
        ([("Shop.buy", {"ids": "new ArrayList<>(Arrays.asList(1, 2))", "now": "true"})], FAIL),
        ([("Shop.buy", {"ids": "new ArrayList<>(Arrays.asList(1L, 2L))", "now": True})], FAIL),
        ("[Shop.buy(ids=new ArrayList<>(Arrays.asList(1L, 2L)), now=true)]", PASS),
        ("[Shop.buy(ids=new ArrayList<>(Arrays.asList(1L, 2L)), now=True)]", FAIL),
        ("[Shop.buy(ids: new ArrayList<>(Arrays.asList(1L, 2L)), now: true)]", FAIL),
    ],
)
def test_literals_of_another_language(said: Any, state: VerdictState) -> None:
    found = judged(expecting(BUY, tool=JAVA, matching=AS_WRITTEN), said)

    assert found.verdict.state is state
    if state is PASS:
        notes = [row.note for _, row in found.folded]
        assert notes == ["java ArrayList of long literal", "java boolean literal"]


def test_only_what_differs_is_kept() -> None:
    run = run_of(expecting(ROME), [("get_weather", {"city": "Rome", "days": 3})])
    assert written_calls(run, expecting(ROME).expectation) == {}
    assert mended_calls(run, expecting(ROME, matching=AS_WRITTEN).expectation) == {}  # type: ignore[arg-type]
    assert list(changed_paths({"a": [1, {"b": True}]}, {"a": [1, {"b": 1}]})) == [(("a", 1, "b"), True, 1)]


def test_every_call_of_a_recorded_reply_counts() -> None:
    """A call that breaks the schema is not put right later where the record ends with it."""
    again = [("get_weather", {"city": "Rome", "days": 3}), ("get_weather", {"days": 3})]
    found = judged(expecting(ROME), again)

    assert (found.verdict.state, [row.state for row in found.calls]) == (FAIL, [CallState.MATCHED, CallState.EXTRA])
