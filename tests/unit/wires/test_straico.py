"""Straico: no tools, no roles of their own for results, answers in wrappings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import decode, read
from workbench.core.exchange import Endpoint, NoticeDelta, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "straico"
TALK = (
    Message("system", "be brief"),
    Message("user", "hi"),
    Message("assistant", "Ok.", (NativeCall(0, "c1", "f", '{"a":1}'),)),
    Message("tool", "42", tool_call_id="c1"),
)
FOLDED = 'Ok.\n{"function_calls": [{"name": "f", "arguments": {"a": 1}}]}'


def encode(
    base: str, quirks: dict[str, Any] | None = None, messages: tuple[Message, ...] = TALK
) -> tuple[str, dict[str, Any]]:
    request = ChatRequest(
        "m", messages, tools=(ToolSpec("f"),), tool_choice="auto", stop=("x",), max_tokens=9, temperature=0.5
    )
    sent = get_wire(WIRE).encode(request, Endpoint("t", WIRE, base, quirks=quirks or {}), "k")
    assert dict(sent.headers)["authorization"] == "Bearer k"
    value = json.loads(sent.body)
    assert isinstance(value, dict)
    return sent.url, value


def test_chat() -> None:
    url, body = encode("https://api.straico.com")
    assert url == "https://api.straico.com/v2/chat/completions"
    assert body.keys() == {"model", "messages", "temperature", "max_tokens"}
    assert [(turn["role"], turn["content"][0]["text"]) for turn in body["messages"]] == [
        ("system", "be brief"), ("user", "hi"), ("assistant", FOLDED), ("user", "Tool output for c1: 42"),
    ]  # fmt: skip


def test_one_text() -> None:
    url, body = encode("https://api.straico.com/v1")
    assert (url, body["models"], body["temperature"]) == ("https://api.straico.com/v1/prompt/completion", ["m"], 0.5)
    assert (
        body["message"]
        == f"System: be brief\n\nUser: hi\n\nAssistant: {FOLDED}\n\nUser: Tool output for c1: 42\n\nAssistant:"
    )
    url, body = encode("https://api.straico.com/", {"api": "v0"}, (Message("user", "only"),))
    assert (url, body) == ("https://api.straico.com/v0/prompt/completion", {"model": "m", "message": "only"})


def completion(text: str) -> dict[str, Any]:
    return {
        "model": "inner",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }


def test_answers_of_all_versions() -> None:
    v0 = {"success": True, "data": {"completion": completion("a"), "price": {}}}
    v1 = {
        "success": True,
        "data": {"completions": {"other-model": {"completion": completion("a"), "price": {}}}, "overall_price": {}},
    }
    v2 = {"success": True, "data": completion("a")}
    for answer in (v0, v1, v2, {**completion("a"), "price": {"total": 1}}):
        for stream in (True, False):
            reply = read(WIRE, json.dumps(answer).encode(), status=201 if answer is v1 else 200, stream=stream)
            assert (reply.text, reply.finish, reply.model, reply.usage, reply.faults) == (
                "a",
                "stop",
                "inner",
                Usage(1, 2),
                [],
            )


@pytest.mark.parametrize(
    "answer",
    [
        {"data": {"completion": completion("a"), "price": {"total": 2}}},
        {"data": {"completions": {"m": {"completion": completion("a")}}, "overall_price": {"total": 2}}},
        {**completion("a"), "price": {"input": 0.5, "total": 2.0}},
    ],
)
def test_price_of_a_reply_is_told_in_coins(answer: dict[str, Any]) -> None:
    told = [delta for delta in decode(WIRE, json.dumps(answer).encode()) if isinstance(delta, NoticeDelta)]
    assert [(one.code, one.message) for one in told] == [("price", "The reply cost 2 coins.")]


def test_several_models_and_none() -> None:
    two = {
        "success": True,
        "data": {"completions": {"a": {"completion": completion("a")}, "b": {"completion": completion("b")}}},
    }
    reply = read(WIRE, json.dumps(two).encode())
    assert (reply.text, "extra_choices" in reply.notices) == ("a", True)
    assert read(WIRE, b'{"success": true, "data": {"completions": {}}}').fault_kinds == ["protocol"]


def test_failures() -> None:
    assert read(WIRE, b'{"success": false, "error": "Model not found"}', status=422).fault_kinds == ["not_found"]
    assert read(WIRE, b'{"success": false, "error": "Insufficient coins"}').fault_kinds == ["quota"]
    assert read(WIRE, b"", stream=False).fault_kinds == ["protocol"]


def test_models() -> None:
    wire = get_wire(WIRE)
    assert (
        wire.models_request(Endpoint("t", WIRE, "https://api.straico.com/v1"), "k").url
        == "https://api.straico.com/v2/models"
    )
    old = {
        "success": True,
        "data": {"chat": [{"name": "Claude", "model": "anthropic/claude", "word_limit": 9}], "image": []},
    }
    new = {"success": True, "data": [{"id": "x", "name": "X", "word_limit": 7}]}
    assert [(m.id, m.context) for m in wire.read_models(json.dumps(old).encode())] == [("anthropic/claude", 9)]
    assert [(m.id, m.context) for m in wire.read_models(json.dumps(new).encode())] == [("x", 7)]


def test_fields_that_are_not_set_are_left_out() -> None:
    def body(base: str, **more: Any) -> dict[str, Any]:
        request = ChatRequest("m", (Message("user", "hi"),), **more)
        found: dict[str, Any] = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, base)).body)
        return found

    said = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    assert body(" https://h/v2/ ") == {"model": "m", "messages": said}
    assert body("https://h/v1") == {"models": ["m"], "message": "hi"}
    assert (
        body("https://h/v0") == body("https://h/v0", max_tokens=9, temperature=0.5) == {"model": "m", "message": "hi"}
    )
    assert body("https://h/v2", max_tokens=0, temperature=0.0) == {
        "model": "m", "messages": said, "max_tokens": 0, "temperature": 0.0,
    }  # fmt: skip
