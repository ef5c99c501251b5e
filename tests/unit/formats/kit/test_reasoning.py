"""Reasoning blocks and the calls inside them."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParseResult
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'


def read(raw: str, reason: str | None = None, **flags: bool) -> ParseResult:
    parser = get_format("qwen_xml").parser(SPECS, **flags)
    parser.feed(raw)
    parser.finish(reason)
    return parser.result()


def test_closed_block_only_rehearses() -> None:
    result = read(f"<think>a {CALL} b</think>c")
    assert (result.calls, result.text, result.reasoning) == ((), "c", f"a {CALL} b")
    assert result.outcome is Outcome.IGNORED


def test_family_with_calls_in_reasoning() -> None:
    result = read(f"a {CALL}</think>", think_open=True, calls_in_reasoning=True)
    (call,) = result.calls
    assert (call.repairs, call.id) == (("channel_fix",), "call_1")
    assert result.reasoning == "a "


def test_unclosed_block_with_a_call_at_its_end() -> None:
    result = read(f"<think>a {CALL}\n{CALL}")
    assert [call.repairs for call in result.calls] == [("think_unclosed",)] * 2
    assert [call.id for call in result.calls] == ["call_1", "call_2"]


def test_unclosed_block_needs_declared_names() -> None:
    result = read("<think>a " + CALL.replace("now", "nope"))
    assert not result.calls
    assert result.outcome is Outcome.IGNORED


def test_cut_call_in_an_unclosed_block_is_lost() -> None:
    result = read("<think>a " + CALL[:30], "length")
    assert [problem.code for problem in result.lost] == ["truncated"]


@pytest.mark.parametrize("raw", ["<think>Hm.</think>Hi", "Hm.</think>Hi", "\n<think>\nHm.</think>Hi"])
def test_think_open(raw: str) -> None:
    result = read(raw, think_open=True)
    assert (result.reasoning.strip(), result.text) == ("Hm.", "Hi")


def test_quoted_opener_is_text() -> None:
    assert read("The `<think>` tag.").text == "The `<think>` tag."


def test_cut_call_of_an_undeclared_tool_in_an_unclosed_block_is_talk() -> None:
    result = read("<think>a " + CALL.replace("now", "nope")[:30], "length")
    assert (result.calls, result.lost) == ((), ())


def test_marker_in_reasoning_that_never_ends_is_told() -> None:
    parser = get_format("lfm2")
    (problem,) = parser.parse("<think>Hm. <|tool_call_start|>[write_file").problems
    assert (problem.code, problem.span.start) == ("unread_call", 11)
    assert not parser.parse("<think>Hm. <|tool_call_start|>[write_file</think> Well.").problems


FOREIGN = '<invoke name="get_weather">\n<city>Rome</city>\n</invoke>'


def test_what_no_format_reads_is_told_where_closed_reasoning_is_all_there_is() -> None:
    (problem,) = read(f"<think>\nI look.\n{FOREIGN}\n</think>\n").problems
    assert (problem.code, problem.outcome, problem.name) == ("mentioned", Outcome.IGNORED, "get_weather")
    assert not read(f"<think>\nI look.\n{FOREIGN}\n</think>\nIt is warm.").problems


@pytest.mark.parametrize(
    "raw",
    [
        f"<think>a {CALL} b</think>c",
        "<think>a < b</thin k></think>c",
        f"<think>a {CALL}\n{CALL}",
        "<think>a<tool_cal</think>c",
    ],
)
def test_reasoning_is_read_the_same_in_pieces(raw: str) -> None:
    whole = read(raw)
    for cut in range(1, len(raw)):
        parser = get_format("qwen_xml").parser(SPECS)
        for piece in (raw[:cut], raw[cut:]):
            parser.feed(piece)
        parser.finish()
        assert parser.result() == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn("<think>a</think>b", [], [], "b")),
        ("qwen_xml", "stop", Drawn("<think>a", [])),
        ("qwen_xml", "stop", Drawn("<think>a</thi", [])),
        ("qwen_xml", "stop", Drawn("<think>a</think>", [])),
        ("qwen_xml", "stop", Drawn("a</think>b", [], [], "ab")),
        ("qwen_xml", "stop", Drawn('<think>⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩</think>b', [], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block."], "b")),
        ("qwen_xml", "stop", Drawn('<think>a ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "think_unclosed")])),
        ("qwen_xml", "stop", Drawn('<think>⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩ Done.', [], ["ignored mentioned now: This looks like a call but it stands in the reasoning."])),
        ("qwen_xml", "stop", Drawn('<think>⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"»⟧', [("get_weather", {"city": "Rome"}, "missing_brace missing_close_tag think_unclosed")])),
        ("qwen_xml", "stop", Drawn('<think>a ⟨<tool_call>\n{"name": "later", "arguments": {}}\n</tool_call>⟩', [], ["ignored mentioned later: This looks like a call but it stands in the reasoning."])),
        ("qwen_xml", "stop", Drawn('<think>a</think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", "stop", Drawn("<think>a<think>b</think>c", [], [], "c")),
        ("qwen_xml", "stop", Drawn("<THINK>a</THINK>b", [], [], "b")),
        ("qwen_xml", "stop", Drawn('<think></think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", "stop", Drawn("<think>\na\n</think>\n\nb", [], [], "b")),
        ("qwen_xml", "stop", Drawn("x <think>a</think> y", [], [], "x y")),
        ("qwen_xml", "stop", Drawn("`<think>`a", [], [], "`<think>`a")),
        ("qwen_xml", "stop", Drawn('<think>a ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩</think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block."])),
        ("qwen_xml", "stop", Drawn("<think>use <tool_call> here</think>b", [], [], "b")),
        ("qwen_xml", "stop", Drawn('<think>a ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, "think_unclosed"), ("get_weather", {"city": "Rome"}, "think_unclosed")])),
        ("qwen_xml", "length", Drawn('<think>a ⟨<tool_call>\n{"name": "now", "arguments": {}⟩', [], ["reported truncated now: The call is cut off."])),
        ("gemma4", "stop", Drawn("thought\na<channel|>b", [], [], "b")),
        ("gemma4", "stop", Drawn("thought\na", [], [], "thought\na")),
        ("gemma4", "stop", Drawn("thoughts b", [], [], "thoughts b")),
        ("harmony", "stop", Drawn("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", [], [], "b")),
        ("glm45", "stop", Drawn("a</think>\n⟦<tool_call>‹now›«»</tool_call>⟧", [("now", {}, "")], [], "a")),
        ("kimi_k2", "stop", Drawn("<think>a ⟦<|tool_calls_section_begin|><|tool_call_begin|>functions.‹now›:0<|tool_call_argument_begin|>«{}»<|tool_call_end|><|tool_calls_section_end|>⟧", [("now", {}, "think_unclosed")])),
    ],
)  # fmt: skip
def test_blocks_of_reasoning(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('<think>a ⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "missing_brace missing_close_tag think_unclosed")])),
        ("qwen_xml", "stop", Drawn('<think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n\n', [("now", {}, "think_unclosed")])),
        ("qwen_xml", "stop", Drawn('<think>⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩ ⟨<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>⟩ b</think>', [], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block.", "ignored mentioned get_weather: This looks like a call but it stands in a closed reasoning block."])),
        ("qwen_xml", "stop", Drawn('<think>⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩</think>\n<think>⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "think_unclosed")], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block."])),
        ("qwen_xml", "stop", Drawn("<think>a</think><think>b", [])),
        ("qwen_xml", "stop", Drawn("<think>a ⟨<tool_ca⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", "stop", Drawn("<think>a ⟨<tool_call>⟩", [], ["ignored mentioned : This looks like a call but it stands in the reasoning."])),
        ("qwen_xml", "stop", Drawn("<think>⟨<tool_call>\n{\n</tool_call>⟩", [], ["ignored mentioned : This looks like a call but it stands in the reasoning."])),
        ("qwen_xml", "stop", Drawn('<think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»\n</tool_call>⟧', [("now", {}, "missing_brace think_unclosed")])),
        ("qwen_xml", "length", Drawn('<think>⟨<tool_call>\n{"name": "get_weather", "arguments": {"city": "⟩', [], ["reported truncated get_weather: The call is cut off."])),
        ("qwen_xml", "length", Drawn('<think>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "think_unclosed")])),
        ("gemma4", "stop", Drawn("<think>a</think> b", [], [], "b")),
        ("harmony", "stop", Drawn("<|channel|>analysis<|message|>a <|call|>b", [], [], "b")),
    ],
)  # fmt: skip
def test_calls_in_blocks_of_reasoning(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole
