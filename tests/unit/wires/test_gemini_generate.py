"""Gemini generateContent: contents and parts, whole calls, thought signatures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.exchange import Endpoint, Usage
from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "gemini_generate"
TOOL = ToolSpec("f", "does f", {"type": "object", "properties": {}})


def encode(*messages: Message, quirks: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    request = ChatRequest("gemini-x", messages or (Message("user", "hi"),), **more)
    value = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, "http://h", quirks=quirks or {})).body)
    assert isinstance(value, dict)
    return value


def chunk(*parts: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}} if parts else {}
    if finish:
        candidate["finishReason"] = finish
    return f"data: {json.dumps({'candidates': [candidate], 'modelVersion': 'g-1', **more})}\r\n\r\n".encode()


def call(name: str = "f", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {"a": 1}, **more}}


def test_request_in_full() -> None:
    named = {"type": "function", "function": {"name": "f"}}
    body = encode(
        Message("system", "be brief"), Message("user", "hi"), tools=(TOOL,), tool_choice=named, stop=tuple("abcdef"), max_tokens=9, temperature=0.5,
        top_p=0.9, seed=4, extra={"generationConfig": {"topK": 3}},
    )  # fmt: skip
    assert body == {
        "systemInstruction": {"parts": [{"text": "be brief"}]}, "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "description": "does f", "parametersJsonSchema": TOOL.parameters}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
        "generationConfig": {"maxOutputTokens": 9, "stopSequences": list("abcde"), "temperature": 0.5, "topP": 0.9, "seed": 4, "topK": 3},
    }  # fmt: skip
    assert (
        "parameters"
        in encode(tools=(TOOL,), quirks={"schema_field": "parameters"})["tools"][0]["functionDeclarations"][0]
    )


@pytest.mark.parametrize(
    ("choice", "mode"), [("auto", "AUTO"), ("none", "NONE"), ("required", "ANY"), ("validated", "VALIDATED")]
)
def test_choices(choice: ToolChoice, mode: str) -> None:
    assert encode(tools=(TOOL,), tool_choice=choice)["toolConfig"]["functionCallingConfig"] == {"mode": mode}


def test_a_choice_in_the_providers_own_words_goes_out_as_it_is() -> None:
    own = {"mode": "ANY", "streamFunctionCallArguments": True}
    assert encode(tools=(TOOL,), tool_choice=own)["toolConfig"]["functionCallingConfig"] == own


def test_addresses_and_key() -> None:
    wire = get_wire(WIRE)

    def url(base: str, model: str, stream: bool) -> str:
        return wire.encode(ChatRequest(model, (Message("user", "x"),), stream=stream), Endpoint("t", WIRE, base)).url

    assert url("http://h", "g-1", True) == "http://h/v1beta/models/g-1:streamGenerateContent?alt=sse"
    assert url("http://h/v1beta/", "models/g-1", False) == "http://h/v1beta/models/g-1:generateContent"
    assert url("http://h/v1", "tunedModels/t 1", False) == "http://h/v1/tunedModels/t%201:generateContent"
    sent = wire.models_request(Endpoint("t", WIRE, "http://h"), "k")
    assert (sent.url, dict(sent.headers)["x-goog-api-key"]) == ("http://h/v1beta/models?pageSize=1000", "k")
    assert (
        dict(
            wire.models_request(Endpoint("t", WIRE, "http://h", quirks={"auth_header": "authorization"}), "k").headers
        )["authorization"]
        == "Bearer k"
    )


def test_results_stand_together_as_objects() -> None:
    calls = (NativeCall(0, "", "f", '{"x":1}'), NativeCall(1, "", "g", "oops"))
    body = encode(
        Message("user", ({"type": "text", "text": "go"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}})),
        Message("assistant", "ok", calls), Message("tool", '{"t": 1}'), Message("tool", "[2]"), Message("user", "and?"), Message("assistant", ""),
    )  # fmt: skip
    assert body["contents"] == [
        {"role": "user", "parts": [{"text": "go"}, {"inlineData": {"mimeType": "image/png", "data": "AA=="}}]},
        {"role": "model", "parts": [{"text": "ok"}, {"functionCall": {"name": "f", "args": {"x": 1}}}, {"functionCall": {"name": "g", "args": {"_raw": "oops"}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"t": 1}}}, {"functionResponse": {"name": "g", "response": {"result": [2]}}}]},
        {"role": "user", "parts": [{"text": "and?"}]},
    ]  # fmt: skip


def test_signatures_and_ids_go_back_as_they_came() -> None:
    signed = {**call(id="x1"), "thoughtSignature": "sig"}
    body = (
        chunk({"text": "Well", "thought": True})
        + chunk({"text": "o"})
        + chunk({"text": "k"})
        + chunk(signed, call("g"))
    )
    body += chunk({"text": "", "thoughtSignature": "last"}, finish="STOP")
    reply = read(WIRE, body)
    assert (reply.text, reply.reasoning) == ("ok", "Well")
    calls = tuple(NativeCall(n, c.id or f"made_{n}", c.name, c.arguments) for n, c in enumerate(reply.calls))
    turn = Message("assistant", "ok", calls, extra=reply.notices["send_back"])
    sent = encode(turn, Message("tool", "1", tool_call_id="x1"), Message("tool", "2", tool_call_id="made_1"))[
        "contents"
    ]
    assert sent[0]["parts"] == [{"text": "ok"}, signed, call("g"), {"text": "", "thoughtSignature": "last"}]
    assert [part["functionResponse"].get("id") for part in sent[1]["parts"]] == ["x1", None]
    edited = Message("assistant", "no", calls, extra=reply.notices["send_back"])
    assert encode(edited)["contents"][0]["parts"][0] == {"text": "no"}


def test_stream() -> None:
    counts = {"promptTokenCount": 5, "totalTokenCount": 9}
    body = (
        chunk({"text": "Hel"}, usageMetadata={**counts, "candidatesTokenCount": 1})
        + chunk({"text": "lo"})
        + chunk(call())
        + chunk(call("g"))
    )
    body += chunk(
        finish="STOP",
        usageMetadata={**counts, "candidatesTokenCount": 3, "thoughtsTokenCount": 4, "cachedContentTokenCount": 2},
    )
    reply = read(WIRE, body)
    assert (reply.text, reply.finish, reply.model, reply.faults) == ("Hello", "STOP", "g-1", [])
    assert reply.plain_calls == [("", "f", '{"a": 1}'), ("", "g", '{"a": 1}')]
    assert reply.usage == Usage(5, 7, 2, 4)
    assert "send_back" not in reply.notices


def test_list_of_a_stream_needs_its_end_and_a_whole_answer_no_reason() -> None:
    said = {"candidates": [{"content": {"parts": [{"text": "a"}]}}]}
    assert read(WIRE, json.dumps(said).encode(), stream=False).faults == []
    assert read(WIRE, json.dumps([said]).encode(), stream=False).fault_kinds == ["cut_off"]
    said["candidates"][0]["finishReason"] = "STOP"  # type: ignore[assignment]
    assert read(WIRE, json.dumps([said]).encode(), stream=False).faults == []


def test_whole_answer_and_array() -> None:
    answer = {
        "candidates": [
            {"content": {"parts": [{"text": "a"}, {"function_call": {"name": "f"}}]}, "finish_reason": "STOP"}
        ],
        "usage_metadata": {"prompt_token_count": 1},
    }
    reply = read(WIRE, json.dumps(answer).encode(), stream=False)
    assert (reply.text, reply.plain_calls, reply.finish, reply.usage) == ("a", [("", "f", "{}")], "STOP", Usage(1))
    several = [
        {"candidates": [{"content": {"parts": [{"text": "a"}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "b"}]}, "finishReason": "STOP"}]},
    ]
    assert read(WIRE, json.dumps(several, indent=1).encode()).text == "ab"
    assert read(WIRE, json.dumps(several[:1]).encode()).fault_kinds == ["cut_off"]
    cut = read(WIRE, json.dumps(several).encode()[:-20])
    assert (cut.text, cut.fault_kinds) == ("a", ["cut_off"])


def test_missing_pieces_are_normal() -> None:
    body = (
        b'data: {"usageMetadata":{}}\n\n'
        b'data: {"candidates":[{"content":{"role":"model"}}]}\n\n'
        b'data: {"candidates":[{"finishReason":"STOP"}]}\n\n'
    )
    assert read(WIRE, body).faults == []
    assert "unknown_part" in read(WIRE, chunk({"executableCode": {"code": "1"}}, finish="STOP")).notices
    second = {
        "candidates": [
            {"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"},
            {"index": 1, "content": {"parts": [{"text": "b"}]}},
        ]
    }
    reply = read(WIRE, json.dumps(second).encode(), stream=False)
    assert (reply.text, "extra_choices" in reply.notices) == ("a", True)
    alone = {"candidates": second["candidates"][1:]}
    streamed = read(WIRE, chunk({"text": "a"}) + f"data: {json.dumps(alone)}\n\n".encode() + chunk(finish="STOP"))
    assert (streamed.text, "extra_choices" in streamed.notices) == ("a", True)
    unnumbered = {"candidates": [second["candidates"][0]] * 2}
    assert read(WIRE, json.dumps(unnumbered).encode(), stream=False).text == "a"


def test_model_failures_and_filters() -> None:
    broken = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(f())"}]}
    (fault,) = read(WIRE, json.dumps(broken).encode(), stream=False).faults
    assert (str(fault.kind), fault.code, "print(f())" in fault.message) == (
        "model_output",
        "MALFORMED_FUNCTION_CALL",
        True,
    )
    unexpected = read(WIRE, chunk(call(), finish="UNEXPECTED_TOOL_CALL"))
    assert (unexpected.plain_calls, unexpected.finish) == ([("", "f", '{"a": 1}')], "UNEXPECTED_TOOL_CALL")
    blocked = read(WIRE, b'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n')
    assert (blocked.fault_kinds, blocked.faults[0].code) == (["content_filter"], "SAFETY")


def test_errors_and_cuts() -> None:
    cut = read(WIRE, chunk({"text": "a"}))
    assert (cut.text, cut.fault_kinds) == ("a", ["cut_off"])
    error = {
        "error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "34.4s"}]}
    }
    (fault,) = read(WIRE, json.dumps([error]).encode(), status=429).faults
    assert (str(fault.kind), fault.retry_after) == ("rate_limit", 34.4)
    assert read(WIRE, chunk({"text": "a"}) + b"data: " + json.dumps(error).encode() + b"\n\n").fault_kinds == [
        "rate_limit"
    ]
    assert read(WIRE, json.dumps([error]).encode()).fault_kinds == ["rate_limit"]
    assert read(WIRE, b'{"choices":[]}', stream=False).fault_kinds == ["protocol"]


def test_models() -> None:
    body = b'{"models":[{"name":"models/g-1","inputTokenLimit":8},{"x":1}]}'
    assert [(model.id, model.context) for model in get_wire(WIRE).read_models(body)] == [("g-1", 8)]


def bit(path: str = "", more: bool = True, **value: Any) -> dict[str, Any]:
    """A piece of a call's arguments."""
    pieces = [{"jsonPath": path, **value}] if path else None
    return {"functionCall": {"partialArgs": pieces, "willContinue": more} if pieces else {}}


