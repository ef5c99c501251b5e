"""The contract of the glm family, from its data files, and keys and values that do not stand in pairs."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

TestFamily = contract("glm45", "glm47", "glm4_legacy")

NOW_AND_THEN = ToolSpec(
    "now_and_then",
    "Two times.",
    {"type": "object", "properties": {"now": {"type": "string"}, "then": {"type": "string"}}},
)
TAGS = {
    "glm45": ("<tool_call>{}\n", "<arg_key>{}</arg_key>\n", "<arg_value>{}</arg_value>\n", "</tool_call>"),
    "hy_v3": ("<tool_calls><tool_call>{}<tool_sep>", "<arg_key>{}</arg_key>", "<arg_value>{}</arg_value>", "</tool_call></tool_calls>"),
    "longcat": ("<longcat_tool_call>{}\n", "<longcat_arg_key>{}</longcat_arg_key>\n", "<longcat_arg_value>{}</longcat_arg_value>\n", "</longcat_tool_call>"),
    "solar_open2": ("<|tool_call:start|>{}", "<|tool_arg:start|>{}", "<|tool_arg:value|>{}<|tool_arg:end|>", "<|tool_call:end|>"),
}  # fmt: skip


def read(form: str, parts: str, tools: tuple[ToolSpec, ...] | None = (NOW_AND_THEN,)) -> list[object]:
    """Read a call with keys (`=now`) and values in that order: arguments and repairs of each call, code and name of each problem."""
    start, key, value, end = TAGS[form]
    inside = "".join(key.format(part[1:]) if part.startswith("=") else value.format(part) for part in parts.split())
    raw = start.format("now_and_then") + inside + end
    whole = get_format(form).parse(raw, tools, "stop")
    parser = get_format(form).parser(tools)
    for character in raw:
        parser.feed(character)
    parser.finish("stop")
    assert parser.result() == whole
    return [*((call.arguments, set(call.repairs)) for call in whole.calls), *((p.code, p.name) for p in whole.problems)]


@pytest.mark.parametrize("form", TAGS)
@pytest.mark.parametrize("tools", [(NOW_AND_THEN,), None], ids=["tools", "no_tools"])
def test_as_many_values_as_keys_in_a_row_are_paired_in_order(form: str, tools: tuple[ToolSpec, ...] | None) -> None:
    ((arguments, repairs),) = read(form, "=now =then a b", tools)  # type: ignore[misc]
    assert (arguments, "positional" in repairs) == ({"now": "a", "then": "b"}, True)


@pytest.mark.parametrize("form", TAGS)
@pytest.mark.parametrize(
    "parts",
    ["=now a b", "=now =then a", "a", "a =now", "a b =now =then", "=now =then a b c", "=now =then =now a b", "=now a =then b c"],
)  # fmt: skip
def test_keys_and_values_of_other_numbers_are_told(form: str, parts: str) -> None:
    assert read(form, parts) == [("bad_json", "now_and_then")]
    assert read(form, parts, None) == [("bad_json", "now_and_then")]


@pytest.mark.parametrize("form", TAGS)
def test_a_key_that_stands_twice_before_its_value_is_one_key(form: str) -> None:
    assert read(form, "=now =now a") == [({"now": "a"}, {"missing_open_tag"})]
    assert read(form, "=now =then a =now b") == [({"now": "b", "then": "a"}, {"missing_open_tag"})]
    assert read(form, "=now =then =now a b c") == [("ambiguous", "now_and_then")]


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("<arg_value>a</tool_call>", [("bad_json", "now_and_then")]),
        ("<arg_value>a", [("truncated", "now_and_then")]),
        ("<arg_value>a<arg_key>now</arg_key><arg_value>b</arg_value></tool_call>", [("bad_json", "now_and_then")]),
        ("<arg_key>now</arg_key><arg_value>a</arg_value><arg_value></arg_value></tool_call>", [("now", "a", "near_miss_tag")]),
        ("<arg_value>now</arg_key><arg_value>a</arg_value></tool_call>", [("now", "a", "near_miss_tag")]),
        ("<arg_value></tool_call>", ["near_miss_tag"]),
    ],
)  # fmt: skip
def test_values_without_a_key_that_are_damaged_or_empty(inside: str, found: list[object]) -> None:
    read = get_format("glm45").parse("<tool_call>now_and_then\n" + inside, (NOW_AND_THEN,), "stop")
    calls = [pair + call.repairs for call in read.calls for pair in (call.arguments.items() or [()])]
    assert [*(one if len(one) > 1 else one[0] for one in calls), *((p.code, p.name) for p in read.problems)] == found


@pytest.mark.parametrize(
    "value", ["a </arg_value> b", "see <arg_value>x</arg_value> <arg_value>y</arg_value>", "<arg_value>x</arg_value>\n<arg_value>y</arg_value> so"]
)  # fmt: skip
def test_tags_of_values_inside_a_value_are_its_own(value: str) -> None:
    raw = f"<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>{value}</arg_value>\n</tool_call>"
    (call,) = get_format("glm45").parse(raw, (TOOLS["now"],), "stop").calls
    assert (call.arguments, call.repairs) == ({"zone": value}, ())


def test_places_of_arguments_are_left_out_where_keys_stand_in_a_row() -> None:
    from workbench.formats.kit.argument_spans import fields

    raw = "<tool_call>now_and_then<arg_key>now</arg_key><arg_key>then</arg_key><arg_value>a</arg_value><arg_value>b</arg_value></tool_call>"
    (call,) = get_format("glm45").parse(raw, (NOW_AND_THEN,), "stop").calls
    assert fields(raw, call) == ()


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹now›«»<tool_sep></tool_call>⟧<tool_callnow⟨</tool_call>⟩</tool_calls>", [("now", {}, "")], ["reported unread_call now: A marker ends a call of 'now' here that was never begun."], "<tool_callnow")),
        ("qwen_xml", "stop", True, Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n<toolnow⟨</tool_call>⟩', [("now", {}, "")], ["reported unread_call now: A marker ends a call of 'now' here that was never begun."], "<toolnow")),
    ],
)  # fmt: skip
def test_half_an_opener_whose_end_is_told_is_told_once(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
