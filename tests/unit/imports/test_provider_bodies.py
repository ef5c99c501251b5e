from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.imports.provider_bodies import provider_body, stream_wire, wire_of

CHAT = {"model": "m", "choices": [{"message": {"role": "assistant", "content": "Hi", "tool_calls": [
    {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]}  # fmt: skip
CLAUDE = {"type": "message", "role": "assistant", "model": "m", "content": [
    {"type": "text", "text": "Hi"}, {"type": "tool_use", "id": "a", "name": "f", "input": {}}], "stop_reason": "tool_use"}  # fmt: skip
GEMINI = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": "Hi"}, {"functionCall": {"name": "f", "args": {}}}]}}
    ],
    "modelVersion": "m",
}
RESPONSES = {"id": "r", "object": "response", "model": "m", "status": "completed", "output": [
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]},
    {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}]}  # fmt: skip
OLLAMA = {
    "model": "m",
    "message": {"role": "assistant", "content": "Hi", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
    "done": True,
}


@pytest.mark.parametrize(
    ("value", "wire"),
    [(CHAT, "openai_chat"), (CLAUDE, "anthropic_messages"), (GEMINI, "gemini_generate"), (RESPONSES, "openai_responses"), (OLLAMA, "ollama_chat")],
)  # fmt: skip
def test_whole_replies_are_told_by_their_shape(value: dict[str, Any], wire: str) -> None:
    found = provider_body(value)

    assert found is not None
    assert (found.wire, found.streamed, found.text, found.model) == (wire, False, "Hi", "m")
    assert [(call.name, json.loads(call.arguments or "{}")) for call in found.calls] == [("f", {})]
    assert json.loads(found.body) == value


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ('data: {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}\n\ndata: [DONE]\n\n', "openai_chat"),
        ('event: message_start\ndata: {"type": "message_start", "message": {"model": "m"}}\n\n', "anthropic_messages"),
        ('event: response.created\ndata: {"type": "response.created", "response": {}}\n\n', "openai_responses"),
        ('data: {"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}\n\n', "gemini_generate"),
        ('{"message": {"role": "assistant", "content": "Hi"}, "done": false}\n{"message": {"content": ""}, "done": true}\n', "ollama_chat"),
    ],
)  # fmt: skip
def test_streams_are_told_by_their_first_event(text: str, wire: str) -> None:
    found = provider_body(text)

    assert found is not None
    assert (found.wire, found.streamed) == (wire, True)
    assert found.text == ("Hi" if "Hi" in text else "")


@pytest.mark.parametrize("value", ["Hi there.", "data: {broken\n", {"a": 1}, 5, None, []])
def test_anything_else_is_no_reply(value: Any) -> None:
    assert provider_body(value) is None
    assert (wire_of([]), stream_wire("")) == ("", "")
