"""Broken JSON is given up at the next marker; one that stands in a string begins no call."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import ParseResult
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
BODY = '{"path": "a.py", "content": "x '
CALLS = {
    "mistral_args": ("[TOOL_CALLS]{}[ARGS]", ""),
    "kimi_k2": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.{}:0<|tool_call_argument_begin|>",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    "deepseek_v31": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{}<｜tool▁sep｜>",
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "harmony": (
        "<|start|>assistant<|channel|>commentary to=functions.{} <|constrain|>json<|message|>",
        "<|call|>",
    ),
    "llama31_function": ("<function={}>", "</function>"),
    "qwen_agent": ("✿FUNCTION✿: {}\n✿ARGS✿: ", ""),
}
FORMS = pytest.mark.parametrize("form", CALLS)


def read(form: str, raw: str, reason: str = "stop") -> ParseResult:
    whole = get_format(form).parse(raw, SPECS, reason)
    parser = get_format(form).parser(SPECS)
    for char in raw:
        parser.feed(char)
    parser.finish(reason)
    assert parser.result() == whole, "the reading must not depend on the pieces"
    return whole


def told(found: ParseResult) -> tuple[list[str], list[tuple[str, str]]]:
    return [call.name for call in found.calls], [(problem.code, problem.name) for problem in found.problems]


@FORMS
@pytest.mark.parametrize("reason", ["stop", "length"])
@pytest.mark.parametrize("rest", ["", " # it"])
def test_a_call_quoted_in_a_string_that_is_cut_off(form: str, reason: str, rest: str) -> None:
    opener, closer = CALLS[form]
    raw = f"{opener.format('write_file')}{BODY}{opener.format('now')}{{}}{closer}{rest}"
    assert told(read(form, raw, reason)) == ([], [("truncated", "write_file")])


@FORMS
@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_call_quoted_in_a_string_before_the_cut(form: str, quote: str) -> None:
    opener, closer = CALLS[form]
    raw = f'{opener.format("write_file")}{BODY}{opener.format("now")}{{}}{closer} y"'.replace('"', quote)
    assert told(read(form, raw, "length")) == ([], [("truncated", "write_file")])
    found = read(form, raw)
    assert (told(found), "missing_brace" in found.calls[0].repairs) == ((["write_file"], []), True)


@FORMS
def test_a_call_quoted_in_broken_arguments(form: str) -> None:
    opener, closer = CALLS[form]
    raw = f'{opener.format("write_file")}{{"path": a b, "content": "x {opener.format("now")}{{}}{closer} y"}}{closer}'
    names, problems = told(read(form, raw))
    assert (names, [name for _, name in problems][:1]) == ([], ["write_file"])


@FORMS
@pytest.mark.parametrize("body", ['{"city": "Rome"\n', '{"city": "Rome}\n', '{"city": "Rome}'])
@pytest.mark.parametrize("zone", ["{}", '{"zone": "CET"}'])
def test_a_call_behind_a_broken_one_is_given(form: str, body: str, zone: str) -> None:
    opener, closer = CALLS[form]
    names, problems = told(read(form, f"{opener.format('get_weather')}{body}{opener.format('now')}{zone}{closer}"))
    assert names[-1:] == ["now"]
    assert names[:-1] or problems[0][1] == "get_weather", "the first one is told"


def test_a_marker_that_ends_a_call_ends_an_open_string() -> None:
    opener, closer = CALLS["kimi_k2"]
    first = f'{opener.format("get_weather")}{{"city": "Rome<|tool_call_end|>'
    raw = f"{first}<|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{{}}{closer}"
    assert told(read("kimi_k2", raw)) == (["now"], [("bad_json", "get_weather")])


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn('⟨<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "x </tool_call> y", "b": "</tool_call>", c d}}</tool_call>⟩ ok', [], ["reported bad_json write_file: No colon follows the key 'c'."], 'ok')),
        ('qwen_xml', Drawn('⟨<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "x <tool_call> y", "b": "<tool_call> z", c d}}</tool_call>⟩ ok', [], ["reported bad_json write_file: No colon follows the key 'c'."], 'ok')),
    ],
)  # fmt: skip
def test_several_markers_in_the_strings_of_a_broken_value_are_passed(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
