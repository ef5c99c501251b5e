"""Calls without markers among ordinary JSON and prose."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
NOW = '{"name": "now", "arguments": {}}'


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (NOW, ["now"]),
        (f"{NOW}, {NOW}; {NOW}", ["now"] * 3),
        (f"A set {{a}} and {{b: then {NOW}", ["now"]),
        ('{"person": {"name": "now", "arguments": {}}}', []),
        ('{"name": "now"}', []),
        ('{"id": 1, "type": "x"}', []),
        ("{'name': 'now', 'arguments': {}}", ["now"]),
        (", ".join([NOW] * 2000), ["now"] * 2000),
        (f'{{"response": "", "tool_calls": [{NOW}]}}', ["now"]),
        ('{"next_thought": "t", "next_tool_name": "now", "next_tool_args": {}}', ["now"]),
        (f'{{"plan": "p", "steps": [{NOW}]}}', ["now"]),
        ('{"response": "now", "answer": {}}', []),
        (f'{NOW}\n{{"name": "now"}}', ["now", "now"]),
        (f"To run it by hand, send {NOW} to the server.", []),
        (f"I will run {NOW} to see.", ["now"]),
        ("[now] {} [/now]", ["now"]),
        ('I\'ll look.\n```tool now\n{"zone": "CET"}\n```\nDone.', ["now"]),
        ("Calling tool: 'now' with arguments: {'zone': 'CET'}", ["now"]),
        ("[now]\n{}\n[END_TOOL_REQUEST]", ["now"]),
        (f"Sure.\n```function-call\n{NOW}\n```\nDone.", ["now"]),
        (f"```json:mcp:clock\n{NOW}\n```", ["now"]),
        (f"Here is how the format works:\n```tool_call\n{NOW}\n```", []),
    ],
)
def test_calls(raw: str, names: list[str]) -> None:
    result = get_format("bare_json").parse(raw, SPECS)
    assert [call.name for call in result.calls] == names
    if not names:
        assert result.text == raw


def test_non_call_data_is_text_byte_for_byte() -> None:
    raw = 'Data: {"name": "x", "items": [1, {"type": "y"}]} end.'
    assert get_format("bare_json").parse(raw, SPECS).text == raw


def test_a_call_in_the_middle_of_a_sentence_is_no_sure_one() -> None:
    for before, repairs in (("I considered ", ("text_around",)), ("I call this: ", ()), ("I call this\n", ())):
        (call,) = get_format("bare_json").parse(before + NOW, SPECS).calls
        assert call.repairs == repairs


def test_a_repeated_definition_is_text_unless_a_marker_stands_before_it() -> None:
    schema = '{"type": "object", "properties": {"city": {"type": "string"}}}'
    raw = f'{{"name": "get_weather", "description": "Current weather.", "parameters": {schema}}}'
    for form, before, text in (("bare_json", "", raw), ("llama3_json", "", raw), ("llama3_json", "<|python_tag|>", "")):
        result = get_format(form).parse(before + raw, SPECS)
        assert (result.text, result.calls) == (text, ())
        assert [(problem.code, problem.outcome) for problem in result.problems] == [("mentioned", Outcome.IGNORED)]
