"""The contract of the kimi_k2 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS, contract
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())

TestFamily = contract("kimi_k2")


def test_name_and_arguments_as_one_object_between_the_call_tokens() -> None:
    raw = (
        '<|tool_calls_section_begin|><|tool_call_begin|>{"name": "get_weather", "arguments": {"city": "Rome"}}'
        "<|tool_call_end|><|tool_calls_section_end|>"
    )
    found = get_format("kimi_k2").parse(raw, SPECS, "stop")
    (call,) = found.calls
    assert (call.name, call.arguments) == ("get_weather", {"city": "Rome"})
    assert "name_key" in call.repairs
    assert not found.text
    assert not get_format("kimi_k2").parse(raw.replace("get_weather", "nope"), SPECS, "stop").calls


def test_nameless_call_cut_before_its_arguments_is_told() -> None:
    found = get_format("kimi_k2").parse("<|tool_call_begin|><|tool_call_argument_begin|>", SPECS, "stop")
    assert (found.calls, [problem.code for problem in found.problems]) == ((), ["bad_name"])
