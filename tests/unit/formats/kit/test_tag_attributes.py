"""Tags that carry attributes."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

CALL = '{"name": "f", "arguments": {"a": 1}}'


@pytest.mark.parametrize(
    "text",
    [
        f'<tool_call id="1">{CALL}</tool_call>',
        f"<tool_call id='1' kind=\"x\">\n{CALL}\n</tool_call>",
        '<tool_call name="f" arguments={"a": 1} />',
        '<tool_call id="1" name="f" arguments={"a": 1}></tool_call>',
        '<tool_call name="f" arguments=\'{"a": 1}\'/>',
    ],
)
def test_one_call(text: str) -> None:
    result = get_format("qwen_xml").parse(text, None)
    (call,) = result.calls
    assert (call.name, call.arguments, call.repairs) == ("f", {"a": 1}, ("near_miss_tag",))
    assert (call.span.start, call.span.end, result.text) == (0, len(text), "")


def test_a_tag_in_a_tag() -> None:
    text = f'<tool_call>\n<tool_call id="1">{CALL}</tool_call>\n<tool_call id="2">{CALL}</tool_call>\n</tool_call>'
    result = get_format("qwen_xml").parse(text, None)
    assert ([call.name for call in result.calls], result.text) == (["f", "f"], "")


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call id="1"></tool_call>',
        "A <tool_call of some kind> is meant.",
        '<tool_call name="f" arguments={"a": }/>',
        '<tool_call name="f" size={"a": 1}/>',
        '<tool_call id="1"',
    ],
)
def test_no_call(text: str) -> None:
    assert get_format("qwen_xml").parse(text, None).calls == ()


@pytest.mark.parametrize(
    "raw",
    [
        '<tool_call id="a>b">{"name": "now", "arguments": {}}</tool_call>',
        '<tool_call id="{1}">{"name": "now", "arguments": {}}</tool_call>',
        '<tool_call name="now" note="a>b" arguments={} />',
    ],
)
def test_an_attribute_ends_at_its_quote(raw: str) -> None:
    parsed = get_format("qwen_xml").parse(raw, None, "stop")
    assert [(call.name, call.arguments) for call in parsed.calls] == [("now", {})]
    for cut in range(1, len(raw)):
        parser = get_format("qwen_xml").parser(None)
        parser.feed(raw[:cut])
        parser.feed(raw[cut:])
        parser.finish("stop")
        assert parser.result() == parsed


@pytest.mark.parametrize(
    "raw",
    [
        '<tool_call name="now">{"zone": "CET"}</tool_call>',
        '<tool_call name="now">\n<zone>CET</zone>\n</tool_call>',
        "<tool_call name='now' args='{\"zone\": \"CET\"}' />",
    ],
)
def test_a_declared_name_in_the_tag_and_its_arguments_alone(raw: str) -> None:
    tool = ToolSpec("now", "", {"type": "object", "properties": {"zone": {"type": "string"}}})
    spec = get_format("qwen_xml")
    (call,) = spec.parse(raw, [tool], "stop").calls
    assert (call.name, call.arguments) == ("now", {"zone": "CET"})
    assert call.repairs
    assert not spec.parse(raw.replace('"now"', '"nope"').replace("'now'", "'nope'"), [tool], "stop").calls
    for cut in range(1, len(raw)):
        parser = spec.parser([tool])
        parser.feed(raw[:cut])
        parser.feed(raw[cut:])
        parser.finish("stop")
        assert parser.result() == spec.parse(raw, [tool], "stop")


def test_a_second_object_behind_the_arguments_is_no_repair_of_the_first() -> None:
    tool = ToolSpec("f", "", {"type": "object", "properties": {"a": {"type": "integer"}}})
    raw = '<tool_call name="f">{"a": 1}, {"a": 2}</tool_call>'
    result = get_format("qwen_xml").parse(raw, [tool])
    assert [(call.arguments, call.repairs) for call in result.calls] == [({"a": 1}, ("near_miss_tag",))]
    assert [problem.code for problem in result.problems] == ["unread_call"]


@pytest.mark.parametrize("behind", ["</tool_call>", "\n</tool_call> and on"])
def test_a_tag_that_closes_itself_ends_there(behind: str) -> None:
    tag = '<tool_call name="f" arguments={"a": 1}/>'
    (call,) = get_format("qwen_xml").parse(tag + behind, [ToolSpec("f")]).calls
    assert call.span[:2] == (0, len(tag))


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟨<tool_call name="get_weather">⟩⟦<tool_call name="‹get_weather›">«<city>Rome</city>»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather">')),
        ("qwen_xml", "stop", Drawn('⟦<tool_call name="‹get_weather›">«{"cit": "Rome"}»</tool_call>⟧', [("get_weather", {"cit": "Rome"}, "near_miss_tag")])),
    ],
)  # fmt: skip
def test_places_of_a_call_whose_tag_bears_its_name(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›">«{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›">\n «{"city": "Rome"}»\n</tool_call>⟧ ok', [("get_weather", {"city": "Rome"}, "near_miss_tag")], [], "ok")),
        ("qwen_xml", Drawn('⟨<tool_call name="later">{"city": "Rome"}</tool_call>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›" arguments=«{"city": "Rome"}» />⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn("⟦<tool_call name='‹get_weather›' arguments='«{\"city\": \"Rome\"}»'></tool_call>⟧ ok", [("get_weather", {"city": "Rome"}, "near_miss_tag")], [], "ok")),
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›" arguments=«{"city": "Rome"}»/>⟧</tool_call>', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call id="1" name="‹get_weather›" input=«{"city": "Rome"}»>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn('⟨<tool_call name="get_weather" arguments={"city": "Rome"} x>⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather" arguments={"city": "Rome"} x>')),
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›">«<city>Rome</city>»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", Drawn('⟨<tool_call name="now">⟩</tool_call>', [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], '<tool_call name="now">')),
        ("qwen_xml", Drawn('⟨<tool_call name="now"/>⟩', [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], '<tool_call name="now"/>')),
        ("qwen_xml", Drawn('⟦<tool_call id="1">{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn("⟦<tool_call name=\"‹get_weather›\" arguments=«{'city': 'Rome'}» />⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag single_quotes")])),
        ("qwen_xml", Drawn('⟨<tool_call arguments={"city": "Rome"} />⟩', [], ["reported unread_call : A call begins here and cannot be read."], '<tool_call arguments={"city": "Rome"} />')),
        ("qwen_xml", Drawn('⟨<tool_call x name="get_weather" arguments={"city": "Rome"} />⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call x name="get_weather" arguments={"city": "Rome"} />')),
        ("qwen_xml", Drawn('⟨<tool_call name="get_weather" arguments={"city": "Rome">⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather" arguments={"city": "Rome">')),
        ("qwen_xml", Drawn('⟦<tool_call name="‹get_weather›">«{"city": "Rome"»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_brace")])),
        ("qwen_xml", Drawn('Say: ⟦<tool_call name="‹get_weather›" params=«{"city": "Rome"}» />⟧ and ⟦<tool_call id="2">{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag"), ("now", {}, "near_miss_tag")], [], "Say: and")),
    ],
)  # fmt: skip
def test_name_and_arguments_in_attributes(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›">«<city>Rome</city><days>3</days>»</tool_call>⟧ ok', [('get_weather', {'city': 'Rome', 'days': 3}, 'wrong_family')], [], 'ok')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call id="7" name="‹get_weather›">\n«<city>Rome</city>\n»</tool_call>⟧', [('get_weather', {'city': 'Rome'}, 'wrong_family')])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather"><city>Rome⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather"><city>Rome')),
        ('qwen_xml', 'length', True, Drawn('⟨<tool_call name="get_weather"><city>Rome⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather"><city>Rome')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="get_weather">{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [('now', {}, 'near_miss_tag')])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather">[]⟩</tool_call>', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather">[]')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›">«{"city": "Rome"»⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag missing_brace missing_close_tag')])),
        ('qwen_xml', 'length', True, Drawn('⟨<tool_call name="get_weather">{"city": "Rome"⟩', [], ['reported truncated : The call is cut off.'])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›">«{"city": "Rome"}»⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag missing_close_tag')])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›">«{"city": "Rome"}»}</tool_call>⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag extra_brace')])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather">{"city": }</tool_call>⟩', [], ["reported bad_json : '}' cannot stand here."])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather" arguments={"city": "Rome", "days": [}/>⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather" arguments={"city": "Rome", "days": [}/>')),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather" arguments={"city": "Rome"}⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call name="get_weather" arguments={"city": "Rome"}')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›" arguments=«{"city": "Rome"}» />⟧\n</tool_call>', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›" arguments=«{"city": "Rome"}»>\n</tool_call>⟧ ok', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')], [], 'ok')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›" arguments=«{"city": "get_weather"}»/>⟧ ok', [('get_weather', {'city': 'get_weather'}, 'near_miss_tag')], [], 'ok')),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call id="1"/>{"name": "get_weather", "arguments": {"city": "Rome"}}⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call id="1"/>{"name": "get_weather", "arguments": {"city": "Rome"}}')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call id="1">{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [('get_weather', {'city': 'Rome'}, 'missing_close_tag near_miss_tag')])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call id="1" x>{"name": "get_weather", "arguments": {"city": "Rome"}}⟩⟨</tool_call>⟩', [], ['reported unread_call : A marker ends a call here that was never begun.', "reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<tool_call id="1" x>{"name": "get_weather", "arguments": {"city": "Rome"}}')),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call id="1">words</tool_call>⟩', [], ['reported bad_json : What stands between the markers is no call.'])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="get_weather">words</tool_call>⟩', [], ['reported bad_json : What stands between the markers is no call.'])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call name="‹get_weather›" arguments="«{"city": "Rome"}»"/>⟧', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')])),
        ('qwen_xml', 'stop', True, Drawn('⟨<tool_call name="later" arguments={"city": "Rome"}/>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('qwen_xml', 'stop', False, Drawn('⟦<tool_call name="‹later›" arguments=«{"city": "Rome"}»/>⟧', [('later', {'city': 'Rome'}, 'near_miss_tag')])),
    ],
)  # fmt: skip
def test_attributes_that_are_cut_bent_or_of_another_tool(
    form: str, reason: str, whole: Drawn, *, declared: bool
) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(("longer", "called"), [(0, True), (1, False)])
def test_attributes_are_no_longer_than_a_limit(longer: int, called: bool) -> None:
    raw = f'<tool_call id="{"1" * (314 + longer)}">{CALL}</tool_call>'
    assert bool(get_format("qwen_xml").parse(raw, None).calls) is called


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("qwen_xml", "stop", True, Drawn('⟨<tool_call name="getWeather">{"city": "Rome"}</tool_call>⟩', [], ["reported unknown_tool getWeather: No tool 'getWeather' is declared."])),
        ("qwen_xml", "stop", False, Drawn('⟦<tool_call name="‹getWeather›">«{"city": "Rome"}»</tool_call>⟧', [("getWeather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", "stop", True, Drawn('⟦<tool_call id="get_weather" name="‹get_weather›" arguments=«{"city": "Rome"}» />⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", "stop", False, Drawn('⟦<tool_call id="get_weather" name="‹get_weather›" arguments=«{"city": "Rome"}» />⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", "stop", True, Drawn('⟨<tool_call name="a b">{"city": "Rome"}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", "stop", False, Drawn('⟨<tool_call name="a b">{"city": "Rome"}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", "stop", True, Drawn('⟨<tool_call id="7">{"city": "Rome"}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", "stop", False, Drawn('⟨<tool_call id="7">{"city": "Rome"}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", "stop", True, Drawn('⟨<tool_call name="foo"><city>Rome</city></tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", False, Drawn('⟦<tool_call name="‹foo›">«<city>Rome</city>»</tool_call>⟧', [("foo", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", "stop", True, Drawn('⟦<tool_call name="foo">{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", "stop", False, Drawn('⟦<tool_call name="foo">{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
    ],
)  # fmt: skip
def test_the_name_of_a_tag_is_told(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(("size", "read"), [(1, True), (303, True), (304, False), (320, False)])
def test_a_tag_with_an_angle_in_its_quotes_is_no_longer_than_others(size: int, read: bool) -> None:
    raw = f'<tool_call id="a>{"x" * size}" name="f">{{"name": "f", "arguments": {{}}}}</tool_call>'
    assert len(get_format("qwen_xml").parse(raw, None).calls) == read
