"""A call as a JSON string, and a call whose markers are HTML-escaped."""

from __future__ import annotations

import json

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
BODY = '{"name": "get_weather", "arguments": {"city": "Rome"}}'


def test_the_whole_call_is_a_string() -> None:
    raw = f"<tool_call>{json.dumps(BODY)}</tool_call>"
    (call,) = get_format("qwen_xml").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("double_encoded",))
    assert (call.span.start, call.span.end) == (0, len(raw))


def test_string_without_a_call_is_an_attempt() -> None:
    result = get_format("qwen_xml").parse('<tool_call>"hello"</tool_call>', SPECS)
    assert [problem.code for problem in result.problems] == ["bad_json"]
    result = get_format("qwen_xml").parse(f"<tool_call>{json.dumps(BODY)} and more</tool_call>", SPECS)
    assert (result.calls, [problem.code for problem in result.lost]) == ((), ["bad_json"])


def test_escaped_markers_need_a_declared_name() -> None:
    escaped = "&lt;tool_call&gt;" + BODY.replace('"', "&quot;") + "&lt;/tool_call&gt;"
    (call,) = get_format("qwen_xml").parse(escaped, SPECS).calls
    assert call.repairs == ("html_escaped",)
    other = escaped.replace("get_weather", "nope")
    assert get_format("qwen_xml").parse(other, SPECS).text == other
    half = escaped.replace("&lt;/tool_call&gt;", "</tool_call>")
    assert not get_format("qwen_xml").parse(half, SPECS).calls


def test_a_lost_opener_needs_the_closer_and_a_line_of_its_own() -> None:
    spec = get_format("qwen_xml")
    (call,) = spec.parse(f"Ok.\n{BODY}\n</tool_call>", SPECS).calls
    assert call.repairs == ("missing_open_tag",)
    assert not spec.parse(f"Ok.\n{BODY}", SPECS).calls
    assert not spec.parse(f"See {BODY}</tool_call>", SPECS).calls


def test_leading_body_needs_a_declared_tool() -> None:
    spec = get_format("qwen_xml")
    for raw in (BODY, f"[{BODY}]", f"<think>So.</think>\n{BODY} Done."):
        (call,) = spec.parse(raw, SPECS).calls
        assert call.repairs == ("missing_open_tag", "missing_close_tag")
        assert spec.parse(raw.replace("get_weather", "nope"), SPECS).outcome.value == "none"
    assert not get_format("minimax_m1").parse(BODY, SPECS).calls


