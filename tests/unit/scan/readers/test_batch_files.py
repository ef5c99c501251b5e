from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, chat_reply, chat_request, found_in, judged, kind_of, read, written


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
        tmp_path / "out.jsonl", {"custom_id": "a", "result": {"type": "succeeded", "message": message}}
    )  # fmt: skip
    (reply,), troubles = read(path)
    assert troubles == []
    assert (reply.text, reply.line, [tool.name for tool in reply.tools or ()]) == (
        LEAK,
        1,
        ["get_weather"],
    )
    assert found_in(path) == ["tool_markup_in_content"]


def test_requests_without_a_reply_are_told_with_the_reason(tmp_path: Path) -> None:
    refused = told("a", {"error": {"message": "Invalid schema."}}, 400)
    errored = {"custom_id": "e", "result": {"type": "errored", "error": {"error": {"type": "overloaded_error"}}}}
    expired = {"id": "b", "custom_id": "b", "response": None, "error": {"code": "batch_expired", "message": "Expired."}}
    path = written(tmp_path / "err.jsonl", expired, refused, {**refused, "custom_id": "c"}, errored)
    replies, troubles = read(path)
    assert [(one.place, one.message) for one in troubles] == [
        ("2", "No reply to 2 of 4 requests: status 400, Invalid schema."),
        ("1", "No reply to 1 of 4 requests: Expired."),
        ("4", "No reply to 1 of 4 requests: overloaded_error."),
    ]
    assert (kind_of(path), replies) == ("batch", [])


def test_a_call_that_a_request_failed_of_is_a_finding(tmp_path: Path) -> None:
    lost = {
        "error": {"message": "Failed to call a function.", "failed_generation": '<function=get_weather>{"city": 1}'}
    }
    assert found_in(written(tmp_path / "err.jsonl", told("a", lost, 400))) == ["tool_call_dropped"]


def test_a_file_of_requests_alone_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "in.jsonl", asked("a"), asked("b"))
    (trouble,) = read(path)[1]
    assert trouble.message.startswith("This file has 2 requests and no replies")
    written(tmp_path / "out.jsonl", told("a", chat_reply("Fine.")))
    assert read(path) == ([], [])


def test_batches_of_bedrock_have_the_request_beside_the_reply(tmp_path: Path) -> None:
    asked = {"anthropic_version": "x", "messages": [{"role": "user", "content": "Weather?"}], "max_tokens": 9, "system": "s",
             "tools": [{"name": "get_weather", "input_schema": {"type": "object"}}]}  # fmt: skip
    told = {"id": "m", "type": "message", "role": "assistant", "model": "c-1", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": LEAK}], "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
    path = written(
        tmp_path / "out.jsonl",
        {"recordId": "r1", "modelInput": asked, "modelOutput": told},
        {"recordId": "r2", "modelInput": asked, "error": {"errorCode": 400, "errorMessage": "too long"}},
    )
    (reply,), (trouble,) = read(path)
    assert (kind_of(path), [one.kind for one in judged([reply])]) == ("batch", ["tool_markup_in_content"])
    assert [tool.name for tool in reply.tools or ()] == ["get_weather"]
    assert "too long" in trouble.message
