"""Structured calls, judged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, Span
from workbench.core.messages import NativeCall
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
SPEC = get_format("native_openai")


def calls(*given: tuple[str, str]) -> list[NativeCall]:
    return [NativeCall(number, f"id{number}", name, arguments) for number, (name, arguments) in enumerate(given)]


@pytest.mark.parametrize(
    ("arguments", "want", "repairs"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}, ()),
        ("{'city': 'Rome'}", {"city": "Rome"}, ("single_quotes",)),
        ('{"city": "Rome"', {"city": "Rome"}, ("missing_brace",)),
        ('{"city": "Rome"}}', {"city": "Rome"}, ("extra_brace",)),
        ('{"city": "Rome", "days": "2"}', {"city": "Rome", "days": 2}, ("schema_coerced",)),
    ],
)
def test_arguments(arguments: str, want: object, repairs: tuple[str, ...]) -> None:
    result = SPEC.read_native("Hi", calls(("get_weather", arguments)), SPECS)
    (call,) = result.calls
    assert (call.arguments, call.repairs, call.id) == (want, repairs, "id0")
    assert call.span == Span(0, len(arguments), "call:0")
    assert result.text == "Hi"


@pytest.mark.parametrize(
    ("name", "arguments", "reason", "code"),
    [
        ("get_weather", "", None, "missing_argument"),
        ("get_weather", "null", None, "missing_argument"),
        ("get_weather", '{"city": "Ro', "length", "truncated"),
        ("get_weather", '{"city": "Rome"', "length", "truncated"),
        ("get_weather", '{"city": "a"}{"city": "b"}', None, "bad_json"),
        ("get_weather", "Rome", None, "bad_json"),
        ("nope", "{}", None, "unknown_tool"),
        ("", "{}", None, "bad_name"),
    ],
)
def test_refusals(name: str, arguments: str, reason: str | None, code: str) -> None:
    result = SPEC.read_native("", calls((name, arguments)), SPECS, reason)
    assert not result.calls
    assert [problem.code for problem in result.problems] == [code]
    assert result.outcome is Outcome.REPORTED


def test_empty_arguments_without_required_parameters() -> None:
    result = SPEC.read_native("", calls(("now", ""), ("now", "null")), SPECS)
    assert [call.arguments for call in result.calls] == [{}, {}]
    assert [call.outcome for call in result.calls] == [Outcome.STRICT, Outcome.RECOVERED]
    assert [call.repairs for call in result.calls] == [(), ("schema_coerced",)]


def test_fragments_under_the_wrong_index() -> None:
    merged = calls(("get_weather", '{"city": "a"}{"city": "b"}'), ("get_weather", ""))
    assert [call.arguments["city"] for call in SPEC.read_native("", merged, SPECS).calls] == ["a", "b"]
    glued = calls(("get_weathernow", '{"city": "a"}{}'))
    found = SPEC.read_native("", glued, SPECS).calls
    assert [(call.name, call.id) for call in found] == [("get_weather", "id0"), ("now", "call_2")]


def test_fragments_go_back_only_where_their_count_fits() -> None:
    """Which of the two calls without arguments the second object belongs to is anybody's guess."""
    merged = calls(("get_weather", '{"city": "a"}{"city": "b"}'), ("now", ""), ("now", ""))
    result = SPEC.read_native("", merged, SPECS)
    assert [(call.name, call.arguments) for call in result.calls] == [("now", {}), ("now", {})]
    assert [(problem.code, problem.name) for problem in result.problems] == [("bad_json", "get_weather")]


def test_a_declared_tool_with_the_name_of_a_batch_is_called_itself() -> None:
    uses = '{"tool_uses": [{"recipient_name": "now", "parameters": {}}]}'
    own = ToolSpec("multi_tool_use.parallel", "", {"type": "object", "properties": {"tool_uses": {"type": "array"}}})
    given = calls(("multi_tool_use.parallel", uses))
    assert [call.name for call in SPEC.read_native("", given, SPECS).calls] == ["now"]
    assert [call.name for call in SPEC.read_native("", given, (*SPECS, own)).calls] == ["multi_tool_use.parallel"]


def test_thinking_in_the_text_is_reasoning() -> None:
    result = SPEC.read_native("<think>Hm.</think>Hi", calls(("now", "{}")), SPECS)
    assert (result.text, result.reasoning) == ("Hi", "Hm.")


def test_text_formats_read_structured_calls_too() -> None:
    result = get_format("qwen_xml").read_native("", calls(("now", "{}")), SPECS)
    assert [call.name for call in result.calls] == ["now"]
    text = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    assert len(get_format("qwen_xml").read_native(text, [], SPECS).calls) == 1


