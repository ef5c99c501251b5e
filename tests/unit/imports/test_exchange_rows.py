from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.imports.exchange_rows import exchange_row, is_exchange
from workbench.imports.items import NotCarried, ReadOptions
from workbench.imports.recorded import RecordedReply
from workbench.imports.recorded_replies import is_reply, read_replies

TOOL = {
    "type": "function",
    "function": {"name": "search", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}},
}
REQUEST = {"model": "kimi", "messages": [{"role": "user", "content": "Look."}], "tools": [TOOL]}
CALL = {"id": "c", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}
ANSWER = {
    "choices": [
        {"message": {"role": "assistant", "content": None, "tool_calls": [CALL]}, "finish_reason": "tool_calls"}
    ]
}
CLAUDE = {
    "type": "message",
    "role": "assistant",
    "model": "c",
    "content": [{"type": "text", "text": "Hi."}],
    "stop_reason": "end_turn",
}


def _replies(tmp_path: Path, *rows: dict) -> list[RecordedReply]:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    items = list(read_replies([path], ReadOptions(), lambda _: None))
    assert all(isinstance(one, RecordedReply) for one in items), items
    return [one for one in items if isinstance(one, RecordedReply)]


@pytest.mark.parametrize(
    ("row", "ident", "calls", "text"),
    [
        (
            {"data_index": 3, "request": REQUEST, "response": ANSWER, "status": "success", "duration_ms": 1500},
            "3",
            ["search"],
            "",
        ),
        ({"kwargs": REQUEST, "response": ANSWER}, "a-1", ["search"], ""),
        ({"request_body": json.dumps(REQUEST), "response_body": json.dumps(ANSWER)}, "a-1", ["search"], ""),
        (
            {"request": {"url": "u", "body": REQUEST}, "response": {"status": 200, "body": json.dumps(ANSWER)}},
            "a-1",
            ["search"],
            "",
        ),
        ({"custom_id": "b7", "response": {"status_code": 200, "body": ANSWER}, "error": None}, "b7", ["search"], ""),
        ({"custom_id": "c", "result": {"type": "succeeded", "message": CLAUDE}}, "c", [], "Hi."),
    ],
)
def test_answers_below_a_key_are_replies(tmp_path: Path, row: dict, ident: str, calls: list[str], text: str) -> None:
    assert is_reply(row)
    (reply,) = _replies(tmp_path, row)
    assert (reply.case.id, [call.name for call in reply.calls], reply.text) == (ident, calls, text)
    asked = any(key in row for key in ("request", "kwargs", "request_body"))
    assert reply.tools_unknown is not asked
    if asked:
        assert (reply.model, [tool.spec.name for tool in reply.case.tools]) == ("kimi", ["search"])
        assert reply.case.messages[-1].text == "Look."


def test_a_request_that_failed_is_a_run_with_its_error(tmp_path: Path) -> None:
    row = {
        "data_index": 1,
        "request": REQUEST,
        "response": None,
        "status": "failed",
        "error": {"message": "Rate limit."},
    }
    (reply,) = _replies(tmp_path, row)
    assert (reply.error, reply.case.messages[-1].text) == ("Rate limit.", "Look.")


def test_what_the_row_expects_stays(tmp_path: Path) -> None:
    row = {"request": REQUEST, "response": ANSWER, "expect": {"calls": [{"name": "search", "arguments": {"q": "x"}}]}}
    (reply,) = _replies(tmp_path, row)
    assert reply.case.expectation is not None
    assert reply.case.expectation.calls[0].name == "search"


def test_other_rows_are_no_exchanges() -> None:
    for row in (
        {"raw": "x"},
        {"response": "plain"},
        {"request": 1, "response": None},
        {"request": {"url": "u"}, "response": None},
        [1],
    ):
        assert not is_exchange(row)
    with pytest.raises(InvalidInput, match="no known protocol"):
        exchange_row({"request": {"input": "x"}, "response": ANSWER}, "a, line 1")


def test_a_field_under_another_name_is_told_with_the_name_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"raw": "Hi.", "expected": {}, "odd": 1}) + "\n", encoding="utf-8")
    told = [one.what for one in read_replies([path], ReadOptions(), lambda _: None) if isinstance(one, NotCarried)]
    assert told == ["the field 'expected' of rows ('expect' is read)", "the field 'odd' of rows"]
