"""The contract of the react family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.timing import growth
from workbench.core.calls import ParseResult
from workbench.formats import get_format

TestFamily = contract("react")


def read(raw: str) -> ParseResult:
    """Read a reply whole, and check that single characters say the same."""
    whole = get_format("react").parse(raw, list(TOOLS.values()))
    parser = get_format("react").parser(list(TOOLS.values()))
    for char in raw:
        parser.feed(char)
    parser.finish()
    assert parser.result() == whole
    return whole


@pytest.mark.parametrize(
    "label", ["Acton Inptu:", "Action Inp:", "Act Input:", "Inputs:", "Action Input -", "Action\nInputs :"]
)
def test_an_object_of_arguments_behind_a_bent_label_is_no_lost_one(label: str) -> None:
    raw = f'Action: now\n{label} {{"zone": "CET"}}'
    (call,) = get_format("react").parse(raw, list(TOOLS.values())).calls
    assert (call.name, call.arguments) == ("now", {"zone": "CET"})


@pytest.mark.parametrize(
    ("before", "between", "text", "thought"),
    [
        ("Thought: I need the time. ", "\n", "", "I need the time."),
        ("Thought: Do I need a tool? Yes ", " ", "", "Do I need a tool? Yes"),
        ("I'll look that up. ", "\n", "I'll look that up.", ""),
        ("assistant: ", ", ", "assistant:", ""),
    ],
)
def test_both_labels_behind_words_on_their_line_are_a_call(before: str, between: str, text: str, thought: str) -> None:
    raw = f'{before}Action: now{between}Action Input: {{"zone": "CET"}}'
    found = read(raw)
    (call,) = found.calls
    assert (call.name, call.arguments, call.repairs) == ("now", {"zone": "CET"}, ("near_miss_tag",))
    assert raw[call.span.start :].startswith("Action: now")
    assert (found.text, found.reasoning, found.problems) == (text, thought, ())


@pytest.mark.parametrize(
    ("raw", "text", "thought"),
    [
        ("Thought: I know. Final Answer: 18", "18", "I know."),
        ("Thought: I know.\nIt is so. Final Answer : 18\nDone.", "18\nDone.", "I know.\nIt is so."),
        ("My Final Answer: 18", "My Final Answer: 18", ""),
        ("Thought: the final answer: it", "the final answer: it", "the final answer: it"),
    ],
)
def test_the_label_of_an_answer_behind_a_thought_on_its_line(raw: str, text: str, thought: str) -> None:
    found = read(raw)
    assert (found.text, found.reasoning, found.problems) == (text, thought, ())


@pytest.mark.parametrize(
    "raw",
    [
        'The model writes Action: now and then Action Input: {"zone": "CET"}.',
        "My next Action: now we wait.",
        "The model writes Action: now\nAction Input: {}",
        "`Say Action: now Action Input: {}`",
    ],
)
def test_labels_in_a_line_that_is_talk_are_no_call(raw: str) -> None:
    found = get_format("react").parse(raw, list(TOOLS.values()))
    assert found.calls == ()
    assert found.text == raw


@pytest.mark.parametrize("label", ["Result:", "Tool response:", "Obs:", "Here is what I know:"])
def test_another_object_below_an_action_is_no_input(label: str) -> None:
    found = get_format("react").parse(f'Action: now\n{label} {{"degrees": 22, "zone": "CET"}}', list(TOOLS.values()))
    assert [call.arguments for call in found.calls] in ([], [{}])


@pytest.mark.parametrize("space", [" ", "\t\n"])
def test_white_space_in_a_thought_takes_linear_time_by_characters(space: str) -> None:
    def read(count: int) -> None:
        parser = get_format("react").parser(list(TOOLS.values()))
        for char in f"Thought: Hm.{space * count}Yes.":
            parser.feed(char)
        parser.finish("stop")

    assert growth(read, 500) < 9


@pytest.mark.parametrize("indent", ["", "   ", "\n" * 200, " " * 9, "\n" * 95 + "  "])
def test_a_label_behind_long_white_space_ends_a_thought(indent: str) -> None:
    parser = get_format("react").parser(list(TOOLS.values()))
    for char in f"Thought: Hm.\n{indent}Action: now\nAction Input: {{}}":
        parser.feed(char)
    parser.finish("stop")
    assert [call.name for call in parser.result().calls] == ["now"]