def test_arguments_under_another_key_are_never_lost_in_silence() -> None:
    def read(function: str) -> tuple[object, list[str]]:
        found = SPEC.parse('{"tool_calls": [{"function": ' + function + "}]}", SPECS)
        return [(call.arguments, call.repairs) for call in found.calls], [problem.code for problem in found.problems]

    assert read('{"name": "now", "foo": {"zone": "CET"}}') == ([({"zone": "CET"}, ("args_key", "wrapper_arg"))], [])
    assert read('{"name": "now", "foo": {"place": "CET"}}') == ([], ["args_not_object"])
    assert read('{"name": "", "foo": {"zone": "CET"}}') == ([], ["bad_name"])


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        (
            "native_openai",
            '{"content": "Ok.", "tool_cals": [{"function": {"name": "get_weather", "arguments": "{}"}}]}',
        ),
        ("native_anthropic", '{"content": [{"tYpe": "tool_use", "name": "get_weather", "input": {"city": "Rome"}}]}'),
        ("native_gemini", '{"parts": [{"functionCal": {"name": "get_weather", "args": {"city": "Rome"}}}]}'),
        (
            "native_openai",
            '{"mesage": {"tool_calls": [{"function": {"name": "get_weather", "with": {"city": "Rome"}}}]}}',
        ),
    ],
)
def test_a_call_under_a_damaged_key_of_the_message_is_told(form: str, raw: str) -> None:
    found = get_format(form).parse(raw, SPECS)
    assert not found.calls
    assert [(problem.code, problem.name) for problem in found.problems] == [("unread_call", "get_weather")]


@pytest.mark.parametrize(
    "raw",
    [
        '{"choices": [{"message": {"content": "Hi"}}], "tools": [{"function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}]}',
        '{"content": "Hi", "messages": [{"role": "tool", "name": "now", "content": {"zone": "CET"}}]}',
        '{"content": "Hi", "used": {"name": "now", "result": {"zone": "CET"}}}',
        '{"tool_calls": [{"function": {"name": "now", "arguments": "{}"}}]}',
    ],
)
def test_other_objects_of_a_message_are_no_calls(raw: str) -> None:
    assert not get_format("native_openai").parse(raw, SPECS).problems


NOW = '{"function": {"name": "now", "arguments": "{}"}}'


@pytest.mark.parametrize(
    ("calls", "more", "codes"),
    [
        (NOW, '{"name": "now", "arguments": {}}', ["unread_call"]),  # the same once more, elsewhere
        (NOW, "1", []),
        ('{"function": {"name": "nope", "arguments": {"then": {"name": "now", "arguments": {}}}}}', "1", ["unknown_tool"]),
    ],
)  # fmt: skip
def test_an_object_like_a_call_is_lost_only_outside_of_what_was_read(calls: str, more: str, codes: list[str]) -> None:
    found = SPEC.parse(f'{{"tool_calls": [{calls}], "more": {more}}}', SPECS)
    assert [problem.code for problem in found.problems] == codes


def test_an_invented_call_that_holds_several_is_those() -> None:
    inside = [
        {"recipient_name": "functions.now", "parameters": {}},
        {"name": "get_weather", "arguments": {"city": "Rome"}},
    ]
    text = json.dumps({"tool_uses": inside[1:]})
    (call,) = SPEC.read_native("", calls(("multi_tool_use.parallel", text)), SPECS).calls
    assert (call.name, call.arguments, call.repairs, call.outcome) == (
        "get_weather", {"city": "Rome"}, ("extra_calls",), Outcome.RECOVERED,
    )  # fmt: skip
    assert {call.span.source, call.name_span.source, call.arguments_span.source} == {"call:0"}
    assert text[call.name_span.start : call.name_span.end] == "get_weather"
    assert text[call.arguments_span.start : call.arguments_span.end] == '{"city": "Rome"}'


@pytest.mark.parametrize(
    ("given", "read", "lost"),
    [
        (("{}{}", ""), [({}, "extra_brace"), ({}, "extra_brace")], []),
        (('{"zone": "a"}{}{"zone": "b"}', "", ""), [({"zone": "a"}, "extra_brace"), ({}, "extra_brace"), ({"zone": "b"}, "extra_brace")], []),
        (("{}{}", " ", ""), [({}, ""), ({}, "")], ["bad_json"]),
        (("{}{}", '{"zone": "a"}'), [({"zone": "a"}, "")], ["bad_json"]),
        (("", "{}"), [({}, ""), ({}, "")], []),
    ],
)  # fmt: skip
def test_joined_fragments_go_back_where_their_number_fits(
    given: tuple[str, ...], read: list[tuple[dict[str, str], str]], lost: list[str]
) -> None:
    found = SPEC.read_native("", calls(*(("now", arguments) for arguments in given)), SPECS)
    assert [(call.arguments, " ".join(call.repairs)) for call in found.calls] == read
    assert [problem.code for problem in found.problems] == lost


def test_a_call_at_a_place_that_the_api_does_not_know_is_told_with_what_to_do() -> None:
    text = '{"role": "assistant", "content": null, "calls": [{"name": "now", "arguments": {}}]}'
    (problem,) = SPEC.parse(text, SPECS).problems
    assert (problem.code, problem.name, problem.hint) == ("unread_call", "now", "Compare the keys with the API's.")
    assert problem.message == "An object with the name 'now' stands where the API has no calls."
    assert problem.span == Span(0, len(text))