def test_arguments_in_pieces() -> None:
    begun = {"functionCall": {"name": "book", "willContinue": True}, "thoughtSignature": "sig"}
    body = chunk({"functionCall": {"name": "now"}}) + chunk(begun)
    body += chunk(bit("$.to[0].city", stringValue="Os", willContinue=True)) + chunk(
        bit("$.to[0].city", stringValue="lo")
    )
    body += chunk(bit("$.to[1].city", stringValue="Rome")) + chunk(bit("$.nights", numberValue=2)) + chunk(bit())
    body += chunk(
        {"functionCall": {"name": "book", "id": "x2", "partialArgs": [{"jsonPath": "$.ok", "boolValue": True}]}}
    )
    body += chunk({"text": ""}, finish="STOP", usageMetadata={"promptTokenCount": 3, "candidatesTokenCount": 4})
    reply = read(WIRE, body)
    args = {"to": [{"city": "Oslo"}, {"city": "Rome"}], "nights": 2}
    assert reply.plain_calls == [("", "now", "{}"), ("", "book", json.dumps(args)), ("x2", "book", '{"ok": true}')]
    assert (reply.faults, "unknown_part" in reply.notices) == ([], False)
    assert reply.notices["send_back"][WIRE]["parts"] == [
        {"functionCall": {"name": "now"}},
        {"functionCall": {"name": "book", "args": args}, "thoughtSignature": "sig"},
        {"functionCall": {"name": "book", "id": "x2", "args": {"ok": True}}},
        {"text": ""},
    ]