FENCED = f"```json\n{BODY}\n```"


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        (f"I look it up.\n\n**Tool Call:**\n{FENCED}\n", 1),
        (f"I will call the tool:\n{FENCED}\nThen I wait.", 1),
        (f"{FENCED}\n{FENCED}", 2),
        (f"I will look twice.\n{FENCED}\nThen\n{FENCED}", 2),
        (f"So it is.</think>\n{FENCED}", 1),
        (f"This is what the object holds\n{FENCED}", 0),
        (f"{FENCED}\nThat is how one writes it.", 0),
        (f"I will look.\n{FENCED}\nYou could also write:\n{FENCED}", 1),
        (f"**Tool Call:**\n{FENCED.replace('get_weather', 'nope')}", 0),
    ],
)
def test_a_code_block_that_is_announced_holds_the_call(raw: str, calls: int) -> None:
    for name in ("qwen_xml", "generic_xml", "gemma_function", "granite", "granite_20b"):
        found = get_format(name).parse(raw, SPECS, "stop").calls
        assert [call.arguments for call in found] == [{"city": "Rome"}] * calls, name
        assert all({"missing_open_tag", "fenced"} <= set(call.repairs) for call in found)


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>‹get_weather›\n«{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("granite", "stop", Drawn('[{⟨"name": "now", "arguments": words{}}]⟩', [], ["reported unknown_format now: A call of 'now' in a form that granite does not know."], '[{"name": "now", "arguments": words{}}]')),
    ],
)  # fmt: skip
def test_a_name_before_the_object_and_an_object_that_breaks_off(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("qwen_xml", True, Drawn('‹›«»⟦<tool_call>"{\\"name\\": \\"now\\", \\"arguments\\": {}}"</tool_call>⟧ ok', [("now", {}, "double_encoded")], [], "ok")),
        ("qwen_xml", True, Drawn('⟨<tool_call>"{\\"name\\": \\"now\\", \\"arguments\\": {}}" x</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", True, Drawn('‹›‹›«»«»⟦⟦<tool_call>"[{\\"name\\": \\"now\\", \\"arguments\\": {}}, {\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Rome\\"}}]"</tool_call>⟧⟧', [("now", {}, "double_encoded"), ("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("qwen_xml", True, Drawn('‹›«»⟦<tool_call>"{\\"name\\": \\"now\\", \\"arguments\\": {}}"⟧', [("now", {}, "double_encoded")])),
        ("qwen_xml", True, Drawn('⟨<tool_call>"3"</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", True, Drawn("‹›«»⟦<tool_call>\"{'name': 'now', 'arguments': {}}\"</tool_call>⟧", [("now", {}, "double_encoded single_quotes")])),
        ("qwen_xml", True, Drawn('⟨<tool_call>"{\\"name\\": \\"later\\", \\"arguments\\": {}}"</tool_call>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("qwen_xml", True, Drawn('⟨<tool_call>"{\\"a\\": 1}"</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", True, Drawn('⟦‹«&lt;tool_call&gt;{"name": "now", "arguments": {}}&lt;/tool_call&gt;»›⟧ ok', [("now", {}, "html_escaped")], [], "ok")),
        ("qwen_xml", True, Drawn("⟦‹«&lt;tool_call&gt; {&quot;name&quot;: &quot;now&quot;, &quot;arguments&quot;: {&quot;zone&quot;: &quot;a&amp;b&quot;}}\n&lt;/tool_call&gt;»›⟧", [("now", {"zone": "a&b"}, "html_escaped")])),
        ("qwen_xml", True, Drawn("⟦‹«&lt;tool_call&gt;{'name': 'now', 'arguments': {}}&lt;/tool_call&gt;»›⟧", [("now", {}, "html_escaped single_quotes")])),
        ("qwen_xml", True, Drawn('⟦⟦‹‹««&lt;tool_call&gt;{"name": "now", "arguments": {}}\n{"name": "get_weather", "arguments": {"city": "Rome"}}&lt;/tool_call&gt;»»››⟧⟧', [("now", {}, "html_escaped"), ("get_weather", {"city": "Rome"}, "html_escaped")])),
        ("qwen_xml", True, Drawn('&lt;tool_call&gt;{"name": "later", "arguments": {}}&lt;/tool_call&gt;', [], [], '&lt;tool_call&gt;{"name": "later", "arguments": {}}&lt;/tool_call&gt;')),
        ("qwen_xml", True, Drawn("⟨&lt;tool_call&gt;now&lt;/tool_call&gt;⟩", [], ["reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], "&lt;tool_call&gt;now&lt;/tool_call&gt;")),
        ("qwen_xml", True, Drawn('⟦‹«&lt;tool_call&gt;[{"name": "now", "arguments": {}}]&lt;/tool_call&gt;»›⟧', [("now", {}, "html_escaped")])),
        ("qwen_xml", True, Drawn('&lt;tool_call&gt;{"a": 1}&lt;/tool_call&gt;', [], [], '&lt;tool_call&gt;{"a": 1}&lt;/tool_call&gt;')),
        ("qwen_xml", True, Drawn('⟦<tool_call>‹get_weather›>«{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", True, Drawn('⟦<tool_call>function\n‹get_weather›\n«{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", True, Drawn('⟦<tool_call>to=functions.‹get_weather› «{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", True, Drawn('⟦<tool_call>commentary to=functions.‹get_weather› json<|message|>«{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", True, Drawn('⟦<tool_call>‹get_weather›: «{"city": "Rome"}»\n</tool_call>⟧ ok', [("get_weather", {"city": "Rome"}, "near_miss_tag")], [], "ok")),
        ("qwen_xml", True, Drawn('⟨<tool_call>later\n{"city": "Rome"}</tool_call>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("qwen_xml", True, Drawn('⟦<tool_call>‹get_weather› «{"city": "Rome"}»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", True, Drawn('⟦<tool_call>‹get_weather›\n«{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_close_tag")])),
        ("qwen_xml", True, Drawn('⟨<tool_call>get weather\n{"city": "Rome"}</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", True, Drawn('⟦<tool_call>‹get_weather›\n«{"city": "Rome"»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag missing_brace")])),
        ("qwen_xml", True, Drawn('⟦{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧ ok', [("now", {}, "missing_open_tag")], [], "ok")),
        ("qwen_xml", True, Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_open_tag missing_close_tag")])),
        ("qwen_xml", True, Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧ ok', [("now", {}, "missing_open_tag missing_close_tag")], [], "ok")),
        ("qwen_xml", True, Drawn('Hm.\n⟦{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "missing_open_tag")], [], "Hm.")),
        ("qwen_xml", True, Drawn('Hm. {⟨"name": "now", "arguments": {}}⟩⟨</tool_call>⟩', [], ["reported unread_call : A marker ends a call here that was never begun.", "reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], 'Hm. {"name": "now", "arguments": {}}')),
        ("qwen_xml", True, Drawn('{"name": "later", "arguments": {}}⟨</tool_call>⟩', [], ["reported unread_call : A marker ends a call here that was never begun."], '{"name": "later", "arguments": {}}')),
        ("qwen_xml", True, Drawn('⟦[{"name": "‹now›", "arguments": «{}»}]</tool_call>⟧', [("now", {}, "missing_open_tag")])),
        ("qwen_xml", True, Drawn('[{⟨"name": "now", "arguments": {}}, {"name": "later", "arguments": {}}]⟩', [], ["reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], '[{"name": "now", "arguments": {}}, {"name": "later", "arguments": {}}]')),
        ("qwen_xml", False, Drawn('⟦{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "missing_open_tag")])),
        ("qwen_xml", False, Drawn('⟦{"name": "‹now›", "arguments": «{}», "x": 1}</tool_call>⟧', [("now", {}, "missing_open_tag")])),
        ("qwen_xml", False, Drawn('&lt;tool_call&gt;{"name": "now", "arguments": {}}&lt;/tool_call&gt;', [], [], '&lt;tool_call&gt;{"name": "now", "arguments": {}}&lt;/tool_call&gt;')),
    ],
)  # fmt: skip
def test_strings_escapes_and_lost_openers(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<tool_call>\nHere it is: {"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "text_around")])),
        ("qwen_xml", Drawn('⟦<tool_call>\nI call this:\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "text_around")])),
        ("qwen_xml", Drawn("⟨<tool_call>\nwords {x}\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", Drawn('⟨<tool_call>\nwords\n\n[{"name": "now", "arguments": {}}]\n</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", Drawn('⟨<tool_call>\n<b>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
    ],
)  # fmt: skip
def test_words_before_the_object(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