@pytest.mark.parametrize(
    ("name", "arguments", "reason", "found"),
    [
        ("now", "", None, [("now", {}, "")]),
        ("now", " \n", None, [("now", {}, "")]),
        ("now", '""', None, [("now", {}, "schema_coerced")]),
        ("now", "None", None, [("now", {}, "schema_coerced")]),
        ("now", '"null"', None, [("now", {}, "schema_coerced")]),
        ("now", ' {"zone": "a"} ', None, [("now", {"zone": "a"}, "")]),
        ("now", '{"zone": "a"}]\n}', None, [("now", {"zone": "a"}, "extra_brace")]),
        ("now", '{"zone": "a"', "stop", [("now", {"zone": "a"}, "missing_brace")]),
        ("now", '{"zone": "a"', "max_tokens", ["truncated now: The arguments of 'now' are cut off."]),
        ("now", '{"zone": "a"} x', None, ["bad_json now: The arguments of 'now' are no readable JSON. More than one value stands there."]),
        ("now", '{"zone" 1}', None, ["bad_json now: The arguments of 'now' are no readable JSON. No colon follows the key 'zone'."]),
        ("now", "[1]", None, ["args_not_object now: The arguments of 'now' are no JSON object."]),
        ("now", '"{\\"zone\\": \\"a\\"}"', None, [("now", {"zone": "a"}, "double_encoded")]),
        (" ", "{}", None, ["bad_name : The call names no tool."]),
        ("functions.now", "{}", None, [("now", {}, "name_prefix")]),
        ("now", "{}{}", None, ["bad_json now: The arguments of 'now' are no readable JSON. More than one value stands there."]),
        ("nownow", "{}{}", None, [("now", {}, "name_dup"), ("now", {}, "name_dup")]),
        ("nowget_weather", '{} {"city": "Rome"}', None, [("now", {}, "name_dup"), ("get_weather", {"city": "Rome"}, "name_dup")]),
        ("multi_tool_use.parallel", '{"tool_uses": [{"recipient_name": "functions.now", "parameters": {}}]}', None, [("now", {}, "extra_calls")]),
        ("multi_tool_use.parallel", '{"tool_uses": []}', None, ["unknown_tool multi_tool_use.parallel: No tool 'multi_tool_use.parallel' is declared."]),
        ("parallel", "[]", None, ["unknown_tool parallel: No tool 'parallel' is declared."]),
    ],
)  # fmt: skip
def test_what_is_said_of_one_structured_call(name: str, arguments: str, reason: str | None, found: list[Any]) -> None:
    result = SPEC.read_native(" Hi ", calls((name, arguments)), SPECS, reason)
    told = [(call.name, call.arguments, " ".join(call.repairs)) for call in result.calls]
    assert [*told, *(f"{one.code} {one.name}: {one.message}" for one in result.problems)] == found
    assert all(call.span.source == "call:0" and call.arguments_span.source == "call:0" for call in result.calls)
    assert all(one.span == Span(0, len(arguments), "call:0") for one in result.problems)
    if not name.startswith("multi"):
        assert all(call.name_span == Span(0, 0, "call:0") for call in result.calls)
    assert all((call.outcome is Outcome.RECOVERED) is bool(call.repairs) for call in result.calls)


def test_merged_arguments_are_given_to_the_calls_that_have_none() -> None:
    given = calls(("now", '{"zone": "a"}{"city": "Rome"}'), ("get_weather", " "))
    result = SPEC.read_native("", given, SPECS)
    assert [(call.name, call.arguments, call.repairs, call.id) for call in result.calls] == [
        ("now", {"zone": "a"}, ("extra_brace",), "id0"),
        ("get_weather", {"city": "Rome"}, ("extra_brace",), "id1"),
    ]
    other = SPEC.read_native("", calls(("now", "{}{}"), ("now", ""), ("now", "")), SPECS)
    assert [one.code for one in other.problems] == ["bad_json"]
    assert len(other.calls) == 2


def test_text_and_reasoning_beside_structured_calls() -> None:
    result = SPEC.read_native("a\n\nb", [NativeCall(0, "", "now", "{}"), NativeCall(1, "", "now", "{}")], SPECS)
    assert (result.text, [call.id for call in result.calls], result.format) == (
        "a\n\nb",
        ["call_1", "call_2"],
        "native_openai",
    )


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ('{"name": "now", "parameters": 5, "args": {"zone": "a"}}', [("now", {"zone": "a"}, ("args_key",))]),
        ('{"name": "now", "parameters": {"zone": "a"}}', [("now", {"zone": "a"}, ("args_key",))]),
        ('{"name": "now", "parameters": {"zone": "a"}, "args": {"zone": "b"}}', []),
        ('{"name": "now", "arguments": null}', [("now", {}, ())]),
        ('{"name": "now", "arguments": {"zone": "ü"}}', [("now", {"zone": "ü"}, ())]),
    ],
)
def test_the_key_of_the_arguments_in_a_message(function: str, found: list[Any]) -> None:
    result = SPEC.parse(f'{{"tool_calls": [{{"function": {function}}}]}}', SPECS)
    assert [(call.name, call.arguments, call.repairs) for call in result.calls] == found
    assert [one.code for one in result.problems] == ([] if found else ["args_not_object"])
