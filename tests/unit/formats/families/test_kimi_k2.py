"""The contract of the kimi_k2 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.timing import growth
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


def test_many_digits_in_an_id_take_linear_time() -> None:
    def read(count: int) -> None:
        raw = f"<|tool_call_begin|>functions.now:to{'0' * count}=now<|tool_call_argument_begin|>{{}}<|tool_call_end|>"
        get_format("kimi_k2").parse(raw, list(TOOLS.values()))

    assert growth(read, 2000) < 9
