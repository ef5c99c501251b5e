"""One tag, three bodies."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
BODIES = {
    "qwen_xml": '{"name": "get_weather", "arguments": {"city": "Rome"}}',
    "qwen3_coder_xml": "<function=get_weather><parameter=city>Rome</parameter></function>",
    "glm45": "get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>",
}


@pytest.mark.parametrize("asked", list(BODIES))
@pytest.mark.parametrize("written", list(BODIES))
def test_foreign_bodies_are_read_and_named(asked: str, written: str) -> None:
    (call,) = get_format(asked).parse(f"<tool_call>{BODIES[written]}</tool_call>", SPECS).calls
    assert call.arguments == {"city": "Rome"}
    assert ("wrong_family" in call.repairs) == (asked != written)


def test_generic_takes_all_as_its_own() -> None:
    for body in BODIES.values():
        (call,) = get_format("generic_xml").parse(f"<tool_call>{body}</tool_call>", SPECS).calls
        assert call.repairs == ()


def test_a_second_call_in_the_same_tag_is_read_and_named() -> None:
    one = "<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>"
    found = get_format("qwen3_coder_xml").parse(f"<tool_call>\n{one}\n{one}\n</tool_call>", SPECS)
    assert [(call.arguments, call.repairs) for call in found.calls] == [
        ({"city": "Rome"}, ()),
        ({"city": "Rome"}, ("extra_calls",)),
    ]


@pytest.mark.parametrize("opener", ["<toolcall>", "<tool-call>"])
@pytest.mark.parametrize("name", ["get_weather", "of_nobody"])
def test_a_pair_that_breaks_off_in_a_bent_tag_is_a_call_of_a_declared_tool_alone(opener: str, name: str) -> None:
    text = f"{opener}{name}<arg_key>city</arg_key><arg_value>Rome"
    found = get_format("glm45").parse(text, SPECS)
    assert [one.code for one in found.problems] == ["truncated" if name in TOOLS else "unread_call"]
    assert found.text == ("" if name in TOOLS else text)