def test_pieces_without_an_end() -> None:
    begun = chunk({"functionCall": {"name": "book", "willContinue": True}})
    text = chunk(bit("$.city", stringValue="Os", willContinue=True))
    assert read(WIRE, begun + text + chunk(finish="STOP")).plain_calls == [("", "book", '{"city": "Os"}')]
    for end in (chunk(finish="MAX_TOKENS"), b"", b'data: {"error":{"code":500,"message":"x"}}\n\n'):
        assert read(WIRE, begun + text + end).plain_calls == [("", "book", '{"city": "Os')]
    two = begun + text + begun + chunk(bit("$.city", False, stringValue="Rome")) + chunk(finish="STOP")
    assert [call.arguments for call in read(WIRE, two).calls] == ['{"city": "Os"}', '{"city": "Rome"}']
    odd = read(WIRE, begun + chunk(bit("city", stringValue="Rome")) + chunk(bit(), finish="STOP"))
    assert ([call.arguments for call in odd.calls], "unknown_path" in odd.notices) == (["{}"], True)
    assert "unknown_part" in read(WIRE, chunk(bit(), finish="STOP")).notices


def test_arguments_in_a_part_of_their_own() -> None:
    named = {"functionCall": {"name": "book", "args": {}}, "thoughtSignature": "sig"}
    args: dict[str, Any] = {"functionCall": {"args": {"city": "Oslo"}}}
    reply = read(WIRE, chunk(named, args) + chunk(named) + chunk(bit("$.city", False, stringValue="Rome")) + chunk(named, bit(), finish="STOP"))  # fmt: skip
    assert reply.plain_calls == [("", "book", text) for text in ('{"city": "Oslo"}', '{"city": "Rome"}', "{}")]
    assert [part["functionCall"]["args"] for part in reply.notices["send_back"][WIRE]["parts"]] == [
        {"city": "Oslo"},
        {"city": "Rome"},
        {},
    ]
    assert set(reply.notices) == {"send_back"}
    whole = json.dumps({"candidates": [{"content": {"parts": [named]}}]}).encode()
    assert read(WIRE, whole, stream=False).plain_calls == [("", "book", "{}")]


