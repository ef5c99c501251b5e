"""From a draft to a call or a problem."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, Span
from workbench.core.tools import ToolSpec
from workbench.formats.kit.calls import MISSING, Draft, RawText, decode_arguments, settle
from workbench.formats.kit.toolset import ToolSet

HERE = Span(0, 5)
TAGS = ToolSpec(
    "set_tags", "", {"type": "object", "properties": {"tags": {"type": "array", "items": {}}}, "required": ["tags"]}
)
SET = ToolSet((*TOOLS.values(), TAGS))


def draft(name: str, arguments: Any, **more: Any) -> Draft:
    return Draft(name, arguments, HERE, HERE, HERE, **more)


@pytest.mark.parametrize(
    ("name", "arguments", "want", "repairs"),
    [
        ("get_weather", {"city": "Rome"}, {"city": "Rome"}, ()),
        ("get_weather", '{"city": "Rome"}', {"city": "Rome"}, ("double_encoded",)),
        ("get_weather", {"ci\u200bty": "Rome"}, {"city": "Rome"}, ("near_miss_tag",)),
        ("get_weather", RawText({"city": "Rome", "days\ufeff": "5"}), {"city": "Rome", "days": 5}, ("near_miss_tag",)),
        (
            "get_weather",
            {"city": "Rome", "x": {"a\\_b": "c\\_d"}},
            {"city": "Rome", "x": {"a_b": "c\\_d"}},
            ("markdown_escaped",),
        ),
        ("get_weather", {"city": "Rome", "City": "Oslo"}, {"city": "Rome", "City": "Oslo"}, ()),
        ("get_weather", '"{\\"city\\": \\"Rome\\"}"', {"city": "Rome"}, ("double_encoded",)),
        ("get_weather", RawText({"city": "5", "days": "5"}), {"city": "5", "days": 5}, ()),
        ("get_weather", [{"city": "Rome"}], {"city": "Rome"}, ("wrapper_arg",)),
        ("get_weather", {"arguments": {"city": "Rome"}}, {"city": "Rome"}, ("wrapper_arg",)),
        ("get_weather", {"properties": {"city": "Rome"}}, {"city": "Rome"}, ("wrapper_arg",)),
        ("get_weather", {"city": {"value": "Rome"}}, {"city": "Rome"}, ("wrapper_arg",)),
        (
            "get_weather",
            {"city": {"type": "string", "value": "Rome"}, "days": 2},
            {"city": "Rome", "days": 2},
            ("wrapper_arg",),
        ),
        ("get_weather", {"city": {"value": "Rome", "zone": "CET"}}, {"city": {"value": "Rome", "zone": "CET"}}, ()),
        ("get_weather", {"type": "object", "properties": {"city": "Rome"}}, {"city": "Rome"}, ("wrapper_arg",)),
        ("get_weather", {"name": "get_weather", "parameters": {"city": "Rome"}}, {"city": "Rome"}, ("wrapper_arg",)),
        (
            "get_weather",
            {"city": "get_weather", "parameters": {"city": "Rome"}},
            {"city": "get_weather", "parameters": {"city": "Rome"}},
            (),
        ),
        ("set_tags", [{"tag": "a"}], {"tags": [{"tag": "a"}]}, ("positional",)),
        ("set_tags", ["a", "b"], {"tags": ["a", "b"]}, ("positional",)),
        ("set_tags", [{"tags": ["a"]}], {"tags": ["a"]}, ("wrapper_arg",)),
        ("now", MISSING, {}, ()),
        ("now", None, {}, ("schema_coerced",)),
        ("now", " \n", {}, ("double_encoded",)),
        ("now", [], {}, ("schema_coerced",)),
        ("get_weather", {}, {}, ()),
    ],
)
def test_calls(name: str, arguments: Any, want: dict[str, Any], repairs: tuple[str, ...]) -> None:
    call = settle(draft(name, arguments), SET)
    assert isinstance(call, ParsedCall)
    assert (call.arguments, call.repairs) == (want, repairs)
    assert call.outcome is (Outcome.RECOVERED if repairs else Outcome.STRICT)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "now", "parameters": {"city": "Rome"}},
        {"x": 1, "parameters": {"city": "Rome"}},
        {"name": "get_weather", "x": "get_weather", "parameters": {"city": "Rome"}},
    ],
)
def test_an_object_beside_other_things_is_no_wrapper(arguments: dict[str, Any]) -> None:
    call = settle(draft("get_weather", arguments), SET)
    assert isinstance(call, ParsedCall)
    assert (call.arguments, call.repairs) == (arguments, ())


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("nope", {}, "unknown_tool"),
        ("a b", {}, "bad_name"),
        ("get_weather", MISSING, "missing_argument"),
        ("get_weather", RawText({}), "missing_argument"),
        ("get_weather", 5, "args_not_object"),
        ("get_weather", "Rome", "args_not_object"),
        ("get_weather", "{'city': }", "bad_json"),
        ("get_weather", "[1]", "args_not_object"),
        ("get_weather", [{"content": "a"}], "args_not_object"),
        ("get_weather", ["Rome"], "args_not_object"),
    ],
)
def test_problems(name: str, arguments: Any, code: str) -> None:
    problem = settle(draft(name, arguments), SET)
    assert isinstance(problem, ParseProblem)
    assert (problem.code, problem.outcome) == (code, Outcome.REPORTED)
    assert settle(draft(name, arguments, canonical=False), SET) is None


def test_other_shapes_need_declared_names_and_all_arguments() -> None:
    assert settle(draft("now", {}, canonical=False), ToolSet(None)) is None
    assert settle(draft("get_weather", {}, canonical=False), SET) is None
    assert isinstance(settle(draft("get_weather", {"city": "x"}, canonical=False), SET), ParsedCall)


def test_decode_arguments_stops_at_three_levels() -> None:
    import json

    text = json.dumps({"a": 1})
    for _ in range(2):
        text = json.dumps(text)
    assert decode_arguments(text)[0] == {"a": 1}
    assert decode_arguments(json.dumps(json.dumps(text)))[0] == "args_not_object"


def test_closing_brackets_too_many_are_a_repair_of_their_own() -> None:
    assert decode_arguments('{"a": 1}}]') == ({"a": 1}, ("double_encoded", "extra_brace"))
    assert decode_arguments('{"a": 1}} and') == ("bad_json", ())


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("pythonic", Drawn("[⟨othr(a=1)⟩]", [], ["reported unknown_tool othr: No tool 'othr' is declared."])),
        ("pythonic", Drawn("'⟨now()')⟩", [], ["ignored mentioned now: This looks like a call but it stands in quotes."], "'now()')")),
        ("deepseek_v3", Drawn("⟨functionget_weather\n```json\n[1]⟩", [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("cwm", Drawn('⟦<tool: ‹get_weather›>«\\n"{\\"city\\":\n\n \\"Rome\\"}"\\n»</tool>⟧', [("get_weather", {"city": "Rome"}, "double_encoded raw_newline")])),
    ],
)  # fmt: skip
def test_names_that_are_unknown_blank_or_quoted(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("bare_json", Drawn('⟨{"name": " ", "arguments": {}}⟩', [], ["reported bad_name  : The call names no tool."])),
        ("bare_json", Drawn('⟨{"name": "now x", "arguments": {}}⟩', [], ["reported bad_name now x: 'now x' cannot be a tool's name."])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{}»}⟧', [("get_weather", {}, "")])),
        ("bare_json", Drawn('⟨{"name": "now", "arguments": 5}⟩', [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("bare_json", Drawn('⟦{"name": "‹get_weather›", "arguments": «{"city\\\\_": "Rome"}»}⟧', [("get_weather", {"city\\_": "Rome"}, "")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n</function>\n</tool_call>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=now x>\n</function>\n</tool_call>⟩", [], ["reported bad_name now x: 'now x' cannot be a tool's name."])),
    ],
)  # fmt: skip
def test_names_and_arguments_that_are_missing(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("beside", "unwrapped"),
    [
        ({}, True), ({"id": "x"}, True), ({"call_id": 7}, True), ({"tool_call_id": "x"}, True), ({"name": "get_weather"}, True),
        ({"name": "now"}, False), ({"id": None}, False), ({"id": "x", "name": "get_weather"}, False), ({"type": "function"}, False),
        ({"city": "Oslo"}, False),
    ],
)  # fmt: skip
def test_what_may_stand_beside_arguments_under_a_key_of_their_own(beside: dict[str, Any], unwrapped: bool) -> None:
    written = {"parameters": {"city": "Rome"}, **beside}
    item = settle(draft("get_weather", written), SET)
    assert isinstance(item, ParsedCall)
    assert (item.arguments, item.repairs) == (({"city": "Rome"}, ("wrapper_arg",)) if unwrapped else (written, ()))


@pytest.mark.parametrize("value", ['{"city": "Rome"}', [{"city": "Rome"}], {"zone": "CET"}, {}, None])
def test_only_an_object_with_the_tools_own_keys_is_taken_for_all_arguments(value: Any) -> None:
    item = settle(draft("get_weather", {"parameters": value}), SET)
    assert isinstance(item, ParsedCall)
    assert item.arguments == {"parameters": value}


@pytest.mark.parametrize(
    ("required", "optional", "taken"),
    [(["tags"], [], True), (["tags"], ["note"], True), ([], ["tags"], True), ([], ["tags", "note"], False), (["tags", "note"], [], False), (["note"], ["tags"], False)],
)  # fmt: skip
def test_a_list_is_meant_for_the_one_argument_that_is_needed(
    required: list[str], optional: list[str], taken: bool
) -> None:
    kinds = {"tags": {"type": "array"}, "note": {"type": "string"}}
    schema = {"type": "object", "properties": {key: kinds[key] for key in (*required, *optional)}, "required": required}
    item = settle(draft("keep", ["a"]), ToolSet((ToolSpec("keep", "", schema),)))
    assert item is not None
    if taken:
        assert isinstance(item, ParsedCall)
        assert (item.arguments, item.repairs) == ({"tags": ["a"]}, ("positional",))
    else:
        assert isinstance(item, ParseProblem)
        assert item.code == "args_not_object"


@pytest.mark.parametrize("behind", ["X", ",", "}}x", "{"])
def test_anything_but_brackets_behind_encoded_arguments_makes_them_unreadable(behind: str) -> None:
    assert decode_arguments(f'{{"a": 1}}{behind}') == ("bad_json", ())


@pytest.mark.parametrize("value", [None, "null", " null\n"])
def test_null_is_no_arguments_also_as_a_text(value: str | None) -> None:
    item = settle(draft("now", value), SET)
    assert isinstance(item, ParsedCall)
    assert (item.arguments, item.repairs) == ({}, ("schema_coerced",))
    lacking = settle(draft("get_weather", value), SET)
    assert isinstance(lacking, ParseProblem)
    assert lacking.code == "missing_argument"
    assert settle(draft("now", value, canonical=False), SET) is None
