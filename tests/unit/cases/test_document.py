from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.fakes import WEATHER
from workbench.cases.document import case_from_document, case_to_document
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message
from workbench.core.tools import MockRule, ToolMode, ToolSetup

MESSAGES = [{"role": "user", "content": "Weather in Rome?"}]
DOCUMENT = {
    "title": "Weather",
    "messages": MESSAGES,
    "tools": [WEATHER.to_openai()],
    "mocks": {"get_weather": {"result": {"sky": "clear"}}},
    "expect": {
        "calls": [
            {"name": "get_weather", "arguments": {"city": "Rome", "days": {"any_of": [3, "3"], "optional": True}}}
        ],
        "order": "any",
    },
    "tags": ["weather"],
}


def test_a_document_is_read_and_written_the_same() -> None:
    case = case_from_document(DOCUMENT, "weather", "w.yaml")
    assert case.expectation is not None
    (call,) = case.expectation.calls
    assert call.arguments == {"city": ExpectedArgument(("Rome",)), "days": ExpectedArgument((3, "3"), optional=True)}
    assert case.tools[0].mock == MockRule("fixed", {"sky": "clear"})
    assert case_to_document(case) == DOCUMENT


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot"}]}, r"messages\[0\]"),
        ({"expekt": 1}, "expekt"),
        ({"expect": {"calls": []}}, "expect"),
        ({"expect": {"calls": [{"name": ""}]}}, r"calls\[0\]"),
        ({"expect": {"calls": [{"name": "f", "arguments": {"x": {"any_of": []}}}]}}, r"arguments\.x"),
        ({"expect": {"calls": [{"name": "f"}], "order": "random"}}, "order"),
        ({"expect": {"calls": [{"name": "f"}], "no_call": True}}, "once"),
        ({"tags": 5}, "tags"),
    ],
)
def test_errors_name_their_place(change: dict, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        case_from_document(DOCUMENT | change, "x", "w.yaml")


def test_a_prompt_is_enough() -> None:
    case = case_from_document({"prompt": "Hello", "expect": "no_call"}, "hello", "h.yaml")
    assert case.messages == (Message("user", "Hello"),)
    assert case.expectation == Expectation(no_call=True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.builds(ExpectedArgument, st.lists(JSON, max_size=3).map(tuple), st.booleans())
CALLS = st.builds(
    ExpectedCall,
    st.sampled_from(["get_weather", "read_file"]),
    st.dictionaries(st.text(min_size=1, max_size=6), ARGUMENTS, max_size=3),
    st.booleans(),
)
EXPECTATIONS = st.just(Expectation(no_call=True)) | st.builds(
    Expectation,
    st.lists(CALLS, min_size=1, max_size=3).map(tuple),
    st.sampled_from(["strict", "any"]),
    st.just(False),
    st.booleans(),
    st.lists(st.text(min_size=1, max_size=5), max_size=2).map(tuple),
)


@given(EXPECTATIONS | st.none(), st.sampled_from(list(ToolMode)))
def test_every_case_survives_its_document(expectation: Expectation | None, mode: ToolMode) -> None:
    case = Case(
        "c", "T", (Message("user", "x"),), (ToolSetup(WEATHER, mode),), "auto", expectation, ("a",), "n", "f", "r"
    )
    assert case_from_document(case_to_document(case), "c", "c.yaml") == case
