"""Text between tags: where a value ends."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


def value_of(inside: str) -> object:
    raw = f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n{inside}\n</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    return call.arguments["content"]


@pytest.mark.parametrize(
    "inside",
    [
        "plain", "", "two\n\nlines", " indented", "</parameter> in a line", "a </function> b", "x </tool_call> y", "<parameter=other>",
        "<tool_call>\n<function=now>\n</function>\n</tool_call>", "&lt;b&gt;", '{"a": 1}',
    ],
)  # fmt: skip
def test_values_are_kept(inside: str) -> None:
    assert value_of(inside) == inside


def test_types_come_from_the_schema() -> None:
    raw = '<tool_call><function=write_file><parameter=path>5</parameter><parameter=content>true</parameter><parameter=tags>["a"]</parameter></function></tool_call>'
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert call.arguments == {"path": "5", "content": "true", "tags": ["a"]}
    (call,) = get_format("qwen3_coder_xml").parse(raw, None).calls
    assert call.arguments["tags"] == '["a"]'


def test_one_parameter_holding_all_arguments() -> None:
    raw = '<invoke name="get_weather"><parameter name="arguments">{"city": "Rome"}</parameter></invoke>'
    (call,) = get_format("anthropic_xml").parse(f"<function_calls>{raw}</function_calls>", SPECS).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("wrapper_arg",))
