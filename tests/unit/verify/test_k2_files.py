"""Lines in K2-Vendor-Verifier's form, written by hand after its published definitions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Usage
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.verify.k2_files import (
    K2Result,
    calls_valid,
    judged_otherwise,
    openai_body,
    read_results,
    request_of,
    result_of,
    result_row,
    schema_accuracy,
    seen_in_result,
    summary,
    tool_call_f1,
)
from workbench.verify.observation import SeenReply

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "bare"}},
    {"type": "function", "function": {"name": "empty", "parameters": {}}},
    {"type": "function", "function": {"name": "broken", "parameters": {"type": "thing"}}},
]


def row(
    index: int, finish: str | None, *calls: tuple[str, Any], status: str = "success", **fields: Any
) -> dict[str, Any]:
    made = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": given}}
        for at, (name, given) in enumerate(calls)
    ]
    response = {
        "model": "k2",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": "", "tool_calls": made or None}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }  # fmt: skip
    return {
        "data_index": index, "request": {"model": "k2", "messages": [{"role": "user", "content": "go"}], "tools": TOOLS},
        "extra_body": {}, "response": response if status == "success" else {"error": "500"}, "status": status,
        "finish_reason": finish, "tool_calls_valid": None, "last_run_at": f"2026-02-0{min(index, 9)}T10:00:00", "duration_ms": 250,
        "hash": "x", **fields,
    }  # fmt: skip


def result(*args: Any, **fields: Any) -> K2Result:
    return result_of(row(*args, **fields), "here")


GOOD = ("get_weather", '{"city": "Rome"}')


@pytest.mark.parametrize(
    ("calls", "valid"),
    [
        ([GOOD], True),
        ([("get_weather", {"city": "Rome"})], True),
        ([GOOD, ("get_weather", '{"city": 3}')], False),
        ([("get_weather", '{"city": "Ro')], False),
        ([("get_weather", '["Rome"]')], False),
        ([("nobody", "{}")], False),
        ([("bare", "{}")], False),
        ([("empty", "{}")], False),
        ([("broken", "{}")], False),
        ([], None),
    ],
)
def test_a_reply_is_valid_if_every_call_is(calls: list, valid: bool | None) -> None:
    assert calls_valid(result(1, "tool_calls", *calls)) is valid
    assert calls_valid(result(1, "stop", *calls)) is None


ROWS = [
    row(1, "tool_calls", GOOD),
    row(2, "tool_calls", GOOD, ("get_weather", "{}")),
    row(3, "tool_calls"),
    row(4, "stop"),
    row(5, "stop"),
    row(6, "length"),
    row(7, "content_filter"),
    row(8, "length"),
    row(9, None, status="failed"),
]


def test_the_summary_is_that_of_the_published_definition() -> None:
    found = summary([result_of(one, "here") for one in ROWS], "k2")
    assert found == {
        "model": "k2", "success_count": 8, "failure_count": 1, "finish_stop": 2, "finish_tool_calls": 3, "finish_others": 3,
        "finish_others_detail": {"length": 2, "content_filter": 1}, "schema_validation_error_count": 2,
        "successful_tool_call_count": 1, "usage": {"prompt_tokens": 800, "completion_tokens": 80, "total_tokens": 880},
        "eval_started_at": "2026-02-01T10:00:00", "eval_finished_at": "2026-02-09T10:00:00", "eval_duration_ms": 2250,
    }  # fmt: skip
    assert schema_accuracy(found) == 1 / 3
    assert schema_accuracy(summary([result(1, "stop")], "k2")) is None


def test_f1_is_that_of_the_published_definition() -> None:
    official = [result(at, "tool_calls" if at <= 6 else "stop") for at in range(1, 11)]
    candidate = [result(at, "tool_calls" if at in (1, 2, 3, 4, 7, 8) else "length") for at in range(1, 11)]
    found = tool_call_f1(candidate, official)
    assert (found.tp, found.fp, found.fn, found.requests) == (4, 2, 2, 10)
    assert found.precision == pytest.approx(4 / 6)
    assert found.recall == pytest.approx(4 / 6)
    assert found.f1 == pytest.approx(4 / 6)
    assert tool_call_f1(candidate[:2], official).f1 == 1.0
    assert tool_call_f1([result(4, "stop")], [result(4, "tool_calls")]).f1 == 0.0
    assert tool_call_f1([result(4, "stop")], [result(4, "stop")]).f1 is None
    assert tool_call_f1([result(99, "stop")], official).requests == 0


def test_a_failed_request_does_not_finish_for_calls() -> None:
    found = tool_call_f1([result(1, None, status="failed")], [result(1, "tool_calls", GOOD)])
    assert (found.tp, found.fp, found.fn) == (0, 0, 1)


def test_what_the_file_says_of_a_reply_counts_and_differences_are_told() -> None:
    rows = [result(1, "tool_calls", GOOD, tool_calls_valid=False), result(2, "tool_calls", GOOD, tool_calls_valid=True)]
    assert summary(rows, "k2")["successful_tool_call_count"] == 1
    assert judged_otherwise(rows) == 1
    assert judged_otherwise([result(1, "tool_calls", tool_calls_valid=False)]) == 0


def test_of_several_lines_of_one_index_the_latest_counts(tmp_path: Path) -> None:
    old, new = row(1, "stop", last_run_at="2026-01-01"), row(1, "tool_calls", GOOD, last_run_at="2026-01-02")
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in (new, old, row(2, "stop"))), "utf-8")
    assert [(one.index, one.finish_reason) for one in read_results(path)] == [(1, "tool_calls"), (2, "stop")]


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "holds no results"), ("{}", "line 1 is no result"), ("{", "line 1: no JSON"), ("[1]", "line 1 is no result")],
)
def test_bad_files_are_named(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=told):
        read_results(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_results(tmp_path / "none.jsonl")


def test_a_line_is_seen_as_a_reply() -> None:
    seen = seen_in_result(result(1, "tool_calls", GOOD))
    assert seen.calls == (NativeCall(0, "c0", "get_weather", '{"city": "Rome"}'),)
    assert (seen.finish, seen.usage, seen.total_us, seen.wire, seen.error) == (
        "tool_calls",
        Usage(100, 10),
        250_000,
        "",
        "",
    )
    assert seen_in_result(result(1, None, status="failed")).error == "failed"
    assert seen_in_result(K2Result(1, {}, {"choices": "odd"}, "success", "stop", None)).text == ""
    assert request_of(result(3, "stop")).id == "line-3"


def test_a_reply_of_ours_is_written_and_read_back() -> None:
    request = ChatRequest(
        "k2", (Message("user", "go"),), (ToolSpec("get_weather", parameters=SCHEMA),), "required", temperature=0.6,
        by_wire={"openai_chat": {"top_k": 20}},
    )  # fmt: skip
    seen = SeenReply(
        "Now.",
        "Hm.",
        (NativeCall(0, "c0", "get_weather", '{"city": "Rome"}'),),
        "tool_calls",
        Usage(9, 3),
        total_us=5000,
    )
    written = result_row(4, openai_body(request), seen, 1_760_000_000_000_000)
    assert written["request"]["top_k"] == 20
    assert (written["tool_calls_valid"], written["finish_reason"], written["status"]) == (True, "tool_calls", "success")
    assert len(written["hash"]) == 32
    read = result_of(json.loads(json.dumps(written)), "here")
    again = seen_in_result(read)
    assert (again.text, again.reasoning, again.calls, again.usage) == (
        seen.text,
        seen.reasoning,
        seen.calls,
        Usage(9, 3),
    )
    failed = result_row(5, openai_body(request), SeenReply(error="server"), 0)
    assert (failed["status"], failed["finish_reason"], failed["response"]) == ("failed", None, {"error": "server"})
