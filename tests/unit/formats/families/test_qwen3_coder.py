"""The contract of the qwen3_coder family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract, read_cut
from tests.kit.whole_reading import told
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

TestFamily = contract("qwen3_coder_xml", "seed_oss")


def _tool(*keys: str) -> tuple[ToolSpec, ...]:
    return (ToolSpec("f", "", {"type": "object", "properties": {key: {"type": "string"} for key in keys}}),)


@pytest.mark.parametrize(
    ("body", "arguments", "repairs"),
    [
        ("<parameter=it's>\nv\n</parameter>", {"it's": "v"}, ()),
        ("<parameter=b>\nx\n</parameter>\n<parameter=it's>\nv\n</parameter>", {"b": "x", "it's": "v"}, ()),
        ("<parameter=it's>\nv\n</parameter>\n<parameter=b>\nx\n</parameter>", {"it's": "v", "b": "x"}, ()),
        ('<parameter=6" pipe>\nv\n</parameter>', {'6" pipe': "v"}, ()),
        ("<parameter=b>\nx\n<parameter=it's>\nv\n</parameter>", {"b": "x", "it's": "v"}, ("missing_close_tag", "open_value")),
    ],
)  # fmt: skip
def test_a_declared_key_may_hold_a_quote(body: str, arguments: dict[str, str], repairs: tuple[str, ...]) -> None:
    raw, tools = f"<tool_call>\n<function=f>\n{body}\n</function>\n</tool_call>", _tool("b", "it's", '6" pipe')
    found = get_format("qwen3_coder_xml").parse(raw, tools)
    assert [(call.arguments, call.repairs) for call in found.calls] == [(arguments, repairs)]
    assert read_cut("qwen3_coder_xml", tools, *raw) == found


@pytest.mark.parametrize(
    "body",
    [
        '<function=f type="string"><parameter=b>v</parameter></function>',
        '<function=f><parameter=b type="string">v</parameter></function>',
    ],
)
def test_an_attribute_is_not_passed_over_where_it_may_be_an_argument(body: str) -> None:
    raw = f"<tool_call>{body}</tool_call>"
    found = get_format("qwen3_coder_xml").parse(raw, _tool("b", "type"))
    assert not found.calls
    assert [problem.name for problem in found.problems] == ["f"]
    assert [call.arguments for call in get_format("qwen3_coder_xml").parse(raw, _tool("b")).calls] == [{"b": "v"}]


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("<function=now>\n</parameter>\n</function>", {}),
        ("<function=now>\n</parameter>\n<parameter=zone>\nCET\n</parameter>\n</function>", {"zone": "CET"}),
    ],
)
def test_a_closing_tag_too_many_is_named(body: str, arguments: dict[str, str]) -> None:
    (call,) = told("qwen3_coder_xml", f"<tool_call>\n{body}\n</tool_call>").calls
    assert call[:3] == ("now", arguments, "near_miss_tag")


DATA = "use\n<parameter=x>\n1\n</parameter>\nthere"


@pytest.mark.parametrize(
    ("content", "value", "repairs"),
    [
        (f"<parameter=content>\n{DATA}\n</parameter>", DATA, ""),
        (f"<parameter=content><parameter=content>\n{DATA}\n</parameter>", DATA, "near_miss_tag"),
        (f"<parameter=content>\n{DATA}\n</parameter></parameter>", DATA, "near_miss_tag"),
        (
            f"<parameter=content>\n<parameter=content>{DATA}</parameter>\n</parameter>",
            f"<parameter=content>{DATA}</parameter>",
            "",
        ),
    ],
)
def test_a_doubled_tag_around_a_value_that_holds_tags_is_no_part_of_it(content: str, value: str, repairs: str) -> None:
    raw = f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n{content}\n</function>\n</tool_call>"
    assert [call[1:3] for call in told("qwen3_coder_xml", raw).calls] == [({"path": "a", "content": value}, repairs)]


def test_text_behind_a_parameter_in_its_own_tag_does_not_lose_it() -> None:
    body = "<function=get_weather>\n<city>Rome</city>\n<days>3</days>\n]\n</function>"
    (call,) = told("qwen3_coder_xml", f"<tool_call>\n{body}\n</tool_call>").calls
    assert call[1:3] == ({"city": "Rome", "days": 3}, "near_miss_tag text_around")
