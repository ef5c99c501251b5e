from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, chat_reply, chat_request, found_in, kind_of, read, written


def told(ident: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    return {
        "id": "b",
        "custom_id": ident,
        "response": {"status_code": status, "request_id": "r", "body": body},
        "error": None,
    }


def asked(ident: str) -> dict[str, Any]:
    return {"custom_id": ident, "method": "POST", "url": "/v1/chat/completions", "body": chat_request()}


def test_requests_of_the_same_folder_name_the_tools(tmp_path: Path) -> None:
    written(tmp_path / "in.jsonl", asked("a"), asked("b"))
    path = written(
        tmp_path / "out.jsonl",
        told("a", chat_reply(None, [("toll_bell", "{}")])),
        told("c", chat_reply(None, [("toll_bell", "{}")])),
    )
    assert (kind_of(path), found_in(path)) == ("batch", ["invented_tool"])
    assert [reply.tools is None for reply in read(path)[0]] == [False, True]
    assert read(tmp_path / "in.jsonl") == ([], [])


def test_results_of_anthropic(tmp_path: Path) -> None:
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": LEAK}], "usage": {"input_tokens": 1, "output_tokens": 2},
    }  # fmt: skip
    tool = {"name": "get_weather", "input_schema": {"type": "object"}}
    params = {"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}], "tools": [tool]}
    written(tmp_path / "in.jsonl", {"custom_id": "a", "params": params})
    path = written(
        tmp_path / "out.jsonl", {"custom_id": "a", "result": {"type": "succeeded", "message": message}},
        {"custom_id": "b", "result": {"type": "errored", "error": {"type": "invalid_request"}}},
    )  # fmt: skip
    (reply,), troubles = read(path)
    assert (troubles, reply.text, reply.line, [tool.name for tool in reply.tools or ()]) == (
        [],
        LEAK,
        1,
        ["get_weather"],
    )
    assert found_in(path) == ["tool_markup_in_content"]
