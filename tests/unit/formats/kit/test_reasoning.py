"""Reasoning blocks and the calls inside them."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
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
