"""One parameter between tags."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.tagged_parameter import TAG_LIMIT

_PROPERTIES = {"city": {"type": "string"}, "days": {"type": "integer"}, "a>b": {"type": "string"}}
TOOL = ToolSpec("get_weather", "", {"type": "object", "properties": _PROPERTIES})


def arguments_of(inside: str) -> tuple[dict[str, Any], Outcome]:
    raw = f"<tool_call>\n<function=get_weather>\n{inside}\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, [TOOL]).calls
    return call.arguments, call.outcome


def test_a_key_may_hold_what_ends_a_tag_where_it_is_declared() -> None:
    assert arguments_of("<parameter=a>b>Rome</parameter>")[0] == {"a>b": "Rome"}


@pytest.mark.parametrize(
    "inside", ["parameter=city>Rome</parameter>", "<paramter=city>Rome</parameter>", "<city>Rome</city>"]
)
def test_a_bent_tag_of_a_declared_parameter_is_a_repair(inside: str) -> None:
    assert arguments_of(inside) == ({"city": "Rome"}, Outcome.RECOVERED)


@pytest.mark.parametrize(
    "inside",
    [
        "<days>7</days>\n<parameter=city>Oslo</parameter>", "<city>Oslo</city>\n<parameter=days>7</parameter>",
        "<parameter=city>Oslo</parameter>\n<days>7</days>", "<parameter=city>\nOslo\n</parameter>\n<days>\n7\n</days>",
    ],
)  # fmt: skip
def test_a_tag_that_is_the_parameters_own_name_stands_beside_usual_ones(inside: str) -> None:
    assert arguments_of(inside) == ({"city": "Oslo", "days": 7}, Outcome.RECOVERED)


def test_a_closing_tag_in_a_value_is_none_where_no_other_parameter_follows() -> None:
    assert arguments_of("<parameter=city>a</parameter> <days> b</parameter>")[0] == {"city": "a</parameter> <days> b"}


def test_a_quoted_key_may_hold_what_ends_a_tag() -> None:
    assert arguments_of('<parameter="a>b">Rome</parameter>') == ({"a>b": "Rome"}, Outcome.STRICT)
    assert arguments_of('<parameter="a>b>Rome</parameter>') == ({"a": "b>Rome"}, Outcome.RECOVERED)


def test_arguments_begin_at_the_first_tag_that_was_bent() -> None:
    raw = "<tool_call>\n<function=get_weather>\n<city>Rome</city>\n<days>3</days>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, [TOOL]).calls
    assert raw[call.arguments_span.start : call.arguments_span.end] == "<city>Rome</city>\n<days>3</days>"


def test_the_same_value_twice_is_a_repair() -> None:
    assert arguments_of("<parameter=days>3</parameter>\n<parameter=days>3</parameter>") == (
        {"days": 3},
        Outcome.RECOVERED,
    )


def test_what_says_of_itself_that_it_is_json_is_read_as_such() -> None:
    raw = (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="days" string="false">3'
        '</｜DSML｜parameter>\n<｜DSML｜parameter name="city" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
        "</｜DSML｜function_calls>"
    )
    (call,) = get_format("deepseek_dsml").parse(raw, [TOOL]).calls
    assert (call.arguments, call.repairs) == ({"days": 3, "city": "5"}, ("schema_coerced",))


@pytest.mark.parametrize(
    ("inside", "city", "repaired"),
    [
        ("<parameter=city><parameter=city>Rome</parameter>", "Rome", True),
        ("<parameter=city>\n<parameter=city>\nRome\n</parameter>", "Rome", True),
        ("<parameter=city><parameter=city>Rome</parameter></parameter>", "<parameter=city>Rome</parameter>", False),
    ],
)
def test_its_own_tag_once_more_is_dropped_unless_it_was_closed(inside: str, city: str, repaired: bool) -> None:
    assert arguments_of(inside) == ({"city": city}, Outcome.RECOVERED if repaired else Outcome.STRICT)


@pytest.mark.parametrize(
    ("value", "read"), [("3", 3), ("-1.5", -1.5), ('"3', '"3'), ("[1", "[1"), ("true", True), ("tru", "tru")]
)
def test_only_a_number_may_end_with_the_value_it_says_is_json(value: str, read: object) -> None:
    """A number has no end of its own; whatever else is cut off is text."""
    raw = (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n'
        f'<｜DSML｜parameter name="more" string="false">{value}</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    )
    (call,) = get_format("deepseek_dsml").parse(raw, [ToolSpec("get_weather", "", {"type": "object"})]).calls
    assert call.arguments == {"more": read}


def test_the_same_value_twice_is_named_and_two_values_are_no_call() -> None:
    raw = "<tool_call>\n<function=get_weather>\n<parameter=days>3</parameter>\n<parameter=days>{}</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw.format(3), [TOOL]).calls
    assert call.repairs == ("name_dup",)
    found = get_format("qwen3_coder_xml").parse(raw.format(4), [TOOL])
    assert (found.calls, [problem.code for problem in found.problems]) == ((), ["ambiguous"])


@pytest.mark.parametrize(("size", "code"), [(TAG_LIMIT - 1, "truncated"), (TAG_LIMIT, "bad_json")])
def test_a_reply_that_ends_inside_a_tag_is_cut_off_and_what_is_longer_is_no_tag(size: int, code: str) -> None:
    raw = "<tool_call>\n<function=get_weather>\n" + "<parameter=".ljust(size, "x")
    found = get_format("qwen3_coder_xml").parse(raw, [TOOL])
    assert (found.calls, [problem.code for problem in found.problems]) == ((), [code])


def test_text_that_is_marked_as_such_bears_no_marks() -> None:
    raw = '<function name="get_weather"><param name="city"><![CDATA[Rome <Lazio>]]></param></function>'
    (call,) = get_format("minicpm5").parse(raw, [TOOL]).calls
    assert call.arguments == {"city": "Rome <Lazio>"}


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</city>\n<parameter=days>3</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\\n<function=‹get_weather›>\\n«<parameter=city>\\nRome\\n</parameter>\\n<parameter=days>\\n3\\n</parameter>»\\n</function>\\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "double_encoded open_value")])),
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n  «<parameter=city>\n    Rome\n  </parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "open_value")])),
        ("deepseek_dsml", "stop", Drawn('⟨<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="metric" string="false">yes</｜DSML｜parameter>\n</｜DSML｜invoke⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city: Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("minicpm5", "stop", Drawn('⟨<function name="get_weather"><param name="city"<![CDATA[Rome]]></param></function>⟩', [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("deepseek_dsml", "stop", Drawn('⟦<｜DSML｜function_calls>\n<｜DSML｜invoke name="‹get_weather›">\n«<｜DSML｜parameter name="metric" string="false">yes</｜DSML｜parameter>»\n</｜DSML｜invoke>\n</｜DSML｜function_calls>⟧', [("get_weather", {"metric": "yes"}, "schema_coerced")])),
        ("deepseek_dsml", "stop", Drawn('⟦<｜DSML｜function_calls>\n<｜DSML｜invoke name="‹get_weather›">\n«<｜DSML｜parameter name="city" string="false">5 </｜DSML｜parameter>»\n</｜DSML｜invoke>\n</｜DSML｜function_calls>⟧', [("get_weather", {"city": "5 "}, "schema_coerced")])),
    ],
)  # fmt: skip
def test_places_of_parameters_and_what_is_said_of_them(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\n\nRome\n\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "\nRome\n"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\n  Rome  \n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "  Rome  "}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city></parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": ""}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": ""}, "")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«<parameter="city">Rome</parameter>»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter='city'>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter = city >Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«<parameter name="city">Rome</parameter>»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</city>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter=city>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</param>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome<parameter=days>3</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome\n<parameter=days>\n3\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>a </parameter> b</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "a </parameter> b"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>a <parameter=b> c</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "a <parameter=b> c"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city: Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«< parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter></parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city><parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=town>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"town": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter>\n<parameter=days>three</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": "three"}, "schema_coerced")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter>\n<parameter=metric>True</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "metric": True}, "py_literal")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>\n<function=‹write_file›>\n«<parameter=path>\na\n</parameter>\n<parameter=content>\n<b>\n  x\n</b>\n</parameter>\n<parameter=tags>\n["t"]\n</parameter>»\n</function>\n</tool_call>⟧', [("write_file", {"path": "a", "content": "<b>\n  x\n</b>", "tags": ["t"]}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<parameter=path>\na\n</parameter>\n<parameter=content>\n</parameter> in\n</parameter>»\n</function>\n</tool_call>⟧", [("write_file", {"path": "a", "content": "</parameter> in"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<parameter=path>\na\n</parameter>\n<parameter=content>\nx</function>\ny\n</parameter>»\n</function>\n</tool_call>⟧", [("write_file", {"path": "a", "content": "x</function>\ny"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n  «<parameter=city>\n    Rome\n  </parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\\nRome\\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "double_encoded open_value")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=>Rome</parameter>\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
    ],
)  # fmt: skip
def test_values_keys_and_their_tags(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parametr>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome< /parameter>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter >\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\n<b>Rome</b>\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "<b>Rome</b>"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter>\n<parameter=days>3</parameter>\n<parameter=metric>false</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3, "metric": False}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<parameter=path>a</parameter>\n<parameter=content>x\n</parameter>\n\ny\n</parameter>»\n</function>\n</tool_call>⟧", [("write_file", {"path": "a", "content": "x\n</parameter>\n\ny"}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<path>a</path>\n<content>x <path>b</path></content>»\n</function>\n</tool_call>⟧", [("write_file", {"path": "a", "content": "x <path>b</path>"}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<city>Rome</parameter>\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<city>Rome\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>'Rome'</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "'Rome'"}, "")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=city>Rome</parameter><parameter=city>Oslo\n</function>⟩\n</tool_call>", [], ["reported ambiguous get_weather: 'city' is given to 'get_weather' twice, or its text holds a parameter's tags."])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome\n\n<parameter=days>\n3\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome\n", "days": 3}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=key>city</parameter><parameter=value>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"key": "city", "value": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>\n<function=‹write_file›>\n«<parameter=tags>["a"]</parameter><parameter=path>p</parameter><parameter=content>c</parameter>»\n</function>\n</tool_call>⟧', [("write_file", {"tags": ["a"], "path": "p", "content": "c"}, "")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>\n<function=‹write_file›>\n«<parameter=options>{"a": 1}</parameter><parameter=path>p</parameter><parameter=content>{"b": 2}</parameter>»\n</function>\n</tool_call>⟧', [("write_file", {"options": {"a": 1}, "path": "p", "content": '{"b": 2}'}, "")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<parameter=options>{'a': 1}</parameter><parameter=path>p</parameter><parameter=content>c</parameter>»\n</function>\n</tool_call>⟧", [("write_file", {"options": {"a": 1}, "path": "p", "content": "c"}, "py_literal")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹write_file›>\n«<parameter=options>x</parameter><parameter=path>p</parameter><parameter=content>c</parameter>»\n</function>\n</tool_call>⟧", [("write_file", {"options": "x", "path": "p", "content": "c"}, "schema_coerced")])),
    ],
)  # fmt: skip
def test_keys_and_closers_in_odd_spellings(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(("tag", "arguments"), [("days", {"city": "Oslo", "days": 7}), ("planet", None), ("days2", None)])  # fmt: skip
def test_a_tag_with_a_name_of_its_own_is_a_parameter_only_where_it_is_declared(
    tag: str, arguments: dict[str, Any] | None
) -> None:
    raw = f"<tool_call>\n<function=get_weather>\n<city>Oslo</city>\n<{tag}>7</{tag}>\n</function>\n</tool_call>"
    read = get_format("qwen3_coder_xml").parse(raw, [TOOL])
    assert [call.arguments for call in read.calls] == ([] if arguments is None else [arguments])
    assert [problem.code for problem in read.problems] == (["bad_json"] if arguments is None else [])


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ('deepseek_dsml', False, Drawn('⟦<｜DSML｜function_calls>\n<｜DSML｜invoke name="‹now›">\n«<｜DSML｜parameter name="days">3</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>»\n</｜DSML｜invoke>\n</｜DSML｜function_calls>⟧', [('now', {'days': 3}, 'name_dup')])),
        ('deepseek_dsml', False, Drawn('⟦<｜DSML｜function_calls>\n<｜DSML｜invoke name="‹now›">\n«<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="days">3</｜DSML｜parameter>»\n</｜DSML｜invoke>\n</｜DSML｜function_calls>⟧', [('now', {'days': '3'}, 'name_dup')])),
        ('deepseek_dsml', False, Drawn('⟦<｜DSML｜function_calls>\n<｜DSML｜invoke name="‹now›">\n«<｜DSML｜parameter name="days" string="true">3</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="true">3</｜DSML｜parameter>»\n</｜DSML｜invoke>\n</｜DSML｜function_calls>⟧', [('now', {'days': '3'}, 'name_dup')])),
    ],
)  # fmt: skip
def test_a_value_once_more_that_says_what_it_is(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('anthropic_xml', Drawn('⟦<function_calls>\n<invoke name="‹now›«»">\n</invoke>⟧⟦  <invoke name="‹get_weather›">«<parameter name="city">\n  Rome\n  </parameter>»\n</invoke>\n</function_calls>⟧', [('now', {}, ''), ('get_weather', {'city': 'Rome'}, 'open_value')])),
    ],
)  # fmt: skip
def test_blanks_before_a_call_on_the_line_of_the_one_before_are_its_indent(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen3_coder_xml', Drawn('⟦<tool_call>\n<function=‹get_weather›>\nSo: «<parameter=city>\nSo: Rome\nSo: </parameter>»\n</function>\n</tool_call>⟧', [('get_weather', {'city': 'So: Rome\nSo: '}, 'text_around')])),
    ],
)  # fmt: skip
def test_words_before_a_tag_are_no_indent(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
