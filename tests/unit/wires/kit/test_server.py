"""The frame of the server sides, and what real agents send to it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.kit.agents import CLAUDE_CODE, CODEX
from tests.kit.serving import head, request_body, streamed, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    Ending,
    Endpoint,
    FaultDelta,
    FinishDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.wires import get_server, get_wire, wire_servers
from workbench.wires.kit.server import Refusal, fold, refusal_of


def test_claude_code_request_is_read() -> None:
    served = get_server("anthropic_messages").read(request_body(**CLAUDE_CODE), "/v1/messages")
    assert [message.role for message in served.request.messages] == ["system", "user", "system", "assistant", "tool"]
    assert served.request.messages[0].text == "You are an agent.\nRules."
    assert served.request.messages[2] == Message("system", "A note in the middle.")
    assert served.request.messages[4] == Message("tool", "hello", tool_call_id="toolu_1")
    assert served.request.tools[0].properties == {"path": {"type": "string"}}
    assert set(served.unknown) == {"thinking", "context_management", "output_config", "metadata"}
    assert served.left_out[0] == "thinking: known to this protocol only"


def test_codex_request_is_read() -> None:
    served = get_server("openai_responses").read(request_body(**CODEX), "/v1/responses")
    assert [message.role for message in served.request.messages] == ["system", "system", "user", "assistant", "tool"]
    assert [tool.name for tool in served.request.tools] == ["shell", "apply_patch", "files.read"]
    assert served.request.tools[1].required == ("input",)
    assert "start: x" in served.request.tools[1].description
    assert "tools[3]: a tool of type 'web_search', which only the client's own protocol knows" in served.left_out
    assert served.request.messages[3].tool_calls[0].arguments == "*** Begin"
    assert served.request.messages[3].extra["openai_responses"]["items"] == CODEX["input"][2:4]
    assert served.unknown["tools"] == CODEX["tools"]
    assert served.unknown["reasoning"] == {"summary": "auto"}


def test_same_wire_passes_everything_on() -> None:
    for wire, body in (("anthropic_messages", CLAUDE_CODE), ("openai_responses", CODEX)):
        served = get_server(wire).read(request_body(**body), "/v1")
        quirks = {"late_system": True}
        sent = json.loads(get_wire(wire).encode(served.request, Endpoint("p", wire, "http://h", quirks=quirks)).body)
        given = body | ({"messages": CLAUDE_CODE["messages"]} if wire == "anthropic_messages" else {})
        differing = {name for name in {*given, *sent} if sent.get(name) != given.get(name)}
        assert differing <= ({"messages"} if wire == "anthropic_messages" else {"input", "instructions"})


def test_other_wires_omit_unknown_reasoning_fields() -> None:
    from workbench.core.exchange import Endpoint
    from workbench.wires import get_wire

    served = get_server("openai_responses").read(request_body(**CODEX), "/v1/responses")
    sent = json.loads(get_wire("openai_chat").encode(served.request, Endpoint("p", "openai_chat", "http://h")).body)
    assert set(sent) <= {"model", "messages", "tools", "tool_choice", "parallel_tool_calls", "stream", "stream_options"}
    assert [tool["type"] for tool in sent["tools"]] == ["function"] * 3


def test_calls_come_back_as_the_client_knows_its_tools() -> None:
    served = get_server("openai_responses").read(request_body(**CODEX), "/v1/responses")
    at = head("openai_responses", tools=dict(served.tools))
    calls: list[Delta] = [
        CallDelta(0, "a", "files.read", "{}"),
        CallDelta(1, "b", "apply_patch", '{"input": '),
        CallDelta(1, "", "", '"*** Begin"}'),
        FinishDelta("tool_calls"),
    ]
    first, second = whole(at, calls)["output"]
    assert (first["type"], first["name"], first["namespace"]) == ("function_call", "read", "files")
    assert (second["type"], second["name"], second["input"]) == ("custom_tool_call", "apply_patch", "*** Begin")
    assert b'"type": "response.custom_tool_call_input.done"' in streamed(at, calls)


@pytest.mark.parametrize("server", wire_servers(), ids=lambda server: server.wire)
@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b"null", b"[" * 100_000, b"{}"])
def test_unreadable_request_is_an_error_of_the_client(server: Any, body: bytes) -> None:
    with pytest.raises(InvalidInput):
        server.read(body, "/v1beta/models/m:generateContent")


@pytest.mark.parametrize("server", wire_servers(), ids=lambda server: server.wire)
def test_fault_ends_a_stream(server: Any) -> None:
    at = head(server.wire, path="/completion")
    fault = FaultDelta(ErrorInfo(ErrorKind.RATE_LIMIT, "slow down", status=429))
    data = streamed(at, [TextDelta("a"), fault, TextDelta("never")])
    assert b"slow down" in data
    assert b"never" not in data
    assert b"slow down" in server.whole(at, [TextDelta("a"), fault])
    assert isinstance(server.stream(at).ping(), bytes)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ErrorInfo(ErrorKind.SERVER, "x", status=503), 503),
        (ErrorInfo(ErrorKind.SERVER, "x", status=200), 502),
        (ErrorInfo(ErrorKind.AUTH, "x"), 401),
        (ErrorInfo(ErrorKind.TIMEOUT, "x"), 504),
        (ErrorInfo(ErrorKind.CUT_OFF, "x", code="c"), 502),
    ],
)
def test_refusal_of_an_upstream_error(error: ErrorInfo, status: int) -> None:
    assert refusal_of(error) == Refusal(status, "x", error.code)


def test_deltas_are_folded() -> None:
    deltas: list[Delta] = [
        ReasoningDelta("a"),
        ReasoningDelta("b"),
        ReasoningDelta("", seal="s1"),
        ReasoningDelta("c"),
        TextDelta("x"),
        TextDelta("y"),
        CallDelta(0, "i", "f", '{"a"'),
        CallDelta(1, "j", "g", ""),
        CallDelta(0, "", "", ": 1}"),
        NoticeDelta("send_back", "", data={"w": 1}),
        UsageDelta(Usage(1, 2)),
        FinishDelta("end_turn"),
    ]
    reply = fold(deltas)
    assert reply.parts == (
        ReasoningDelta("ab", seal="s1"),
        ReasoningDelta("c"),
        TextDelta("xy"),
        CallDelta(0, "i", "f", '{"a": 1}'),
        CallDelta(1, "j", "g", ""),
    )
    assert (reply.text, reply.reasoning, reply.usage, reply.ending) == ("xy", "abc", Usage(1, 2), "tool_calls")
    assert reply.send_back == {"w": 1}


SETTINGS = (
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "stop",
    "parallel_tool_calls",
    "tool_choice",
    "stream",
    "model",
)
UNSAID = {
    "openai_responses": {"seed", "stop"},
    "anthropic_messages": {"seed"},
    "gemini_generate": {"parallel_tool_calls"},
    "ollama_chat": {"parallel_tool_calls", "tool_choice"},
    "completion": {"parallel_tool_calls", "tool_choice"},
}
"""What a protocol has no field for."""


@pytest.mark.parametrize("base", ["http://h", "http://h/v1"])
@pytest.mark.parametrize("wire", [server.wire for server in wire_servers()])
def test_settings_of_a_request_arrive_at_the_other_side_of_its_wire(wire: str, base: str) -> None:
    asked = ChatRequest(
        "m", (Message("user", "hi"),), (ToolSpec("f"),), {"type": "function", "function": {"name": "f"}}, stop=("x",),
        max_tokens=7, temperature=0.5, top_p=0.25, seed=3, parallel_tool_calls=False, stream=True,
    )  # fmt: skip
    for request in (asked, replace(asked, stream=False), ChatRequest("m", (Message("user", "hi"),), stream=False)):
        sent = get_wire(wire).encode(request, Endpoint("t", wire, base))
        found = get_server(wire).read(sent.body, urlsplit(sent.url).path).request
        lost = {name for name in SETTINGS if getattr(found, name) != getattr(request, name)}
        without = {"max_tokens"} if wire == "anthropic_messages" and request.max_tokens is None else set()
        assert lost == (UNSAID.get(wire, set()) if request.max_tokens else without)


@pytest.mark.parametrize("wire", [server.wire for server in wire_servers()])
@pytest.mark.parametrize("path", ["", "/v1/completions"])
def test_counts_that_nobody_told_are_zero(wire: str, path: str) -> None:
    said: list[Delta] = [TextDelta("a"), FinishDelta("stop")]
    counted: list[Delta] = [*said, UsageDelta(Usage(0, 0))]
    asked = {"stream_options": {"include_usage": True}}
    assert whole(head(wire, path=path), said) == whole(head(wire, path=path), counted)
    assert streamed(head(wire, path=path, **asked), said) == streamed(head(wire, path=path, **asked), counted)
    body = whole(head(wire, path=path), said)
    assert "null" not in json.dumps(body.get("usage", {}) if isinstance(body, dict) else body)


def test_of_several_faults_the_first_is_told() -> None:
    faults = [FaultDelta(ErrorInfo(kind, "x")) for kind in (ErrorKind.SERVER, ErrorKind.CUT_OFF)]
    assert fold(faults).error == faults[0].error


def test_signatures_are_passed_on() -> None:
    deltas: list[Delta] = [ReasoningDelta("hm"), ReasoningDelta("", seal="sig"), TextDelta("x")]
    blocks = whole(head("anthropic_messages"), deltas)["content"]
    assert blocks[0] == {"type": "thinking", "thinking": "hm", "signature": "sig"}
    assert b'"signature":"sig"' in streamed(head("anthropic_messages"), deltas)
    assert whole(head("openai_responses"), deltas)["output"][0]["encrypted_content"] == "sig"
    assert "signature" not in json.dumps(whole(head("openai_chat"), deltas))


@pytest.mark.parametrize(
    ("path", "headers", "claimed"),
    [
        ("/v1/models", {}, {"openai_chat"}),
        ("/v1/models/a/b", {}, {"openai_chat"}),
        ("/v1/models", {"anthropic-version": "2023-06-01"}, {"openai_chat", "anthropic_messages"}),
        ("/v1/models", {"x-goog-api-key": "k"}, {"openai_chat", "gemini_generate"}),
        ("/v1beta/models", {}, {"openai_chat", "gemini_generate"}),
        ("/api/tags", {}, {"ollama_chat"}),
        ("/v1beta/files", {"x-goog-api-key": "k", "anthropic-version": "1"}, set()),
        ("/v1/chat/completions", {}, set()),
    ],
)
def test_models_are_listed_by_the_protocol_that_was_asked(
    path: str, headers: dict[str, str], claimed: set[str]
) -> None:
    assert {server.wire for server in wire_servers() if server.lists(path, headers)} == claimed


@pytest.mark.parametrize("reason", ["", "stop"])
def test_a_reply_with_calls_ends_for_them_whatever_the_server_says(reason: str) -> None:
    deltas: list[Delta] = [CallDelta(0, "a", "f", "{}"), *([FinishDelta(reason)] if reason else [])]
    for server in wire_servers():
        writer = server.stream(head(server.wire))
        for delta in deltas:
            writer.feed(delta)
        assert writer.ending is Ending.CALLS, server.wire


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (ErrorKind.AUTH, 401), (ErrorKind.QUOTA, 402), (ErrorKind.NOT_FOUND, 404), (ErrorKind.RATE_LIMIT, 429),
        (ErrorKind.BAD_REQUEST, 400), (ErrorKind.CONTEXT_LENGTH, 400), (ErrorKind.CONTENT_FILTER, 400),
        (ErrorKind.TIMEOUT, 504), (ErrorKind.INTERNAL, 500), (ErrorKind.CONNECT, 502), (ErrorKind.CUT_OFF, 502),
    ],
)  # fmt: skip
def test_a_refusal_without_a_status_has_that_of_its_kind(kind: ErrorKind, status: int) -> None:
    assert refusal_of(ErrorInfo(kind, "x")).status == refusal_of(ErrorInfo(kind, "x", status=200)).status == status


@pytest.mark.parametrize(
    ("kind", "came", "told"),
    [
        (ErrorKind.PROTOCOL, 400, 400),
        (ErrorKind.PROTOCOL, 200, 502),
        (ErrorKind.PROTOCOL, None, 502),
        (ErrorKind.TIMEOUT, None, 504),
        (ErrorKind.RATE_LIMIT, 503, 503),
    ],
)
def test_an_upstream_error_has_the_status_that_came_or_one_of_its_kind(
    kind: ErrorKind, came: int | None, told: int
) -> None:
    assert refusal_of(ErrorInfo(kind, "no", status=came)) == Refusal(told, "no", "")


CALL_A, CALL_B = CallDelta(0, "a", "f", '{"x"'), CallDelta(1, "b", "g", "{}")


@pytest.mark.parametrize(
    ("deltas", "parts"),
    [
        ([TextDelta("a"), TextDelta(""), TextDelta("b")], [TextDelta("ab")]),
        ([TextDelta("a"), ReasoningDelta("r"), TextDelta("b")], [TextDelta("a"), ReasoningDelta("r"), TextDelta("b")]),
        ([ReasoningDelta("r"), ReasoningDelta("s", seal="1"), ReasoningDelta("t")], [ReasoningDelta("rs", seal="1"), ReasoningDelta("t")]),
        ([ReasoningDelta("", seal="1"), ReasoningDelta("", seal="2")], [ReasoningDelta("", seal="1"), ReasoningDelta("", seal="2")]),
        ([ReasoningDelta("r"), ReasoningDelta("", seal="1")], [ReasoningDelta("r", seal="1")]),
        ([TextDelta("a"), ReasoningDelta("", seal="1")], [TextDelta("a"), ReasoningDelta("", seal="1")]),
        ([CALL_A, CALL_B, CallDelta(0, "", "", ": 1}")], [CallDelta(0, "a", "f", '{"x": 1}'), CALL_B]),
        ([CALL_B, TextDelta("a"), CallDelta(1, "", "", " ")], [CallDelta(1, "b", "g", "{} "), TextDelta("a")]),
    ],
)  # fmt: skip
def test_pieces_of_a_reply_are_joined_to_its_parts(deltas: list[Delta], parts: list[Delta]) -> None:
    found = fold(deltas)
    assert list(found.parts) == parts
    assert found.calls == [part for part in parts if isinstance(part, CallDelta)]
    assert found.text == "".join(part.text for part in parts if isinstance(part, TextDelta))
    assert found.reasoning == "".join(part.text for part in parts if isinstance(part, ReasoningDelta))


def test_what_a_reply_says_beside_its_parts_is_kept() -> None:
    first, second = ErrorInfo(ErrorKind.SERVER, "first"), ErrorInfo(ErrorKind.SERVER, "second")
    found = fold(
        [
            UsageDelta(Usage(1, 2)), UsageDelta(Usage(3, 4)), FinishDelta("length"), FaultDelta(first), FaultDelta(second),
            NoticeDelta("send_back", "", (0, 0), {"a": 1}), NoticeDelta("send_back", "", (0, 0), {"b": 2}), NoticeDelta("odd", "", (0, 0), {"c": 3}),
        ]
    )  # fmt: skip
    assert (found.usage, found.reason, found.error, found.send_back) == (Usage(3, 4), "length", first, {"a": 1, "b": 2})
    assert (found.parts, found.ending) == ((), Ending.LENGTH)


def test_a_writer_says_nothing_behind_an_error() -> None:
    at = head("openai_chat")
    writer = get_server("openai_chat").stream(at)
    assert writer.feed(TextDelta("")) == writer.feed(ReasoningDelta("")) == writer.feed(FinishDelta("stop")) == b""
    assert writer.feed(TextDelta("a"))
    assert writer.feed(FaultDelta(ErrorInfo(ErrorKind.SERVER, "It broke.")))
    assert writer.error is not None
    assert writer.feed(TextDelta("b")) == writer.feed(CallDelta(0, "c", "f", "{}")) == b""
    assert writer.finish() == writer.end_of_fault()
    assert at.model == "m"


@pytest.mark.parametrize(
    ("body", "message"),
    [(b"{", "The request body is not valid JSON."), (b"[1]", "The request body is not a JSON object.")],
)
def test_a_body_that_is_none_is_told(body: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        get_server("openai_chat").read(body)
    assert caught.value.message == message
    assert bool(caught.value.hint) is (body == b"{")


def test_counted_tokens_are_told_in_each_protocols_word() -> None:
    words = {server.wire: json.loads(server.counted(7)) for server in wire_servers()}
    assert words["gemini_generate"] == {"totalTokens": 7}
    assert words["anthropic_messages"] == {"input_tokens": 7}
    assert all(7 in found.values() for found in words.values())
