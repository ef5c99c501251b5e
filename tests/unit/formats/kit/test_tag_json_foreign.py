"""Python calls and function elements between the markers of tags that expect JSON."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import tools_from_json
from workbench.formats import get_format

TOOLS = tools_from_json([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}])


@pytest.mark.parametrize(
    ("form", "text", "repairs"),
    [
        ("qwen_xml", "<tool_call>\nf(a=1)\n</tool_call>", ("wrong_family",)),
        ("qwen_xml", "<tool_call>[f(a=1)]</tool_call>", ("wrong_family",)),
        ("qwen_xml", "<tool_call>f(a=1)", ("wrong_family", "missing_close_tag")),
        ("nemotron_toolcall", "<TOOLCALL>[f(a=1)]</TOOLCALL>", ("wrong_family",)),
        ("nemotron_toolcall", "<TOOLCALL>```python\nf(a=1)\n```</TOOLCALL>", ("wrong_family", "fenced")),
        (
            "nemotron_toolcall",
            '<TOOLCALL><function name="f"><param name="a" type="integer">1</param></function></TOOLCALL>',
            ("wrong_family",),
        ),
        ("granite", "<|tool_call|>[f(a=1)]", ("wrong_family",)),
    ],
)
@pytest.mark.parametrize("tools", [None, TOOLS])
def test_the_body_of_another_family(form: str, text: str, repairs: tuple[str, ...], tools: Any) -> None:
    result = get_format(form).parse(text, tools)
    assert [(call.name, call.arguments, call.repairs) for call in result.calls] == [("f", {"a": 1}, repairs)]
    assert result.text == ""
    assert (result.calls[0].span.start, result.calls[0].span.end) == (0, len(text))


@pytest.mark.parametrize("text", ["<toolcall>[g(a=1)]</toolcall>", "<toolcall>f(a=1)</toolcall>"])
def test_near_misses_need_declared_names(text: str) -> None:
    found = get_format("qwen_xml").parse(text, TOOLS).calls
    assert [call.name for call in found] == (["f"] if "f(" in text else [])
    assert get_format("qwen_xml").parse(text, None).calls == ()


def test_words_between_the_markers_are_no_call() -> None:
    assert get_format("qwen_xml").parse("<tool_call>some words</tool_call>", None).calls == ()


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("nemotron_toolcall", False, Drawn('⟨<TOOLCALL><function name="f"><param name="a" type="integer">⟩', [], ["reported unread_call : A call begins here and cannot be read."], '<TOOLCALL><function name="f"><param name="a" type="integer">')),
    ],
)  # fmt: skip
def test_a_cut_call_of_another_form(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('qwen_xml', 'stop', True, Drawn("Well: ⟦<tool_call>\n‹get_weather›(«city='Rome'»)\n</tool_call>⟧ ok", [('get_weather', {'city': 'Rome'}, 'wrong_family')], [], 'Well: ok')),
        ('qwen_xml', 'stop', True, Drawn("Well: ⟦<tool_call>[‹now›(«»)⟧, ⟦‹get_weather›(«city='Rome'»)]</tool_call>⟧\nok", [('now', {}, 'wrong_family'), ('get_weather', {'city': 'Rome'}, 'wrong_family')], [], 'Well: ok')),
        ('qwen_xml', 'stop', True, Drawn("Well: ⟦<tool_call>[‹now›(«»)⟧, ⟦‹get_weather›(«city='Rome'»⟧", [('now', {}, 'missing_brace wrong_family missing_close_tag'), ('get_weather', {'city': 'Rome'}, 'missing_brace wrong_family missing_close_tag')], [], 'Well:')),
        ('qwen_xml', 'stop', True, Drawn("⟦<tool_call>[‹now›(«»)⟧, ⟦‹get_weather›(«city='Rome'»)]</tool_call>⟧\n⟦<tool_call>‹now›(«»)</tool_call>⟧", [('now', {}, 'wrong_family'), ('get_weather', {'city': 'Rome'}, 'wrong_family'), ('now', {}, 'wrong_family')])),
        ('nemotron_toolcall', 'stop', True, Drawn('Well: ⟦<TOOLCALL><function name="‹get_weather›">«<param name="city">Rome</param>»</function></TOOLCALL>⟧ ok', [('get_weather', {'city': 'Rome'}, 'wrong_family')], [], 'Well: ok')),
        ('nemotron_toolcall', 'stop', True, Drawn('Well: ⟦<TOOLCALL><function name="‹get_weather›">«<param name="city">Rome</param>»</function>⟧⟦<function name="‹get_weather›">«<param name="city">Oslo</param>»</function></TOOLCALL>⟧ ok', [('get_weather', {'city': 'Rome'}, 'wrong_family'), ('get_weather', {'city': 'Oslo'}, 'wrong_family')], [], 'Well: ok')),
        ('nemotron_toolcall', 'stop', True, Drawn('⟦<toolcall><function name="‹get_weather›">«<param name="city">Rome</param>»</function></toolcall>⟧', [('get_weather', {'city': 'Rome'}, 'wrong_family near_miss_tag')])),
        ('nemotron_toolcall', 'stop', True, Drawn('⟨<toolcall><function name="later"><param name="city">Rome</param></function>⟩</toolcall>', [], ['reported unread_call : A call begins here and cannot be read.'], '<toolcall><function name="later"><param name="city">Rome</param></function>')),
        ('nemotron_toolcall', 'stop', False, Drawn('⟨<toolcall><function name="get_weather"><param name="city">Rome</param></function>⟩</toolcall>', [], ['reported unread_call : A call begins here and cannot be read.'], '<toolcall><function name="get_weather"><param name="city">Rome</param></function>')),
        ('nemotron_toolcall', 'stop', True, Drawn('⟨<TOOLCALL><function name="later"><param name="city">Rome</param></function></TOOLCALL>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('nemotron_toolcall', 'stop', False, Drawn('⟦<TOOLCALL>[‹later›(«a=1»)]</TOOLCALL>⟧', [('later', {'a': 1}, 'wrong_family')])),
        ('qwen_xml', 'stop', False, Drawn("<toolcall>get_weather(city='Rome')</toolcall>", [], [], "<toolcall>get_weather(city='Rome')")),
        ('qwen_xml', 'stop', True, Drawn('⟨<toolcall>[now(), later()]</toolcall>⟩', [], ["reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], '<toolcall>[now(), later()]</toolcall>')),
        ('qwen_xml', 'stop', True, Drawn("⟦<tool_call>‹get_weather›(«city='Rome'»))</tool_call>⟧", [('get_weather', {'city': 'Rome'}, 'wrong_family')])),
        ('qwen_xml', 'stop', True, Drawn("⟦<tool_call>‹get_weather›(«city='Rome'»)]\n</tool_call>⟧", [('get_weather', {'city': 'Rome'}, 'wrong_family')])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call>‹get_weather›(«city=true»)</tool_call>⟧', [('get_weather', {'city': True}, 'py_literal wrong_family')])),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call>[‹now›(«»)⟧ and more]</tool_call>', [('now', {}, 'missing_brace wrong_family missing_close_tag')], [], 'and more]')),
        ('qwen_xml', 'stop', True, Drawn('⟦<tool_call>[‹now›(«»),\n⟧⟨{"name": "now"}]⟩</tool_call>', [('now', {}, 'wrong_family')], ["reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], '{"name": "now"}]')),
    ],
)  # fmt: skip
def test_places_of_calls_of_another_form(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn("Well, I look it up at once, since nobody here knows it by heart: ⟦<tool_call>\n‹get_weather›(«city='Rome'»)\n</tool_call>⟧ ok", [('get_weather', {'city': 'Rome'}, 'wrong_family')], [], 'Well, I look it up at once, since nobody here knows it by heart: ok')),
        ('nemotron_toolcall', Drawn('Well, I look it up at once, since nobody here knows it by heart: ⟦<TOOLCALL><function name="‹now›">«»</function></TOOLCALL>⟧ ok', [('now', {}, 'wrong_family')], [], 'Well, I look it up at once, since nobody here knows it by heart: ok')),
        ('nemotron_toolcall', Drawn('Well, I look it up at once, since nobody here knows it by heart: ⟦<TOOLCALL>[‹now›(«»)⟧, ⟦‹now›(«»)]</TOOLCALL>⟧', [('now', {}, 'wrong_family'), ('now', {}, 'wrong_family')], [], 'Well, I look it up at once, since nobody here knows it by heart:')),
    ],
)  # fmt: skip
def test_places_far_behind_other_text(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
