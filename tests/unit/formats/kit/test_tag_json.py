"""JSON in a tag, by structure."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.calls import Outcome, Span
from workbench.core.tools import tools_from_json
from workbench.formats import get_format
from workbench.formats.kit import tag_json
from workbench.formats.kit.loose_json import MAX_DEPTH
from workbench.formats.kit.tag_json import TagJson

SPECS = tuple(TOOLS.values())
BODY = '{"name": "get_weather", "arguments": {"city": "Rome"}}'


def test_quick_and_slow_way_agree() -> None:
    spec = get_format("qwen_xml")
    raw = f"<tool_call>\n{BODY}\n</tool_call>" * 3
    whole = spec.parse(raw, SPECS)
    parser = spec.parser(SPECS)
    for char in raw:
        parser.feed(char)
    parser.finish()
    assert parser.result() == whole
    assert [call.id for call in whole.calls] == ["call_1", "call_2", "call_3"]


@pytest.mark.parametrize(
    ("raw", "repairs"),
    [
        (f"<tool_call>{BODY}</toolcall>", ("near_miss_tag",)),
        (f"<tool_call>```json\n{BODY}\n```</tool_call>", ("fenced",)),
        (f"<tool_call>{BODY}] }}</tool_call>", ("extra_brace",)),
        (f'<tool_call>{BODY[:-1]}, "x": [1, 2}}</tool_call>', ("missing_brace",)),
        (f"<tool_call>[{BODY}]</tool_call>", ()),
        (f"<tool_call>\n<tool_call>\n{BODY}\n</tool_call>\n</tool_call>", ("near_miss_tag",)),
    ],
)
def test_repairs(raw: str, repairs: tuple[str, ...]) -> None:
    (call,) = get_format("qwen_xml").parse(raw, SPECS).calls
    assert call.arguments == {"city": "Rome"}
    assert call.repairs == repairs


def test_broken_string_does_not_swallow_the_next_call() -> None:
    raw = f'<tool_call>{{"name": "now", "arguments": {{"zone": "CET}}}}</tool_call>\n<tool_call>{BODY}</tool_call>'
    result = get_format("qwen_xml").parse(raw, SPECS)
    assert [call.name for call in result.calls] == ["get_weather"]
    assert result.outcome is Outcome.REPORTED


def test_many_objects_in_one_tag() -> None:
    raw = "<tool_call>" + "{}" * 3000 + "</tool_call>"
    assert get_format("qwen_xml").parse(raw, SPECS).text == ""


def test_too_large() -> None:
    raw = '<tool_call>{"name": "now", "arguments": {"zone": "' + "a" * (1 << 20) + '"}}</tool_call>'
    assert [problem.code for problem in get_format("qwen_xml").parse(raw, SPECS).problems] == ["too_large"]
    listed = f"<tool_call>[{BODY}, {raw[11:-12]}]</tool_call>"
    found = get_format("qwen_xml").parse(listed, SPECS)
    assert (found.calls, [problem.code for problem in found.problems]) == ((), ["too_large"])
    deep = '<tool_call>{"name": "now", "arguments": ' + '{"a": ' * 70 + "1" + "}" * 70 + "}</tool_call>"
    assert [problem.code for problem in get_format("qwen_xml").parse(deep, SPECS).problems] == ["too_large"]


def test_arguments_that_stand_once_more_beside_the_name_are_unwrapped() -> None:
    raw = '<tool_call>{"name": "get_weather", "arguments": {"name": "get_weather", "arguments": {"city": "Rome"}}}</tool_call>'
    (call,) = get_format("qwen_xml").parse(raw, tuple(TOOLS.values())).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("wrapper_arg",))


def test_an_object_that_is_repeated_in_its_tag_is_one_call_and_three_are_three() -> None:
    spec = get_format("qwen_xml")
    (call,) = spec.parse(f"<tool_call>{BODY}\n{BODY}</tool_call>", SPECS).calls
    assert call.repairs == ("name_dup",)
    other = BODY.replace("Rome", "Oslo")
    for bodies in (f"{BODY}\n{other}", f"{BODY}\n{BODY}\n{BODY}"):
        calls = spec.parse(f"<tool_call>{bodies}</tool_call>", SPECS).calls
        assert [call.repairs for call in calls] == [("extra_calls",)] * (bodies.count("name"))


def test_a_call_that_cannot_be_read_is_told_by_its_name() -> None:
    spec = get_format("qwen_xml")
    (problem,) = spec.parse('<tool_call>{"name": "now", "arguments": {"zone": "CET', SPECS, "length").problems
    assert (problem.code, problem.name) == ("truncated", "now")
    (problem,) = spec.parse("<tool_call>", SPECS).problems
    assert (problem.code, problem.name, problem.span) == ("truncated", "", Span(0, 11, "text"))
    (problem,) = spec.parse("For example <tool_call>", SPECS).problems
    assert problem.code == "mentioned"


@pytest.mark.parametrize("value", ['"' + "{[" * 600 + '"', "[" + "{}," * 600 + "{}]"])
def test_many_brackets_are_no_depth(value: str) -> None:
    raw = f'<tool_call>{{"name": "now", "arguments": {{"a": {value}}}}}</tool_call>'
    (call,) = get_format("qwen_xml").parse(raw, SPECS).calls
    assert call.outcome is Outcome.STRICT
    assert call.arguments == {"a": json.loads(value)}


def test_quick_and_slow_way_agree_on_how_deep_arguments_may_be() -> None:
    spec, found = get_format("qwen_xml"), []
    for depth in range(MAX_DEPTH - 3, MAX_DEPTH + 2):
        deep = '{"a": ' * depth + "1" + "}" * depth
        raw = f'<tool_call>{{"name": "now", "arguments": {deep}}}</tool_call>'
        parser = spec.parser(None)
        for char in raw:
            parser.feed(char)
        parser.finish()
        assert parser.result() == spec.parse(raw, None)
        found.append(len(parser.result().calls))
    assert (found[0], found[-1]) == (1, 0)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("_f(a=1)", ["_f"]), ("[_f(a=1)]", ["_f"]), ("[ f(a=1)]", ["f"]), ("f(a=1)", ["f"]), ("(a=1)", []), ("[1, 2]", []),
        ('<function name="f"><param name="a" value="1"/></function>', ["f"]), ("<f(a=1)>", []),
    ],
)  # fmt: skip
def test_a_python_call_begins_with_a_letter_or_a_line_below(body: str, names: list[str]) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    tools = tools_from_json([{"name": name, "parameters": schema} for name in ("f", "_f")])
    found = get_format("qwen_xml").parse(f"<tool_call>\n{body}\n</tool_call>", tools)
    assert [call.name for call in found.calls] == names
    assert names or found.problems


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', Told([("now", {}, "", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call><tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', Told([("now", {}, "", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'), ("now", {}, "", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')])),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {}}</tool_call>', Told([("now", {}, "", '<tool_call>{"name": "now", "arguments": {}}</tool_call>')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call> Done.', Told([("now", {}, "", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')], "Done.")),
        ("qwen_xml", 'Hi <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', Told([("now", {}, "", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')], "Hi")),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}', Told([("now", {}, "missing_close_tag", '<tool_call>\n{"name": "now", "arguments": {}}')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool', Told([("now", {}, "missing_close_tag", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}', Told([("now", {}, "missing_brace missing_close_tag", '<tool_call>\n{"name": "now", "arguments": {}')])),
        ("qwen_xml", '<toolcall>\n{"name": "now", "arguments": {}}\n</toolcall>', Told([("now", {}, "near_miss_tag", '<toolcall>\n{"name": "now", "arguments": {}}\n</toolcall>')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n<tool_call>', Told([("now", {}, "near_miss_tag", '<tool_call>\n{"name": "now", "arguments": {}}\n<tool_call>')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool>', Told([("now", {}, "missing_close_tag", '<tool_call>\n{"name": "now", "arguments": {}}')], "</tool>")),
        ("qwen_xml", "<tool_call></tool_call>", Told([], "", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("qwen_xml", "<tool_call>\n</tool_call> x", Told([], "x", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("qwen_xml", "<tool_call>hello</tool_call>", Told([], "", [("bad_json", "", "What stands between the markers is no call.")])),
        ("qwen_xml", "<tool_call>", Told([], "", [("truncated", "", "The reply ends where a call begins.")])),
        ("qwen_xml", "a <tool_call> b", Told([], "a <tool_call> b", [("mentioned", "", "This looks like a call but it stands in a sentence.")])),
        ("qwen_xml", "</tool_call>", Told([], "", [("unread_call", "", "A marker ends a call here that was never begun.")])),
        ("qwen_xml", '<tool_call>\n{"name": "other", "arguments": {}}\n</tool_call>', Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {"zone": "CET",}}\n</tool_call>', Told([("now", {"zone": "CET"}, "trailing_comma", '<tool_call>\n{"name": "now", "arguments": {"zone": "CET",}}\n</tool_call>')])),
        ("qwen_xml", '<tool_call>\n{"name": "now", "arguments": {}\n</tool_call>x', Told([("now", {}, "missing_brace", '<tool_call>\n{"name": "now", "arguments": {}\n</tool_call>')], "x")),
        ("qwen_xml", '<tool_call>```json\n{"name": "now", "arguments": {}}\n```</tool_call>', Told([("now", {}, "fenced", '<tool_call>```json\n{"name": "now", "arguments": {}}\n```</tool_call>')])),
        ("qwen_xml", '<tool_call>[{"name": "now", "arguments": {}}, {"name": "now", "arguments": {}}]</tool_call>', Told([("now", {}, "extra_calls", '{"name": "now", "arguments": {}}'), ("now", {}, "extra_calls", '{"name": "now", "arguments": {}}')])),
        ("qwen_xml", '<tool_call>{"name": "now"}</tool_call>', Told([("now", {}, "", '<tool_call>{"name": "now"}</tool_call>')])),
        ("qwen_xml", '<tool_call>{"arguments": {}}</tool_call>', Told([], "", [("bad_name", "", "The call names no tool.")])),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": "{}"}</tool_call>', Told([("now", {}, "double_encoded", '<tool_call>{"name": "now", "arguments": "{}"}</tool_call>')])),
        ("qwen_xml", '<TOOL_CALL>{"name": "now", "arguments": {}}</TOOL_CALL>', Told([("now", {}, "", '<TOOL_CALL>{"name": "now", "arguments": {}}</TOOL_CALL>')])),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {}}}</tool_call>', Told([("now", {}, "extra_brace", '<tool_call>{"name": "now", "arguments": {}}}</tool_call>')])),
        ("qwen_xml", '<tool_call><tool_call>{"name": "now", "arguments": {}}</tool_call>', Told([("now", {}, "near_miss_tag", '<tool_call>{"name": "now", "arguments": {}}</tool_call>')])),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {}}</tool_call></tool_call>', Told([("now", {}, "", '<tool_call>{"name": "now", "arguments": {}}</tool_call>')])),
        ("qwen_xml", '`<tool_call>{"name": "now", "arguments": {}}</tool_call>`', Told([], '`<tool_call>{"name": "now", "arguments": {}}</tool_call>`', [("mentioned", "now", "This looks like a call but it stands in inline code.")])),
        ("qwen_xml", '<think><tool_call>{"name": "now", "arguments": {}}</tool_call></think>ok', Told([], "ok", [("mentioned", "now", "This looks like a call but it stands in a closed reasoning block.")])),
        ("qwen_xml", '&lt;tool_call&gt;{"name": "now", "arguments": {}}&lt;/tool_call&gt;', Told([("now", {}, "html_escaped", '&lt;tool_call&gt;{"name": "now", "arguments": {}}&lt;/tool_call&gt;')])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_json_in_a_tag(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("minimax_m1", "stop", Drawn('<tool_calls>\n⟨{"name": "get_weather", "arguments": {"city": words"Rome"}}⟩\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n</tool_calls>', [("now", {}, "")], ["reported bad_json get_weather: The call's JSON is broken."])),
        ("granite", "stop", Drawn('⟦[{"name": "‹now›", "arguments": «{}»}]⟧', [("now", {}, "missing_open_tag")])),
        ("minimax_m1", "stop", Drawn('⟦<tool_calls>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧\n⟦{"name": "‹now›", "arguments": «{}»}\n</tool_calls>⟧', [("get_weather", {"city": "Rome"}, ""), ("now", {}, "")])),
        ("qwen_xml", "stop", Drawn('<function_call>{⟨\\"name\\": \\"now\\", \\"arguments\\": {}}</function_call>⟩', [], ["reported unknown_format now: A call of 'now' in a form that qwen_xml does not know."], '<function_call>{\\"name\\": \\"now\\", \\"arguments\\": {}}</function_call>')),
        ("minimax_m1", "stop", Drawn('⟨<tool_calls>\n{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Rome\\"}}\n{\\"name\\": \\"now\\", \\"arguments\\": {}}\n</tool_calls>⟩', [], ["reported bad_json : '\\\\' stands where a key belongs."])),
    ],
)  # fmt: skip
def test_places_of_json_between_tags_and_what_is_said_of_it(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧ ok', [("now", {}, "")], [], "ok")),
        ("qwen_xml", "stop", Drawn('Hm. ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "Hm.")),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "extra_calls")])),
        ("qwen_xml", "stop", Drawn('<tool_call>\n[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]\n</tool_call>', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "extra_calls")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧,⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "extra_calls")])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\n\n</tool_call>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call></tool_call>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>⟩", [], ["reported truncated : The reply ends where a call begins."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call> is a tag.⟩", [], ["reported unread_call : A call begins here and cannot be read."], "<tool_call> is a tag.")),
        ("qwen_xml", "stop", Drawn("The ⟨<tool_call> tag.⟩", [], ["ignored mentioned : This looks like a call but it stands in a sentence."], "The <tool_call> tag.")),
        ("qwen_xml", "stop", Drawn("⟨</tool_call>⟩", [], ["reported unread_call : A marker ends a call here that was never begun."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool-call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<toolcall>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_calls>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<|tool_call|>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n<tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n<|im_end|>', [("now", {}, "missing_close_tag")])),
        ("qwen_xml", "stop", Drawn('⟨<TOOL_CALL>\n{"NAME": "NOW", "ARGUMENTS": {}}\n</TOOL_CALL>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", "stop", Drawn("⟦<tool_call>\n‹now›(«»)\n</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("qwen_xml", "stop", Drawn("⟦<tool_call>\n‹get_weather›(«city='Rome'»)\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", "stop", Drawn("⟦<tool_call>\n‹now›«»\n</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\njust words\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\nname: now\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n```json\n{"name": "‹now›", "arguments": «{}»}\n```\n</tool_call>⟧', [("now", {}, "fenced")])),
        ("qwen_xml", "stop", Drawn('<tool_call>\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", "stop", Drawn('```json\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```', [("now", {}, "fenced")])),
        ("qwen_xml", "stop", Drawn('`⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩`', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], '`<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>`')),
        ("qwen_xml", "stop", Drawn('> ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but it stands in a quotation."], '> <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧x', [("now", {}, ""), ("now", {}, "")], [], "x")),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\n{}\n</tool_call>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\n[]\n</tool_call>⟩", [], ["- declined : The model says by '[]' that it calls no tool."])),
        ("qwen_xml", "stop", Drawn("⟨<tool_call>\n5\n</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", Drawn('⟨<tool_call>\n"x"\n</tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›«»"}\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": {}, "arguments": «{"zone": "a"}»}\n</tool_call>⟧', [("now", {"zone": "a"}, "name_dup")])),
        ("qwen_xml", "length", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_close_tag")])),
        ("qwen_xml", "length", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_ca⟧', [("now", {}, "missing_close_tag")])),
        ("internlm", "stop", Drawn('⟦<|action_start|><|plugin|>{"name": "‹now›", "arguments": «{}»}<|action_end|>⟧', [("now", {}, "args_key")])),
        ("command_r", "stop", Drawn('⟦Action: ```json\n[{"tool_name": "‹now›", "parameters": «{}»}]\n```⟧', [("now", {}, "")])),
        ("cwm", "stop", Drawn("⟦<tool: ‹now›>«\n{}\n»</tool>⟧", [("now", {}, "")])),
        ("nemotron_toolcall", "stop", Drawn('<TOOLCALL>[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]</TOOLCALL>', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("nemotron_toolcall", "stop", Drawn('⟦<TOOLCALL>[{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_brace missing_close_tag")])),
        ("apertus", "stop", Drawn('<|tools_prefix|>[⟦{"‹now›": «{}»}⟧, ⟦{"‹get_weather›": «{"city": "Rome"}»}⟧]<|tools_suffix|>', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
    ],
)  # fmt: skip
def test_bodies_and_tags_of_json_calls(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<toolcall>\n```json\n{"name": "‹now›", "arguments": «{}»}\n```\n</toolcall>⟧', [("now", {}, "near_miss_tag fenced")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n```json\n{"name": "‹now›", "arguments": «{}»}\n```⟧', [("now", {}, "fenced missing_close_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n```\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n{"name": "now", "arguments": {}}\n</tool_call>', [("now", {}, "name_dup")])),
        ("qwen_xml", Drawn("⟦<tool_call>\n{'name': '‹now›', 'arguments': «{}»}⟧\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>", [("now", {}, "single_quotes name_dup")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Oslo"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "extra_calls"), ("get_weather", {"city": "Oslo"}, "extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call><functions><function name="‹now›">«»</function></functions></tool_call>⟧', [("now", {}, "wrong_family")])),
        ("qwen_xml", Drawn('⟦<tool_call><function name="‹get_weather›">«<param name="city" value="Rome"/>»</function></tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
    ],
)  # fmt: skip
def test_bodies_in_fences_and_calls_twice(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧\n⟦{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "extra_calls"), ("now", {}, "extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "missing_close_tag extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»\n</tool_call>⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "missing_brace extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n[{"name": "‹now›", "arguments": «{}»}]⟧\n⟦[{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}]\n</tool_call>⟧', [("now", {}, "missing_close_tag"), ("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("qwen_xml", Drawn('<tool_call>\n[⟦{"name": "‹now›", "arguments": «{}»}⟧, \n</tool_call>', [("now", {}, "missing_brace")])),
        ("qwen_xml", Drawn("⟨<tool_call>\n[]\n</tool_call>⟩", [], ["- declined : The model says by '[]' that it calls no tool."])),
        ("qwen_xml", Drawn("⟨<tool_call>\n[[]]\n</tool_call>⟩", [], ["- declined : The model says by '[]' that it calls no tool."])),
        ("qwen_xml", Drawn('⟦<tool_call>\n[{"name": "‹now›", "arguments": «{}»}]\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟨{"name": "later", "arguments": {}}\n</tool_call>⟩', [("now", {}, "extra_calls")], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("internlm", Drawn('⟦<|action_start|><|plugin|>{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}<|action_end|>⟧', [("now", {}, "extra_calls args_key"), ("get_weather", {"city": "Rome"}, "extra_calls args_key")])),
        ("minimax_m1", Drawn('⟦<tool_calls>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_calls>⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("minimax_m1", Drawn('⟦<tool_calls>\n{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»\n</tool_calls>⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("minimax_m1", Drawn('⟦<tool_calls>\n{"name": "‹now›", "arguments": «{}»}⟧,⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_calls>⟧ x', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], [], "x")),
    ],
)  # fmt: skip
def test_several_values_behind_one_opener(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


def _tagged(body: str) -> str:
    return f"<tool_call>\n{body}\n</tool_call>\n"


ODD = {
    "plain": _tagged(BODY), "other spaces": _tagged(BODY.replace(": ", " :  ").replace("}}", " } }")), "in one line": _tagged(BODY).replace("\n", ""),
    "a key twice": _tagged(BODY.replace('"city"', '"city": "Oslo", "city"')), "a key twice inside": _tagged(BODY.replace('"Rome"', '"Rome", "x": {"a": 1, "a": 2}')),
    "a wrapper": _tagged(BODY.replace('{"city": "Rome"}', '{"arguments": {"city": "Rome"}}')), "a definition": _tagged(BODY.replace('"Rome"', '"Rome", "properties": {}')),
    "another spelling": _tagged(BODY.replace("get_weather", "getWeather")), "another case": _tagged(BODY.replace("get_weather", "Get-Weather")),
    "a prefix": _tagged(BODY.replace("get_weather", "functions.get_weather")), "an unknown tool": _tagged(BODY.replace("get_weather", "later")),
    "no name": _tagged(BODY.replace("get_weather", "")), "a number as text": _tagged(BODY.replace('"Rome"', '"Rome", "days": "3"')),
    "nothing required": _tagged(BODY.replace('"city"', '"town"')), "no arguments": _tagged(BODY.replace('"city": "Rome"', "")),
    "an escape in the name": _tagged(BODY.replace("get_weather", "get\\u005fweather")), "no close": _tagged(BODY).replace("</tool_call>", ""),
    "a brace too many": _tagged(BODY + "}"), "a brace too few": _tagged(BODY[:-1]), "another close": _tagged(BODY).replace("</tool_call>", "</TOOL_CALL>"),
    "a near close": _tagged(BODY).replace("</tool_call>", "</toolcall>"), "another opener": _tagged(BODY).replace("<tool_call>", "<TOOL_CALL>"),
    "no number": _tagged(BODY.replace('"Rome"', '"Rome", "days": NaN')), "too deep": _tagged(BODY.replace('"Rome"', '"Rome", "x": ' + "[" * 70 + "]" * 70)),
    "just deep": _tagged(BODY.replace('"Rome"', '"Rome", "x": ' + "[" * 62 + "]" * 62)), "many brackets": _tagged(BODY.replace('"Rome"', '"' + "[{" * 700 + '"')),
    "many lists": _tagged(BODY.replace('"Rome"', '"Rome", "x": [' + "[], " * 70 + "[]]")), "an id": _tagged(BODY.replace('{"name"', '{"id": "7", "name"')),
    "words between": "Then:\n" + _tagged(BODY), "an example": "For example: " + _tagged(BODY), "in code": "`" + _tagged(BODY) + "`", "a comma": _tagged(BODY) + ", ",
}  # fmt: skip
"""Calls as they stand among plain ones."""


@pytest.mark.parametrize("odd", list(ODD))
@pytest.mark.parametrize("form", ["qwen_xml", "granite", "mistral_json"])
def test_a_call_among_plain_ones_is_read_as_it_is_alone(form: str, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = ("[TOOL_CALLS]", "") if form == "mistral_json" else ("<tool_call>", "</tool_call>")
    text = _tagged(BODY) * 2 + ODD[odd] + _tagged(BODY.replace("Rome", "Oslo"))
    text = text.replace("<tool_call>", marks[0]).replace("</tool_call>", marks[1])
    for tools in (SPECS, None):
        quick = get_format(form).parse(text, tools)
        with monkeypatch.context() as patch:
            patch.setattr(TagJson, "run", lambda _grammar, _scan, at: at)
            assert quick == get_format(form).parse(text, tools)


@pytest.mark.parametrize(("odd", "slow"), [("plain", 0), ("other spaces", 0), ("in one line", 0), ("many brackets", 0), ("just deep", 0), ("a key twice", 1), ("a wrapper", 1)])  # fmt: skip
def test_plain_calls_in_a_row_are_read_the_quick_way(odd: str, slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    read = tag_json.json_body

    def counted(scan: Any, at: int, *more: Any) -> Any:
        asked.append(at)
        return read(scan, at, *more)

    monkeypatch.setattr(tag_json, "json_body", counted)
    result = get_format("qwen_xml").parse(f"Two calls:\n{_tagged(BODY)}{ODD[odd]}", SPECS)
    assert (len(result.calls), len(asked)) == (2, slow)


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn('⟨<tool_call>\\n<tool_call>⟩', [], ['reported truncated : The reply ends where a call begins.'])),
        ('qwen_xml', Drawn('⟦<tool_call>\\n<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [('now', {}, 'near_miss_tag')])),
        ('qwen_xml', Drawn('⟦<tool_call>```\n<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n```', [('now', {}, 'near_miss_tag')], [], '```')),
    ],
)  # fmt: skip
def test_an_opener_once_more_behind_layout_is_the_same_one(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
