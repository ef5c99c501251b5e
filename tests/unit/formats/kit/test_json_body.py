"""A JSON value is found by its structure, mended, or given up at the next marker."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format
from workbench.formats.kit.json_body import Body, json_body
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import ToolSet


def body_of(text: str) -> Body:
    scan = Scanner(get_format("qwen_xml").grammar, ToolSet(None))  # type: ignore[attr-defined]
    scan.text, scan.closed = text, True
    reading = json_body(scan, 0, ("</tool_call>",))
    with pytest.raises(StopIteration) as done:
        next(reading)
    found: Body = done.value.value
    return found


@pytest.mark.parametrize(
    ("text", "value", "end", "repairs"),
    [
        ('{"a": "}"} x', {"a": "}"}, 10, ()),
        ("{'a': 1,} x", {"a": 1}, 9, ("single_quotes", "trailing_comma")),
        ('{"a": {"b": 1}</tool_call>', {"a": {"b": 1}}, 14, ("missing_brace",)),
    ],
)
def test_a_value(text: str, value: object, end: int, repairs: tuple[str, ...]) -> None:
    body = body_of(text)
    assert (body.value, body.end, body.error) == (value, end, "")
    assert set(repairs) <= set(body.repairs)


def test_cut_off_value_is_reported() -> None:
    assert body_of('{"a": 1').error == "truncated"
    assert body_of('{"a": "1</tool_call>').error == "bad_json", "the reply went on"


def test_value_end_without_a_value() -> None:
    body = body_of("{oops} oops</tool_call> x")
    assert (body.error, body.end) == ("bad_json", 23)


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("functionary_v32", Drawn("⟨>>>now\n{now}⟩", [], ["reported truncated now: The call is cut off. ('now')"])),
        ("apertus", Drawn('⟦<|tools_prefix|>[{"‹now›": «{}»⟧', [("now", {}, "missing_brace missing_close_tag")])),
        ("granite", Drawn('⟨<|tool_call|>[{"name""⟩', [], ["reported bad_json : No colon follows the key 'name'."])),
        ("apertus", Drawn('⟨<|tools_prefix|>[{"get_weather": {"city": "Rome"[}, {"get_weather": {"city": "Rome"}}]<|tools_suffix|>⟩', [], ["reported bad_json : '[' stands where a key belongs."])),
    ],
)  # fmt: skip
def test_bodies_that_end_too_early(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»</tool_call>⟧', [("now", {}, "missing_brace")])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {</tool_call>⟩', [], ["reported bad_json now: The value is cut off."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}}</tool_call>⟧', [("now", {}, "extra_brace")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}]</tool_call>⟧', [("now", {}, "extra_brace")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧ x</tool_call>', [("now", {}, "missing_close_tag")], [], "x")),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "get_weather", "arguments": {"city": "Rome</tool_call>⟩', [], ["reported bad_json get_weather: A string is cut off."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "get_weather", "arguments": {"city":</tool_call>⟩', [], ["reported bad_json get_weather: The value is cut off."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{"zone": "a"b"}»}</tool_call>⟧', [("now", {"zone": 'a"b'}, "unescaped_quote")])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a" b}}</tool_call>⟩', [], ["reported bad_json now: No colon follows the key 'b'."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name" "now"}</tool_call>⟩', [], ["reported bad_json : No colon follows the key 'name'."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": now}</tool_call>⟩', [], ["reported bad_json : 'now' is not a JSON value."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>[{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "missing_brace")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»]</tool_call>⟧', [("now", {}, "missing_brace extra_brace")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹write_file›", "arguments": «{"path": "a", "content": "<b>"c"</b>"}»}</tool_call>⟧', [("write_file", {"path": "a", "content": '<b>"c"</b>'}, "unescaped_quote")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{"zone": "</tool_call>"}»}</tool_call>⟧', [("now", {"zone": "</tool_call>"}, "")])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>{</tool_call>⟩", [], ["reported bad_json : The value is cut off."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>[</tool_call>⟩", [], ["reported bad_json : The value is cut off."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>{}</tool_call>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_close_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»⟧', [("now", {}, "missing_brace missing_close_tag")])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "get_weather", "arguments": {"city":⟩', [], ["reported truncated get_weather: The call is cut off."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a⟩', [], ["reported truncated now: The call is cut off."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>{⟩", [], ["reported truncated : The call is cut off."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»⟧⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "missing_brace missing_close_tag"), ("now", {}, "")])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a"b"}}⟩', [], ["reported bad_json now: No colon follows the key 'b'."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[</tool_call>⟩", [], ["reported too_large : The value is nested deeper than 64 levels."])),
        ("qwen_xml", "length", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_close_tag")])),
        ("qwen_xml", "length", Drawn('⟨<tool_call>{"name": "now", "arguments": {}⟩', [], ["reported truncated now: The call is cut off."])),
        ("qwen_xml", "length", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a"b"}}⟩', [], ["reported bad_json now: No colon follows the key 'b'."])),
        ("granite", "stop", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧,⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("granite", "stop", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧,⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, "missing_brace"), ("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("granite", "stop", Drawn('⟨<|tool_call|>[{"name": "now", "arguments": {},{"name": "get_weather", "arguments": {"city": "Rome"}}]⟩', [], ["reported bad_json now: '{' stands where a key belongs."])),
        ("granite", "stop", Drawn('<|tool_call|>[⟦{"name": "‹now›", "arguments": «{}»}⟧ ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, "missing_comma"), ("get_weather", {"city": "Rome"}, "missing_comma")])),
        ("granite", "stop", Drawn('⟨<|tool_call|>[{"name": "now", "arguments": {"zone": "a"b"}}, {"name": "get_weather", "arguments": {"city": "Rome"}}]⟩', [], ["reported bad_json now: No colon follows the key 'b'."])),
    ],
)  # fmt: skip
def test_values_that_are_broken_or_cut(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "length", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{"zone": "a"b"}»}</tool_call>⟧', [("now", {"zone": 'a"b'}, "unescaped_quote")])),
        ("qwen_xml", "length", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a</tool_call>⟩', [], ["reported bad_json now: A string is cut off."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {"zone": "a"b</tool_call>⟩ x', [], ["reported bad_json now: No colon follows the key 'b'."], "x")),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", <b>"arguments": {}}</tool_call>⟩', [], ["reported bad_json now: '<' stands where a key belongs."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>{"name": "now", "arguments": {}<b></tool_call>⟩', [], ["reported bad_json now: '<' stands where a key belongs."])),
    ],
)  # fmt: skip
def test_quotes_in_a_reply_that_was_cut_behind_the_call(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ('qwen_xml', 'stop', Drawn('⟦<tool_call>{"name" = "‹now›", "arguments": «{"a": 1}»⟧', [('now', {'a': 1}, 'unquoted_key missing_brace missing_close_tag')])),
        ('qwen_xml', 'length', Drawn('⟨<tool_call>{"name" = "now", "arguments": {"a": 1}⟩', [], ['reported truncated : The value is cut off.'])),
        ('qwen_xml', 'stop', Drawn('<tool_call>[⟦{"name": "‹now›", "arguments": «{}»}⟧; ⟦{"name": "‹now›", "arguments": «{"a": [2]}»⟧', [('now', {}, 'missing_comma missing_brace missing_close_tag extra_calls'), ('now', {'a': [2]}, 'missing_comma missing_brace missing_close_tag extra_calls')])),
        ('qwen_xml', 'length', Drawn('<tool_call>[⟦{"name": "‹now›", "arguments": «{}»}⟧; ⟨{"name": "now", "arguments": {"a": [2]}⟩', [('now', {}, 'missing_brace')], ['reported truncated now: The call is cut off.'])),
    ],
)  # fmt: skip
def test_brackets_are_added_at_the_end_unless_the_reply_was_cut_off(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole
