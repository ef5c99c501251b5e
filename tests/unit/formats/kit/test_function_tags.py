"""Function elements with values in attributes or between tags."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import tools_from_json
from workbench.formats import get_format

ATTRIBUTES = '<function name="f"><params><param name="a" value="3" type="integer"/><param name="b" value="x &amp; y"/></params></function>'
TEXTS = '<function name="f"><param name="a" type="integer">3</param><param name="b">x &amp; y</param></function>'
TOOLS = tools_from_json([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}])


@pytest.mark.parametrize("form", ["generic_xml", "minicpm5"])
@pytest.mark.parametrize("text", [ATTRIBUTES, TEXTS])
def test_types_count_and_entities_are_resolved(form: str, text: str) -> None:
    result = get_format(form).parse(text, None)
    (call,) = result.calls
    assert (call.name, call.arguments, call.repairs) == ("f", {"a": 3, "b": "x & y"}, ("near_miss_tag",))
    assert text[call.name_span.start : call.name_span.end] == "f"
    assert (call.span.start, call.span.end) == (0, len(text))


def test_a_declared_type_goes_before_a_written_one() -> None:
    (call,) = get_format("generic_xml").parse(ATTRIBUTES, TOOLS).calls
    assert call.arguments == {"a": "3", "b": "x & y"}


@pytest.mark.parametrize(
    ("text", "repairs", "rest"),
    [
        (f"<functions>{ATTRIBUTES}{TEXTS}</functions>", ("near_miss_tag",), ""),
        (f"<functions>\n{ATTRIBUTES}\n{TEXTS}\n</functions> Done.", ("near_miss_tag",), " Done."),
        (f"<functions>{ATTRIBUTES}{TEXTS}", ("near_miss_tag", "missing_close_tag"), ""),
        (f"<functions>{ATTRIBUTES}{TEXTS} Done.", ("near_miss_tag", "missing_close_tag"), " Done."),
    ],
)
def test_a_document_holds_several(text: str, repairs: tuple[str, ...], rest: str) -> None:
    result = get_format("generic_xml").parse(text, None)
    assert [call.name for call in result.calls] == ["f", "f"]
    assert {call.repairs for call in result.calls} == {repairs}
    assert result.text.strip() == rest.strip()
    first, last = result.calls
    assert (first.span.start, last.span.end) == (0, len(text) - len(rest))
    assert first.span.end <= last.span.start


def test_unclosed_parameters() -> None:
    text = '<functions><function name="f"><params><param name="a" value="3"/></function><function name="g"></function></functions>'
    calls = get_format("generic_xml").parse(text, None).calls
    assert [(call.name, call.arguments) for call in calls] == [("f", {"a": "3"}), ("g", {})]


@pytest.mark.parametrize(
    "text",
    [
        '<function name="f"><params><param name="a" type="integer" required="true"><desc>A number.</desc></param></params></function>',
        '<functions><function name="f"><params><param name="a" type="integer"/></params></function></functions>',
        "<functions></functions>",
        "The <functions> tag holds them.",
    ],
)
def test_definitions_and_mentions_are_no_calls(text: str) -> None:
    assert get_format("generic_xml").parse(text, None).calls == ()


def test_another_element_beside_the_parameters_is_passed_over() -> None:
    text = '<function name="f"><param name="a" value="3" type="integer"/><note>hm</note></function>'
    (call,) = get_format("generic_xml").parse(text, None).calls
    assert (call.arguments, call.span.end) == ({"a": 3}, len(text))


@pytest.mark.parametrize("word", ["desc", "description", "type", "enum"])
def test_an_element_that_defines_a_function_calls_none(word: str) -> None:
    text = f'<function name="f"><{word}>hm</{word}><param name="a" value="3" type="integer"/></function>'
    assert get_format("generic_xml").parse(text, None).calls == ()


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("generic_xml", "stop", Drawn('⟨<function name="get_weather"⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather"')),
        ("generic_xml", "stop", Drawn('```json\n⟦<function name="‹get_weather›"><params>«<param name="city" value="Rome &amp; Lazio" type="string"/><param name="days" type="integer" value="3"/>»</params></function>⟧\n```', [("get_weather", {"city": "Rome & Lazio", "days": 3}, "near_miss_tag fenced")])),
        ("generic_xml", "stop", Drawn('⟨<function name="get_weather"><params><param name="city" value="Rome &amp; Lazio" type="string"/><param name="days" type="integer" value="3"/></params>/function>⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather"><params><param name="city" value="Rome &amp; Lazio" type="string"/><param name="days" type="integer" value="3"/></params>/function>')),
        ("qwen_xml", "stop", Drawn('⟦<tool_call><functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("generic_xml", "stop", Drawn('⟦<functions>\n<function name="‹get_weather›">«<param name="city" type="string">Rome</param>»</function>⟧</function>\n⟦<function name="‹now›">«»</function>\n</functions>⟧ more', [("get_weather", {"city": "Rome"}, "near_miss_tag"), ("now", {}, "near_miss_tag")], [], "more")),
        ("qwen_xml", "stop", Drawn('⟦<tool_call><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call><functions><function name="get_weather">⟩⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call><functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family missing_close_tag")])),
    ],
)  # fmt: skip
def test_places_of_function_elements_and_what_is_said_of_them(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("minicpm5", Drawn("⟨<function name='now'><parameters><parameter name='zone' value='CET'></paramete></parameters></function> more⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "<function name='now'><parameters><parameter name='zone' value='CET'></paramete></parameters> more")),
        ("generic_xml", Drawn("⟦<FUNCTION NAME='‹NOW›'><parameters>«<parameter name='zone' value='CET'></parameter>»</parameters></function>⟧ more", [("now", {"zone": "CET"}, "near_miss_tag name_prefix")], [], "more")),
        ("qwen_xml", Drawn('⟨<tool_call><functions><function name="get_weather">⟩⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»</FUNCTION></functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
    ],
)  # fmt: skip
def test_attributes_in_odd_spellings(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value="Rome"></param>»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›"><params>«<param name="city" value="Rome" type="string"/>»</params></function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="days" value="3" type="integer"/><param name="city">Rome</param>»</function>⟧ ok', [("get_weather", {"days": 3, "city": "Rome"}, "near_miss_tag")], [], "ok")),
        ("minicpm5", True, Drawn('⟦<function name="‹now›«»"></function>⟧', [("now", {}, "")])),
        ("minicpm5", True, Drawn('⟦<function name="‹now›«»"/>⟧', [("now", {}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟨<function name="get_weather">x⟩</function>', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather">x')),
        ("minicpm5", True, Drawn('⟨<function name="later"><param name="city">Rome</param></function>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("minicpm5", True, Drawn('⟨<function name="get_weather"><param value="Rome"/>⟩</function>', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather"><param value="Rome"/>')),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_close_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»\n⟧⟦<function name="‹now›">«»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_close_tag"), ("now", {}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value="Rome"/>»</function>⟧\n⟦<function name="‹now›">«»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag"), ("now", {}, "near_miss_tag")])),
        ("minicpm5", True, Drawn("⟦<function name=\"‹get_weather›\">«<param name='city' value='Rome'/>»</function>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" value=Rome />»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", False, Drawn('⟦<function name="‹f›">«<param name="a" type="integer">3</param><param name="b" type="array[string]">["x"]</param><param name="c">4</param>»</function>⟧', [("f", {"a": 3, "b": ["x"], "c": "4"}, "near_miss_tag")])),
        ("minicpm5", False, Drawn('⟦<function name="‹f›">«<param name="a" value="3" type="integer"/><param name="b" value="true" type="boolean"/>»</function>⟧', [("f", {"a": 3, "b": True}, "near_miss_tag")])),
        ("generic_xml", True, Drawn('⟦<functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></functions>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("generic_xml", True, Drawn('⟦<functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function>⟧⟦<function name="‹now›">«»</function></functions>⟧ ok', [("get_weather", {"city": "Rome"}, "near_miss_tag"), ("now", {}, "near_miss_tag")], [], "ok")),
        ("generic_xml", True, Drawn('⟦<functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_close_tag")])),
        ("generic_xml", True, Drawn('⟨<functions><function name="get_weather"><param name="x" type="string" description="y"/></function>⟩</functions>', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<functions><function name="get_weather"><param name="x" type="string" description="y"/></function>')),
        ("generic_xml", True, Drawn('⟦<tool_call><functions><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></functions></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
    ],
)  # fmt: skip
def test_elements_with_values_in_tags_and_attributes(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧', [('get_weather', {'city': 'Rome'}, '')])),
        ('minicpm5', 'stop', True, Drawn('ok ⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧ ok', [('get_weather', {'city': 'Rome'}, 'text_around')], [], 'ok ok')),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧', [('get_weather', {'city': 'Rome'}, ''), ('get_weather', {'city': 'Rome'}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧\n⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧\n', [('get_weather', {'city': 'Rome'}, ''), ('get_weather', {'city': 'Rome'}, '')])),
        ('minicpm5', 'stop', True, Drawn('<functions>⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧</functions>', [('get_weather', {'city': 'Rome'}, '')], [], '<functions></functions>')),
        ('minicpm5', 'stop', True, Drawn('a <functions>\n⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧\n</functions> b', [('get_weather', {'city': 'Rome'}, '')], [], 'a <functions>\n</functions> b')),
        ('minicpm5', 'stop', True, Drawn('<functions>⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧', [('get_weather', {'city': 'Rome'}, '')], [], '<functions>')),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧</functions>', [('get_weather', {'city': 'Rome'}, '')], [], '</functions>')),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»⟧', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')])),
        ('minicpm5', 'length', True, Drawn('⟨<function name="get_weather"><param name="city">Rome</param>⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="get_weather"><param name="city">Rome⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="get_weather"><⟩', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather"><')),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="get_weather"></function>⟩', [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹now›«»"/>⟧', [('now', {}, 'near_miss_tag')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹now›«»"></function>⟧', [('now', {}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="later"><param name="a">1</param></function>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('minicpm5', 'stop', False, Drawn('⟦<function name="‹later›">«<param name="a">1</param>»</function>⟧', [('later', {'a': '1'}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city"><![CDATA[a < b]]></param>»</function>⟧', [('get_weather', {'city': 'a < b'}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">a < b & c</param>»</function>⟧', [('get_weather', {'city': 'a < b & c'}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="get_weather"><param name="city">Rome</param><param name="city">Oslo</param></function>⟩', [], ["reported ambiguous get_weather: 'city' is given to 'get_weather' twice, or its text holds a parameter's tags."])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»x</function>⟧', [('get_weather', {'city': 'Rome'}, 'text_around')])),
        ('minicpm5', 'stop', True, Drawn('⟨<function name="get_weather"><param>Rome⟩</param></function>', [], ["reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], '<function name="get_weather"><param>Rome')),
        ('minicpm5', 'stop', True, Drawn('<?xml version="1.0"?>\n⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧', [('get_weather', {'city': 'Rome'}, '')], [], '<?xml version="1.0"?>')),
        ('minicpm5', 'stop', True, Drawn('`⟨<function name="get_weather"><param name="city">Rome</param></function>⟩`', [], ['ignored mentioned get_weather: This looks like a call but it stands in inline code.'], '`<function name="get_weather"><param name="city">Rome</param></function>`')),
        ('minicpm5', 'stop', True, Drawn('For example: ⟨<function name="get_weather"><param name="city">Rome</param></function>⟩', [], ['ignored mentioned get_weather: This looks like a call but it follows “for example”.'], 'For example: <function name="get_weather"><param name="city">Rome</param></function>')),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹write_file›">«<param name="path">a</param><param name="content"><b>x</b>\n</param>»</function>⟧', [('write_file', {'path': 'a', 'content': '<b>x</b>'}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param><param name="days">3</param>»</function>⟧', [('get_weather', {'city': 'Rome', 'days': 3}, '')])),
        ('minicpm5', 'stop', True, Drawn('⟦<function name="‹get_weather›">«<param name="days">x</param><param name="city">Rome</param>»</function>⟧', [('get_weather', {'days': 'x', 'city': 'Rome'}, 'schema_coerced')])),
    ],
)  # fmt: skip
def test_where_function_elements_begin_and_end(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('nemotron_toolcall', Drawn('⟦<TOOLCALL><functions><function name="‹now›">«»</function>⟧</TOOLCALL>', [('now', {}, 'wrong_family missing_close_tag')])),
        ('nemotron_toolcall', Drawn('⟦<TOOLCALL><functions><function name="‹now›">«»</function></functions></TOOLCALL>⟧', [('now', {}, 'wrong_family')])),
        ('nemotron_toolcall', Drawn('⟦<TOOLCALL><function name="‹now›">«»</function></TOOLCALL>⟧', [('now', {}, 'wrong_family')])),
    ],
)  # fmt: skip
def test_a_document_that_is_not_closed_is_told(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