def signatures(model: str, *turns: Message, quirks: dict[str, Any] | None = None) -> list[str | None]:
    request = ChatRequest(model, (Message("user", "hi"), *turns))
    sent = json.loads(get_wire(WIRE).encode(request, Endpoint("t", WIRE, "http://h", quirks=quirks or {})).body)
    return [part.get("thoughtSignature") for content in sent["contents"][1:] for part in content["parts"]]


def test_calls_of_another_wire_get_the_word_for_a_signature() -> None:
    calls = (NativeCall(0, "a", "f", "{}"), NativeCall(1, "b", "g", "{}"))
    turn = Message("assistant", "ok", calls, extra={"openai_responses": {"items": [{"type": "reasoning"}]}})
    word = "skip_thought_signature_validator"
    for model in ("gemini-3-pro-preview", "models/gemini-3.7-flash", "gemini-flash-latest", "gemini-10-pro"):
        assert signatures(model, turn) == [None, word, None]
    for model in ("gemini-2.5-pro", "gemma-4-26b", "g-1"):
        assert signatures(model, turn) == [None, None, None]
    assert signatures("gemini-3-pro", turn, quirks={"foreign_signature": ""}) == [None, None, None]
    assert signatures("g-1", turn, quirks={"foreign_signature": "w"}) == [None, "w", None]
    assert signatures("gemini-3-pro", Message("assistant", "only words")) == [None]


def test_own_signatures_are_left_alone() -> None:
    parts = [{"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "sig"}, {"functionCall": {"name": "g"}}]
    calls = (NativeCall(0, "a", "f", "{}"), NativeCall(1, "b", "g", "{}"))
    turn = Message("assistant", "", calls, extra={WIRE: {"parts": parts}})
    assert signatures("gemini-3-pro", turn) == ["sig", None]
    unsigned = [{"functionCall": {"name": "f", "id": "a"}}, {"functionCall": {"name": "g", "id": "b"}}]
    assert signatures("gemini-3-pro", Message("assistant", "", calls, extra={WIRE: {"parts": unsigned}})) == [
        "skip_thought_signature_validator",
        None,
    ]
    assert unsigned[0] == {"functionCall": {"name": "f", "id": "a"}}


def test_a_response_that_code_assist_wraps_is_read() -> None:
    inner = {"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]}
    assert read(WIRE, json.dumps({"response": inner, "traceId": "t"}).encode(), stream=False).text == "a"


def test_the_address_has_the_version_but_where_it_has_none() -> None:
    def url(base: str, **quirks: Any) -> str:
        return (
            get_wire(WIRE)
            .encode(ChatRequest("m", (Message("user", "hi"),)), Endpoint("t", WIRE, base, quirks=quirks))
            .url
        )

    assert url("http://h").partition("?")[0] == "http://h/v1beta/models/m:streamGenerateContent"
    assert url("http://h", no_version=True).partition("?")[0] == "http://h/models/m:streamGenerateContent"
    assert url("http://h/v1").partition("?")[0] == "http://h/v1/models/m:streamGenerateContent"


def test_fields_that_are_not_set_are_not_sent() -> None:
    assert "generationConfig" not in encode()
    found = encode(max_tokens=0, temperature=0.0, seed=0, stop=tuple("abcdef"))["generationConfig"]
    assert found == {"maxOutputTokens": 0, "stopSequences": list("abcde"), "temperature": 0.0, "seed": 0}
    assert encode(seed=1, max_tokens=2, quirks={"no_seed": True})["generationConfig"] == {"maxOutputTokens": 2}


def test_an_event_named_an_error_is_one_whatever_it_holds() -> None:
    reply = read(WIRE, b'event: error\ndata: {"message": "It broke."}\n\n')
    assert [fault.message for fault in reply.faults] == ["It broke."]
