"""The object around a call: keys, wrappers, spans."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.envelope import Envelope, JsonSource
from workbench.formats.kit.toolset import ToolSet

SET = ToolSet(tuple(TOOLS.values()))


def items(value: Any, envelope: Envelope | None = None, canonical: bool = True) -> Any:
    text = json.dumps(value)
    source = JsonSource(text, 0, len(text), 0, form="test", canonical=canonical)
    return (envelope or Envelope()).items(value, source, SET)


@pytest.mark.parametrize(
    ("value", "repairs"),
    [
        ({"name": "now", "arguments": {}}, ()),
        ({"tool": "now", "arguments": {}}, ("name_key",)),
        ({"name": "now", "parameters": {}}, ("args_key",)),
        ({"recipient_name": "functions.now", "parameters": {}}, ("name_key", "args_key", "name_prefix")),
        ({"type": "function", "function": {"name": "now", "arguments": "{}"}}, ("args_key", "double_encoded")),
        ({"name": "now", "zone": "CET"}, ("args_key",)),
        ({"now": {}}, ("args_key",)),
        ({"name": "now", "arguments": {"zone": "x"}, "parameters": {"y": 1}}, ("args_key",)),
        ({"tool_calls": [{"name": "now", "arguments": {}}]}, ("args_key",)),
        ({"next_tool_name": "now", "next_tool_args": {"zone": "x"}}, ("name_key", "args_key")),
        ({"tool_name": "now", "server": 0, "tool_args": {"zone": "x"}}, ("name_key", "args_key")),
        ({"request": "now", "zone": "x"}, ("name_key", "args_key")),
        ({"thoughts": {"text": "t"}, "command": {"name": "now", "args": {}}}, ("args_key",)),
        ({"goal": "g", "action": [{"now": {"zone": "x"}}]}, ("args_key",)),
        ({"method": "tools/call", "params": {"name": "now", "arguments": {}}}, ("args_key",)),
        (
            {"tool_uses": [{"recipient_name": "functions.now", "parameters": {}}]},
            ("args_key", "name_key", "name_prefix"),
        ),
    ],
)
def test_keys(value: Any, repairs: tuple[str, ...]) -> None:
    (call,) = items(value)
    assert isinstance(call, ParsedCall)
    assert call.repairs == repairs


@pytest.mark.parametrize(
    "value",
    [
        {"next_tool_name": "finish", "next_tool_args": {}},
        {"command_name": "unknown", "args": {"zone": "x"}},
        {"request": "now and then", "zone": "x"},
        {"thoughts": "t", "command": {"name": "Ada", "args": {}}},
        {"goal": "now", "plan": ["now"]},
        {"method": "tools/list", "params": {"name": "now", "arguments": {}}},
        {"action": {"type": "wait"}, "thought": "now"},
    ],
)
def test_a_program_s_own_words_count_for_declared_tools_alone(value: Any) -> None:
    assert items(value, canonical=False) is None


def test_no_calls() -> None:
    assert items({}) == []
    assert items([]) == []
    assert items({"name": "Ada", "age": 3}, canonical=False) is None
    assert items("text", canonical=False) is None
    (problem,) = items({"x": 1})
    assert problem.code == "bad_name"
    (problem,) = items({"name": "now", "parameters": {"type": "object", "properties": {}}})
    assert problem.code == "mentioned"
    (declined,) = items({"name": "no", "arguments": {}}, Envelope(silent=("no",)))
    assert (declined.code, declined.outcome) == ("declined", None)


def test_an_answer_in_the_shape_of_a_call_is_none() -> None:
    answer = {"action": "Final Answer", "action_input": {"city": "Rome"}}
    assert items(answer) is None
    assert items({**answer, "action": "final answer"}) is None
    own = ToolSet([ToolSpec("Final Answer", "", {"properties": {"city": {"type": "string"}}})])
    text = json.dumps(answer)
    (call,) = Envelope().items(answer, JsonSource(text, 0, len(text), 0, form="test"), own) or ()
    assert isinstance(call, ParsedCall)


def test_declared_parameters_beside_the_arguments_belong_to_them() -> None:
    call = {"name": "get_weather", "arguments": {"city": "Rome"}}
    (found,) = items({**call, "days": 3})
    assert (found.arguments, found.repairs) == ({"city": "Rome", "days": 3}, ("wrapper_arg",))
    for beside in ({"days": 3, "other": 1}, {"city": "Oslo"}, {"id": "days"}):
        (found,) = items({**call, **beside})
        assert (found.arguments, found.repairs) == ({"city": "Rome"}, ()), beside


def test_two_matching_keys_are_ambiguous() -> None:
    (problem,) = items({"name": "now", "arguments": {"zone": "a"}, "parameters": {"zone": "b"}})
    assert isinstance(problem, ParseProblem)
    assert problem.code == "ambiguous"


def test_parallel_wrapper_needs_declared_names() -> None:
    uses = [{"recipient_name": "functions.now", "parameters": {}}, {"recipient_name": "now", "parameters": {}}]
    found = items({"name": "multi_tool_use.parallel", "arguments": {"tool_uses": uses}})
    assert [call.name for call in found] == ["now", "now"]
    (problem,) = items(
        {"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"name": "nope", "parameters": {}}]}}
    )
    assert problem.code == "unknown_tool"


def test_spans_point_at_name_and_arguments() -> None:
    text = '[{"arguments": {"zone": "x"}, "name": "now"}]'
    source = JsonSource(text, 0, len(text), 100, form="test")
    (call,) = Envelope().items(json.loads(text), source, SET) or []
    assert isinstance(call, ParsedCall)
    assert text[call.name_span.start - 100 : call.name_span.end - 100] == "now"
    assert text[call.arguments_span.start - 100 : call.arguments_span.end - 100] == '{"zone": "x"}'


def test_quick_takes_strict_objects_only() -> None:
    envelope = Envelope()
    assert envelope.quick('{"name": "a", "arguments": {"b": 1}} x', 0) == ("a", {"b": 1}, 10, 11, 27, 35, 36)
    for text in ('{"name": "a", "arguments": {"b": 1}, "c": 2}', '{"name": "a", "arguments": {"b": }}', "{}"):
        assert envelope.quick(text, 0) is None


@pytest.mark.parametrize("key", ["", "with"])
def test_an_object_under_an_unknown_key_is_the_arguments_if_the_tool_takes_it(key: str) -> None:
    (call,) = items({"name": "now", key: {"zone": "CET"}})
    assert isinstance(call, ParsedCall)
    assert (call.arguments, call.repairs) == ({"zone": "CET"}, ("args_key", "wrapper_arg"))
    (problem,) = items({"name": "now", key: {"place": "CET"}})
    assert isinstance(problem, ParseProblem)
    assert problem.code == "args_not_object"
    assert items({"name": "now", key: {"zone": "CET"}}, canonical=False) is None
    (unknown,) = items({"name": "later", key: {"zone": "CET"}})
    assert isinstance(unknown, ParseProblem)
    assert unknown.code == "unknown_tool"


@pytest.mark.parametrize(
    ("envelope", "value", "repairs"),
    [
        (Envelope(many="tool_calls"), {"name": "now", "arguments": {}}, ("wrapper_arg",)),
        (Envelope(many="tool_calls"), {"tool_calls": [{"name": "now", "arguments": {}}]}, ()),
        (Envelope(by_key=True), {"name": "now", "arguments": {}}, ("name_key",)),
        (Envelope(by_key=True), {"now": {}}, ()),
    ],
)
def test_the_usual_object_is_another_shape_where_calls_are_listed_or_keyed(
    envelope: Envelope, value: Any, repairs: tuple[str, ...]
) -> None:
    text = json.dumps(value)
    whole = Span(0, len(text))
    for source in (
        JsonSource(text, 0, len(text), 0, form="test"),
        JsonSource(text, 0, len(text), 0, form="test", outer=whole),
    ):
        (call,) = envelope.items(value, source, SET) or []
        assert isinstance(call, ParsedCall)
        assert (call.name, call.repairs) == ("now", repairs)


def test_a_name_that_is_the_key_is_where_the_key_stands() -> None:
    for envelope in (Envelope(), Envelope(by_key=True)):
        text = '{"now": {"zone": "x"}}'
        source = JsonSource(text, 0, len(text), 100, form="test")
        (call,) = envelope.items(json.loads(text), source, SET) or []
        assert isinstance(call, ParsedCall)
        assert text[call.name_span.start - 100 : call.name_span.end - 100] == "now"
        assert text[call.arguments_span.start - 100 : call.arguments_span.end - 100] == '{"zone": "x"}'


def test_an_object_that_lacks_what_the_tool_requires_is_no_call_where_no_marker_says_so() -> None:
    whole, lacking, odd = (
        {"name": "get_weather", "arguments": arguments} for arguments in ({"city": "Rome"}, {}, {"city": 5})
    )
    assert [item.outcome for item in items(whole, canonical=False)] == [Outcome.STRICT]
    assert items(lacking, canonical=False) is None
    assert [item.outcome for item in items(odd, canonical=False)] == [Outcome.RECOVERED]


@pytest.mark.parametrize("key", ["tool", "action", "function", "tool_call"])
def test_a_call_as_the_only_member_of_an_object(key: str) -> None:
    raw = f'{{"{key}": {{"name": "get_weather", "arguments": {{"city": "Rome"}}}}}}'
    for form, text in (("bare_json", raw), ("qwen_xml", f"<tool_call>{raw}</tool_call>")):
        (call,) = get_format(form).parse(text, tuple(TOOLS.values()), "stop").calls
        assert (call.name, call.arguments) == ("get_weather", {"city": "Rome"})


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧,{"name": "now", "arguments": {}}</tool_call>', [("now", {}, "name_dup")])),
        ("bare_json", "stop", Drawn('⟦{"action": "‹get_weather›", "action_input": «"Rome"»}⟧', [("get_weather", {"city": "Rome"}, "name_key args_key text_as_argument")])),
    ],
)  # fmt: skip
def test_a_value_that_repeats_a_call_or_is_text_alone(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


TWO = '{"name": "get_weather", "arguments": {"city": "Rome"}, "name": "now", "arguments": {}}'


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("qwen_xml", f"<tool_call>\n{TWO}\n</tool_call>"), ("bare_json", TWO), ("bare_json", f"[{TWO}]"), ("phi4_functools", f"functools[{TWO}]"),
        ("mistral_json", f"[TOOL_CALLS][{TWO}]"), ("json_scaffold", f"[{TWO}]".replace("name", "tool")),
    ],
)  # fmt: skip
def test_an_object_that_names_two_calls_gives_none(form: str, raw: str) -> None:
    found = get_format(form).parse(raw, tuple(TOOLS.values()), "stop")
    assert ([*found.calls], [problem.code for problem in found.problems]) == ([], ["ambiguous"])
    once = get_format(form).parse(
        raw.replace("now", "get_weather").replace("{}", '{"city": "name"}'), tuple(TOOLS.values())
    )
    assert [call.name for call in once.calls] == ["get_weather"]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨5⟩]', [("now", {}, "")], ["reported bad_json : The call is no JSON object."])),
        ("bare_json", Drawn('⟦[tool_calls]{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "wrong_family")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹get_weather›", "arguments x ": «{"city": "Rome"}», "days": 3}}\n</tool_call>⟧', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace args_key wrapper_arg")])),
        ("llama3_json", Drawn('⟦{"name": "‹get_weather›", "description": "Current weather.", "parameters": «{"type": "object", "propertie": {"city": {"type": "string"}}}»}⟧', [("get_weather", {"type": "object", "propertie": {"city": {"type": "string"}}}, "")])),
    ],
)  # fmt: skip
def test_members_beside_a_call(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("bare_json", Drawn('⟨{"name": "now", "arguments": {"zone": "a"}, "parameters": {}}⟩', [], ["reported ambiguous now: Two keys could be the arguments."])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "args": «{"zone": "a"}»}⟧', [("now", {"zone": "a"}, "args_key")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "input": «{"zone": "a"}»}⟧', [("now", {"zone": "a"}, "args_key")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "params": «"{\\"zone\\": \\"a\\"}"»}⟧', [("now", {"zone": "a"}, "args_key double_encoded")])),
        ("bare_json", Drawn('⟦{"tool_name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "name_key")])),
        ("bare_json", Drawn('⟦{"function_name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "name_key")])),
        ("bare_json", Drawn('⟦{"tool": {"name": "‹now›", "arguments": «{}»}}⟧', [("now", {}, "args_key")])),
        ("bare_json", Drawn('⟦{"function_call": {"name": "‹now›", "arguments": «"{}"»}}⟧', [("now", {}, "args_key double_encoded")])),
        ("bare_json", Drawn('⟦{"id": "c1", "name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›«»", "city": "Rome", "days": 2}⟧', [("get_weather", {"city": "Rome", "days": 2}, "args_key")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}», "days": 2}⟧', [("get_weather", {"city": "Rome", "days": 2}, "wrapper_arg")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"arguments": {"city": "Rome"}}»}⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"name": "get_weather", "arguments": {"city": "Rome"}}»}⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"input": {"city": "Rome"}}»}⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «[{"city": "Rome"}]»}⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("bare_json", Drawn('⟨{"name": "get_weather", "arguments": "city=Rome"}⟩', [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"days": 2}»}⟧', [("get_weather", {"days": 2}, "")])),
        ("bare_json", Drawn('⟦{"calls": [{"name": "‹now›", "arguments": «{}»}]}⟧', [("now", {}, "args_key")])),
        ("bare_json", Drawn('⟨{"tool_calls": []}⟩', [], ["- declined : The model says by '[]' that it calls no tool."])),
        ("bare_json", Drawn('⟦{"tool_calls": {"name": "‹now›", "arguments": «{}»}}⟧', [("now", {}, "args_key")])),
        ("bare_json", Drawn('⟦{"name": "‹now›", "arguments": «{}», "tool_calls": [{"name": "now", "arguments": {}}]}⟧', [("now", {}, "")])),
        ("bare_json", Drawn('⟦{"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"recipient_name": "‹functions.now›", "parameters": «{}»}]}}⟧', [("now", {}, "extra_calls name_key name_prefix")])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟨{"name": "later", "arguments": {}}⟩, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("bare_json", Drawn('[⟦{"name": "‹now›", "arguments": «{}»}⟧, [⟦{"name": "‹now›", "arguments": «{}»}⟧]]', [("now", {}, ""), ("now", {}, "wrapper_arg")])),
        ("bare_json", Drawn('{"name": "now", "result": 5}', [], [], '{"name": "now", "result": 5}')),
        ("bare_json", Drawn('{"name": "now", "content": "12:00"}', [], [], '{"name": "now", "content": "12:00"}')),
        ("bare_json", Drawn('⟨{"type": "function", "name": "now"}⟩', [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], '{"type": "function", "name": "now"}')),
    ],
)  # fmt: skip
def test_keys_of_names_and_arguments(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟨<tool_call>{"a": 1}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn('⟨<tool_call>{"arguments": {}}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn('⟨<tool_call>{"name": 3, "arguments": {}}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn('⟨<tool_call>{"name": null}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn('<tool_call>[⟨{"a": 1}⟩, ⟦{"name": "‹now›", "arguments": «{}»}⟧]</tool_call>', [("now", {}, "extra_calls")], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn("⟨<tool_call>[1]</tool_call>⟩", [], ["reported bad_json : The call is no JSON object."])),
        ("qwen_xml", Drawn('⟨<tool_call>{"type": "object", "properties": {}}</tool_call>⟩', [], ["reported bad_name : The call names no tool."])),
        ("qwen_xml", Drawn('⟨<tool_call>{"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}</tool_call>⟩', [], ["ignored mentioned now: This looks like a call but repeats a tool's definition."])),
    ],
)  # fmt: skip
def test_objects_that_name_no_tool(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("value", "is_plain"),
    [
        ({"name": "now", "arguments": {}}, True), ({"tool": "now", "parameters": {}}, True), ({"function_name": "now", "arguments": {}}, True), ({"tool_name": "now", "arguments": {}}, True), ({"function": "now", "parameters": {}}, True), ({"action": "now", "arguments": {}}, False), ({"name": "now", "input": {}}, False),
        ({"id": "now", "arguments": {}}, False), ({"name": "now"}, False), ({"name": "now", "arguments": "x"}, False), ({"name": 1, "arguments": {}}, False),
        ([{"name": "now", "arguments": {}}], True), ([], False), ([{"name": "now", "arguments": {}}, {"name": "now"}], False), ("now", False),
    ],
)  # fmt: skip
def test_the_shape_that_only_a_call_has(value: Any, is_plain: bool) -> None:
    assert Envelope().plain(value) is is_plain


@pytest.mark.parametrize(("ident", "read"), [("x", "x"), (7, "7"), (True, ""), (None, ""), (1.5, ""), ([], "")])
def test_an_id_is_a_text_or_a_number(ident: Any, read: str) -> None:
    (call,) = items({"name": "now", "arguments": {"zone": "x"}, "id": ident}, Envelope(ident="id"))
    assert (call.id, call.arguments, call.repairs) == (read, {"zone": "x"}, ())
    assert items({"name": "now", "arguments": {}, "id": ident})[0].id == ""


@pytest.mark.parametrize(
    ("uses", "codes"),
    [
        ([{"recipient_name": "now", "parameters": {}}], []), ([], ["unknown_tool"]), ([{"recipient_name": "nope", "parameters": {}}], ["unknown_tool"]),
        ([{"recipient_name": "now", "parameters": {}}, {}], ["bad_name"]), ({}, ["unknown_tool"]),
    ],
)  # fmt: skip
def test_an_invented_call_of_several_holds_calls_of_declared_tools_alone(uses: Any, codes: list[str]) -> None:
    found = items({"name": "multi_tool_use.parallel", "arguments": {"tool_uses": uses}})
    assert [one.code for one in found if isinstance(one, ParseProblem)] == codes
    assert [one.name for one in found if isinstance(one, ParsedCall)] == ([] if "unknown_tool" in codes else ["now"])
