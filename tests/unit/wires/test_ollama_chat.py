"""Ollama's own protocol: lines of JSON, whole calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall, Reasoning
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "ollama_chat"
F, G = ToolSpec("f", "does f"), ToolSpec("g")


def encode(*messages: Message, **more: Any) -> dict[str, Any]:
    value = json.loads(
        get_wire(WIRE)
        .encode(ChatRequest("m", messages or (Message("user", "hi"),), **more), Endpoint("t", WIRE, "http://h:11434"))
        .body
    )
    assert isinstance(value, dict)
    return value


def line(message: dict[str, Any] | None = None, **more: Any) -> bytes:
    return (
        json.dumps(
            {"model": "m", "message": {"role": "assistant", "content": "", **(message or {})}, "done": False, **more}
        ).encode()
        + b"\n"
    )


END = line(done=True, done_reason="stop", prompt_eval_count=4, eval_count=5)


def test_request_in_full() -> None:
    body = encode(tools=(F, G), tool_choice="auto", stop=("x",), max_tokens=9, temperature=0.5, top_p=0.9, seed=4, stream=False,
                  extra={"options": {"num_ctx": 8192}, "think": True})  # fmt: skip
    assert body == {
        "model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": False, "tools": [F.to_openai(), G.to_openai()], "think": True,
        "options": {"num_predict": 9, "temperature": 0.5, "top_p": 0.9, "seed": 4, "stop": ["x"], "num_ctx": 8192},
    }  # fmt: skip


def test_unsupported_tool_choices() -> None:
    assert "tools" not in encode(tools=(F, G), tool_choice="none")
    named = encode(tools=(F, G), tool_choice={"type": "function", "function": {"name": "g"}})
    assert [tool["function"]["name"] for tool in named["tools"]] == ["g"]


def test_history() -> None:
    picture = (
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    )
    body = encode(
        Message("user", picture),
        Message("assistant", "", (NativeCall(0, "", "f", '{"a":1}'),), reasoning="hm"),
        Message("tool", "1"),
    )
    assert body["messages"] == [
        {"role": "user", "content": "see", "images": ["AA=="]},
        {"role": "assistant", "content": "", "thinking": "hm", "tool_calls": [{"id": "call_1_0", "function": {"index": 0, "name": "f", "arguments": {"a": 1}}}]},
        {"role": "tool", "content": "1", "tool_name": "f", "tool_call_id": "call_1_0"},
    ]  # fmt: skip


def test_addresses() -> None:
    wire = get_wire(WIRE)
    for base in ("http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/api"):
        assert wire.encode(ChatRequest("m", ()), Endpoint("t", WIRE, base), "k").url == "http://h:1/api/chat"
    sent = wire.models_request(Endpoint("t", WIRE, "http://h:1"), "k")
    assert (sent.url, dict(sent.headers)["authorization"]) == ("http://h:1/api/tags", "Bearer k")
    assert [model.id for model in wire.read_models(b'{"models":[{"name":"a:latest","model":"a:latest"}]}')] == [
        "a:latest"
    ]


def test_stream() -> None:
    body = line({"thinking": "hm"}) + line({"content": "Hé"}) + line({"content": "llo"})
    body += line({"tool_calls": [{"function": {"index": 0, "name": "f", "arguments": {"x": "ü"}}}]})
    body += (
        line(
            {
                "tool_calls": [
                    {"function": {"index": 0, "name": "f", "arguments": {}}},
                    {"id": "call_9", "function": {"name": "g"}},
                ]
            }
        )
        + END
    )
    reply = read(WIRE, body)
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("Héllo", "hm", "stop", "m")
    assert reply.plain_calls == [("", "f", '{"x": "ü"}'), ("", "f", "{}"), ("call_9", "g", "")]
    assert (reply.usage, reply.faults) == (Usage(4, 5), [])


def test_missing_token_counts() -> None:
    assert read(WIRE, line({"content": "a"}) + line(done=True, eval_count=3)).usage == Usage(None, 3)
    old = read(WIRE, line({"content": "a"}) + line(done=True))
    assert (old.finish, old.faults) == ("", [])


def test_whole_answer() -> None:
    whole = json.dumps(json.loads(line({"content": "a"}, done=True, done_reason="length")), indent=1).encode()
    reply = read(WIRE, whole, stream=False)
    assert (reply.text, reply.finish, reply.faults) == ("a", "length", [])
    assert read(WIRE, b'{"response": "a", "done": true}', stream=False).text == "a"


def test_errors_and_cuts() -> None:
    reply = read(WIRE, line({"content": "a"}) + b'{"error":"an error was encountered while running the model"}\n')
    assert (reply.text, reply.fault_kinds) == ("a", ["server"])
    assert read(WIRE, line({"content": "a"})).fault_kinds == ["cut_off"]
    assert read(WIRE, line({"content": "a"}) + line({"content": "b"})[:30]).fault_kinds == ["cut_off"]
    assert read(WIRE, b'{"error":"model \'x\' not found"}', status=404).fault_kinds == ["not_found"]
    lost = line({"content": "a"}) + b'{"error parsing tool call": "invalid character"}\n'  # as version 0.11 streams it
    assert read(WIRE, lost).fault_kinds == ["model_output"]
    assert read(WIRE, b'{"a": 1}\n').fault_kinds == ["protocol"]
    assert read(WIRE, b'{"a": 1}', stream=False).fault_kinds == ["protocol"]
    assert read(WIRE, b"{broken\n" + END).fault_kinds == ["protocol"]
    assert read(WIRE, b"Ollama is running").fault_kinds == ["protocol"]


def test_a_reason_without_done() -> None:
    reply = read(WIRE, b'{"message":{"content":"a"},"done_reason":"stop","eval_count":2}', stream=False)
    assert (reply.text, reply.finish, reply.usage, reply.faults) == ("a", "stop", Usage(None, 2), [])
    assert read(WIRE, line({"content": "a"}, done=False, done_reason="stop")).fault_kinds == ["cut_off"]


@pytest.mark.parametrize(
    ("setting", "model", "think"),
    [
        (None, "m", None), (Reasoning(), "m", None), (Reasoning("high"), "m", True), (Reasoning("none"), "m", False),
        (Reasoning("medium"), "gpt-oss:20b", "medium"), (Reasoning("minimal"), "gpt-oss:20b", "low"),
        (Reasoning("max"), "gpt-oss:20b", "high"), (Reasoning("none"), "gpt-oss:20b", False),
        (Reasoning("none", show=False), "m", False), (Reasoning("low", show=True), "m", True),
    ],
)  # fmt: skip
def test_thinking_is_on_or_off_and_a_level_where_the_model_takes_one(
    setting: Reasoning | None, model: str, think: bool | str | None
) -> None:
    request = ChatRequest(model, (Message("user", "hi"),), reasoning=setting)
    body = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, "http://h:11434")).body)
    assert body.get("think") == think


def test_thoughts_cannot_be_hidden() -> None:
    with pytest.raises(InvalidInput, match="leave its thoughts out"):
        encode(reasoning=Reasoning("low", show=False))


def test_quirks_leave_fields_out() -> None:
    request = ChatRequest("m", (Message("user", "hi"),), tools=(F,), stop=("x",), seed=0)
    quirks = {"no_tools": True, "no_stop": True}
    body = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, "http://h:11434", quirks=quirks)).body)
    assert "tools" not in body
    assert body["options"] == {"seed": 0}
    assert "thinking" not in encode(Message("user", "hi", reasoning="hm"))["messages"][0]


def test_a_whole_answer_may_be_a_list_of_lines_and_must_end() -> None:
    lines = [json.loads(one) for one in (line({"reasoning": "hm"}), line({"content": "a"}), END)]
    reply = read(WIRE, json.dumps(lines).encode(), stream=False)
    assert (reply.text, reply.reasoning, reply.finish, reply.faults) == ("a", "hm", "stop", [])
    assert read(WIRE, json.dumps(lines[:2]).encode(), stream=False).fault_kinds == ["cut_off"]
    refused = [*lines[:1], {"error": "no memory", "done": False}]
    assert read(WIRE, json.dumps(refused).encode(), stream=False).fault_kinds == ["server"]
    assert read(WIRE, b'[{"error": "no memory"}, 1]', stream=False).fault_kinds == ["server"]


def test_a_line_that_only_says_done_is_an_answer() -> None:
    """As a server that was only asked to load a model gives it."""
    reply = read(WIRE, b'{"model":"m","done":true,"done_reason":"load"}\n')
    assert (reply.text, reply.finish, reply.faults) == ("", "load", [])


@pytest.mark.parametrize(("raw", "stream", "kind"), [(b'{"a": 1}\n', True, "a stream"), (b'{"a": 1}', False, "JSON")])
def test_what_is_no_reply_is_told_with_what_was_expected(raw: bytes, stream: bool, kind: str) -> None:
    (fault,) = read(WIRE, raw, stream=stream).faults
    assert fault.message == f"The reply is {kind} but holds no 'message'."
    assert fault.hint == "Check that this address speaks Ollama's /api/chat."


def test_an_error_says_how_long_to_wait() -> None:
    (fault,) = read(WIRE, b'{"error": "too many"}', status=429, headers=(("retry-after", "7"),)).faults
    assert (fault.retry_after, fault.status) == (7.0, 429)
