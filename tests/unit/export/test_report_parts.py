"""Parts of a report as Markdown: nothing that a model wrote is markup."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import WireRequest
from workbench.export.exchanges import RecordedExchange
from workbench.export.report_facts import ChunkLine, ReportFacts, SmallestReply, SpanLine
from workbench.export.report_layouts import layouts
from workbench.export.report_parts import LONGEST, PARTS, fenced, part, plain

LAYOUT = layouts()["vllm"]
FACTS = ReportFacts("r1", "a title", "The parser, not the model.")


def test_fences_are_longer_than_any_in_the_text() -> None:
    assert fenced("a") == "```\na\n```"
    assert fenced("```` x", "text") == "`````text\n```` x\n`````"
    assert f"… {9:,} more characters" in fenced("x" * (LONGEST + 9))


def test_sentences_hold_no_markup_and_call_nobody() -> None:
    assert plain("a *b* <img src=x> @all #3 [x](y) `c`\n d") == (
        "a \\*b\\* \\<img src=x\\> &#64;all \\#3 \\[x\\](y) 'c' d"
    )


@pytest.mark.parametrize("name", sorted(PARTS))
def test_parts_say_nothing_where_nothing_is_known(name: str) -> None:
    told = part(name, FACTS, LAYOUT)
    wanted = {"summary": "The parser", "expected": "Expected: not known.", "system": "<!-- to add"}
    assert told.startswith(wanted[name]) if name in wanted else told == ""


def test_smallest_reply_stands_byte_for_byte_with_its_tools() -> None:
    small = SmallestReply("<tool_call>\n`", "recovered: trailing comma", (2104, 13), ({"name": "f"},))
    told = part("minimal", replace(FACTS, smallest=small), LAYOUT)
    assert "13 characters, made from 2,104 characters; nothing more can be left out" in told
    assert "```text\n<tool_call>\n`\n```" in told
    assert '``"<tool_call>\\n`"``' in told
    assert '"name": "f"' in told
    stopped = part("minimal", replace(FACTS, smallest=replace(small, complete=False, tools=())), LAYOUT)
    assert "more might be left out" in stopped


def test_expectations_of_all_kinds() -> None:
    assert part("expected", replace(FACTS, expected="no_call"), LAYOUT) == "Expected: no call."
    calls = replace(FACTS, expected=[{"name": "f"}], expected_basis="the case expects it.")
    assert part("expected", calls, LAYOUT).startswith("Expected (the case expects it):\n\n```json")
    assert (
        part("expected", replace(FACTS, expected_basis="Nobody said."), LAYOUT) == "Expected: not known. Nobody said."
    )


def test_spans_and_chunks() -> None:
    spans = (SpanLine(0, 9, "qwen_xml", "strict", "f {} | x"),)
    assert "| 0–9 | `qwen_xml` | strict | `f {} ¦ x` |" in part("spans", replace(FACTS, spans=spans), LAYOUT)
    chunks = (ChunkLine(3, 1500, "<to"), ChunkLine(4, 2500, "ol", breaks=True))
    told = part("chunk", replace(FACTS, chunks=chunks, chunk_words="It breaks."), LAYOUT)
    assert '→    4        2.5 ms  "ol"' in told
    assert '     3        1.5 ms  "<to"' in told


def test_request_and_times_come_without_a_key() -> None:
    request = WireRequest("POST", "https://x.test/v1", (("authorization", "Bearer *****"),), b"{}")
    exchange = RecordedExchange(
        "r1", 0, 0, request, 1_700_000_000_000_000, 500, (("x-request-id", "abc"),), ended_us=9000
    )
    told = replace(FACTS, exchange=exchange)
    assert "Bearer $API_KEY" in part("request", told, LAYOUT)
    assert "2023-11-14T22:13:20.000000Z, status 500" in part("times", told, LAYOUT)
    assert "x-request-id: `abc`" in part("times", told, LAYOUT)


def test_versions_errors_and_searches() -> None:
    told = replace(
        FACTS, versions=(("model asked", "m"),), parsers=(("vllm", "hermes"), ("sglang", "qwen")), search=("a b",),
        flags=(("seed", "2"),), error=ErrorInfo(ErrorKind.SERVER, "Boom *x*", status=500), command="llama-server -m x",
    )  # fmt: skip
    assert part("versions", told, LAYOUT) == "- model asked: `m`\n- parser for this model: `hermes`"
    assert part("flags", told, LAYOUT) == "Request parameters: seed `2`"
    assert "(HTTP 500)" in part("summary", told, LAYOUT)
    assert "[a b](https://github.com/vllm-project/vllm/issues?q=a+b)" in part("search", told, LAYOUT)
    assert part("search", told, layouts()["provider"]) == "Words to search for: `a b`"
    assert "llama-server -m x" in part("command", told, LAYOUT)
