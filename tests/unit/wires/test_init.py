"""The table of wires."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.errors import UnknownName
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires import get_server, get_wire, learn_tool_names, wire_ids


def test_all_wires_load_and_send() -> None:
    for wire in map(get_wire, wire_ids()):
        sent = wire.encode(ChatRequest("m", (Message("user", "x"),)), Endpoint("t", wire.id, "http://h:1"), "k")
        assert (sent.method, sent.url.startswith("http://h:1/")) == ("POST", True)
        assert wire.models_request(Endpoint("t", wire.id, "http://h:1"), "k").method == "GET"


def test_unknown_wire() -> None:
    with pytest.raises(UnknownName, match="openai_chat"):
        get_wire("openai_cha")


DOTTED = ToolSpec("files.read:all/now", "Read a file")
PLAIN = "files_x2E_read_x3A_all_x2F_now"
ANSWERS: dict[str, Any] = {
    "openai_chat": {"choices": [{"message": {"tool_calls": [{"id": "c", "function": {"name": PLAIN, "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]},
    "openai_responses": {"output": [{"type": "reasoning"}, {"type": "function_call", "call_id": "c", "name": PLAIN, "arguments": "{}"}]},
    "anthropic_messages": {"content": [{"type": "thinking", "thinking": "t"}, {"type": "tool_use", "id": "c", "name": PLAIN, "input": {}}]},
    "gemini_generate": {"candidates": [{"content": {"parts": [{"functionCall": {"name": PLAIN, "id": "c"}}]}, "finishReason": "STOP"}]},
}  # fmt: skip


@pytest.mark.parametrize("wire", ANSWERS)
def test_escaped_tool_names(wire: str) -> None:
    """They are changed in definitions, choice, history and results, and changed back in the reply."""
    reply = read(wire, json.dumps(ANSWERS[wire]).encode(), stream=False)
    assert [(call.id, call.name) for call in reply.calls] == [("c", DOTTED.name)]
    call = NativeCall(0, "c", DOTTED.name, "{}")
    choice = {"type": "function", "function": {"name": DOTTED.name}}
    for extra in ({}, reply.notices.get("send_back", {})):
        turns = (
            Message("user", "hi"),
            Message("assistant", "", (call,), extra=extra),
            Message("tool", "ok", tool_call_id="c"),
        )
        request = ChatRequest("m", turns, tools=(DOTTED,), tool_choice=choice)
        sent = get_wire(wire).encode(request, Endpoint("t", wire, "http://h/v1")).body.decode()
        assert DOTTED.name not in sent
        assert sent.count(f'"{PLAIN}"') == (4 if wire == "gemini_generate" else 3)
        if extra and wire != "gemini_generate":
            assert ('"reasoning"' in sent) or ('"thinking"' in sent), "the turn goes back as it came"


def test_servers_with_any_tool_name() -> None:
    request = ChatRequest("m", (Message("user", "hi"),), tools=(DOTTED,))
    at = Endpoint("t", "openai_chat", "http://h/v1", quirks={"any_names": True})
    assert f'"{DOTTED.name}"' in get_wire("openai_chat").encode(request, at).body.decode()
    assert f'"{DOTTED.name}"' in get_wire("ollama_chat").encode(request, at).body.decode()


def test_a_wire_without_a_server_side_is_named() -> None:
    with pytest.raises(UnknownName, match=r"server side 'straico'.*openai_chat"):
        get_server("straico")


def test_a_long_tool_name_is_known_in_a_recorded_reply() -> None:
    name = "read_" * 30 + "of_this_test_alone"
    request = ChatRequest("m", (Message("user", "hi"),), tools=(ToolSpec(name, "d"),))
    body = json.loads(get_wire("openai_chat").encode(request, Endpoint("t", "openai_chat", "http://h/v1")).body)
    short = body["tools"][0]["function"]["name"]
    assert len(short) == 64
    learn_tool_names([name, "now"])
    call = {"id": "c", "function": {"name": short, "arguments": "{}"}}
    answered = {"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    assert read("openai_chat", json.dumps(answered).encode(), stream=False).calls[0].name == name
