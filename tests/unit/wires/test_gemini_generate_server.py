"""Gemini generateContent, server side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.serving import head, read, streamed, turn, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    TextDelta,
    Usage,
)
from workbench.core.messages import NativeCall
from workbench.wires import get_server
from workbench.wires.kit.server import Refusal

WIRE = "gemini_generate"
HEAD = head(WIRE)
PATH = "/v1beta/models/some%20model:streamGenerateContent"
USER = {"role": "user", "parts": [{"text": "hi"}]}
DELTAS = turn(Usage(7, 5, None, 2), ("a", "b"))
PARTS = [
    {"text": "hm", "thought": True},
    {"text": "Let me see."},
    {"functionCall": {"name": "f", "args": {"x": 1}, "id": "a"}},
    {"functionCall": {"name": "g", "args": {}, "id": "b"}},
]


def body(**fields: Any) -> bytes:
    return json.dumps({"contents": [USER], **fields}).encode()


def events(deltas: list[Delta]) -> list[dict[str, Any]]:
    data = streamed(HEAD, deltas)
    return [json.loads(event.removeprefix(b"data: ")) for event in data.split(b"\r\n\r\n") if event]


@pytest.mark.parametrize("camel", [True, False])
def test_a_request_in_full(camel: bool) -> None:
    schema = {"type": "OBJECT", "properties": {"a": {"type": "ARRAY", "items": {"type": "STRING"}}}, "required": ["a"]}
    fields: dict[str, Any] = {
        "systemInstruction": {"parts": [{"text": "be "}, {"text": "brief"}]},
        "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parameters": schema}, {"name": "g", "parametersJsonSchema": {"type": "object"}}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
        "generationConfig": {"maxOutputTokens": 5, "stopSequences": ["x"], "temperature": 0, "topP": 0.5, "seed": 4},
        "simulate": {"a": 1},
    }  # fmt: skip
    raw = body(**fields)
    if not camel:
        for name in (
            "systemInstruction",
            "functionDeclarations",
            "parametersJsonSchema",
            "toolConfig",
            "functionCallingConfig",
            "allowedFunctionNames",
            "generationConfig",
            "maxOutputTokens",
            "stopSequences",
            "topP",
        ):
            snake = "".join("_" + char.lower() if char.isupper() else char for char in name)
            raw = raw.replace(f'"{name}"'.encode(), f'"{snake}"'.encode())
    request = read(WIRE, raw, PATH)
    assert (request.model, request.stream, request.max_tokens, request.stop) == ("some model", True, 5, ("x",))
    assert (request.temperature, request.top_p, request.seed) == (0.0, 0.5, 4)
    assert [message.text for message in request.messages] == ["be brief", "hi"]
    assert request.tools[0].parameters == {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}}},
        "required": ["a"],
    }
    assert [tool.name for tool in request.tools] == ["f", "g"]
    assert request.tool_choice == {"type": "function", "function": {"name": "f"}}
    assert request.extra == {"simulate": {"a": 1}}


@pytest.mark.parametrize(
    ("mode", "choice"), [("AUTO", "auto"), ("NONE", "none"), ("ANY", "required"), ("validated", "auto")]
)
def test_choices(mode: str, choice: str) -> None:
    request = read(WIRE, body(toolConfig={"functionCallingConfig": {"mode": mode}}), "/models/m:generateContent")
    assert (request.tool_choice, request.stream) == (choice, False)
    assert read(WIRE, body(), PATH).tool_choice is None


def test_a_conversation() -> None:
    contents = [
        {"parts": [{"text": "see"}, {"inlineData": {"mimeType": "image/png", "data": "AA=="}}]},
        {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "ok"}, {"functionCall": {"name": "f", "args": {"a": 1}}}, {"functionCall": {"name": "g", "id": "b"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"result": [2]}}}, {"functionResponse": {"name": "g", "id": "b", "response": {"x": 1}}}, {"text": "and?"}]},
    ]  # fmt: skip
    user, model, first, second, last = read(WIRE, body(contents=contents), PATH).messages
    assert isinstance(user.content, tuple)
    assert user.content[1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    assert (model.text, model.reasoning) == ("ok", "hm")
    assert model.tool_calls == (NativeCall(0, "call_1_0", "f", '{"a": 1}'), NativeCall(1, "b", "g", "{}"))
    assert (first.name, first.tool_call_id, first.text) == ("f", "call_1_0", "[2]")
    assert (second.tool_call_id, second.text) == ("b", '{"x": 1}')
    assert (last.role, last.content) == ("user", "and?")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "contents is not specified"),
        (body(generationConfig={"temperature": "hot"}), "temperature"),
        (body(tools=[{"functionDeclarations": [{"name": "a b"}]}]), "tools[0]"),
    ],
)
def test_bad_requests_name_the_fault(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(WIRE, raw, PATH)
    assert words in str(refused.value)


def test_a_streamed_reply() -> None:
    *parts, last = events(DELTAS)
    assert all("finishReason" not in part["candidates"][0] for part in parts)
    sent = [part for event in [*parts, last] for part in event["candidates"][0].get("content", {}).get("parts", [])]
    assert sent == [PARTS[0], {"text": "Let me "}, {"text": "see."}, *PARTS[2:]]
    assert last["candidates"][0]["finishReason"] == "STOP"
    assert last["usageMetadata"] == {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 12, "thoughtsTokenCount": 2}  # fmt: skip
    assert {event["modelVersion"] for event in [*parts, last]} == {"m"}


def test_a_whole_reply() -> None:
    (candidate,) = whole(HEAD, DELTAS)["candidates"]
    assert candidate == {"content": {"parts": PARTS, "role": "model"}, "index": 0, "finishReason": "STOP"}


@pytest.mark.parametrize(("reason", "word"), [("tool_calls", "MALFORMED_FUNCTION_CALL"), ("length", "MAX_TOKENS")])
def test_non_object_call(reason: str, word: str) -> None:
    deltas: list[Delta] = [CallDelta(0, "a", "f", '{"x'), FinishDelta(reason)]
    (only,) = events(deltas)
    assert only["candidates"] == [{"index": 0, "finishReason": word}]
    assert whole(HEAD, deltas)["candidates"] == only["candidates"]


def test_errors() -> None:
    fault = FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))
    assert events([TextDelta("a"), fault])[-1]["error"] == {"code": 502, "message": "boom", "status": "INTERNAL"}
    assert whole(HEAD, [fault])["error"]["message"] == "boom"
    assert json.loads(get_server(WIRE).refuse(Refusal(404, "none")))["error"]["status"] == "NOT_FOUND"
    states = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 418: "INTERNAL", 429: "RESOURCE_EXHAUSTED",
              503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}  # fmt: skip
    for status, state in states.items():
        told = json.loads(get_server(WIRE).refuse(Refusal(status, "why")))["error"]
        assert told == {"code": status, "message": "why", "status": state}


def test_models() -> None:
    assert [
        model["name"] for model in json.loads(get_server(WIRE).models(["a", "b"], created=1, owner=""))["models"]
    ] == ["models/a", "models/b"]
    assert json.loads(get_server(WIRE).model("a", created=1, owner=""))["name"] == "models/a"


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (400, "INVALID_ARGUMENT"), (401, "UNAUTHENTICATED"), (403, "PERMISSION_DENIED"), (404, "NOT_FOUND"),
        (429, "RESOURCE_EXHAUSTED"), (500, "INTERNAL"), (503, "UNAVAILABLE"), (504, "DEADLINE_EXCEEDED"),
    ],
)  # fmt: skip
def test_each_status_has_googles_word(status: int, word: str) -> None:
    error = json.loads(get_server("gemini_generate").refuse(Refusal(status, "no")))["error"]
    assert error == {"code": status, "message": "no", "status": word}


def test_what_cannot_be_said_neutrally_is_noted() -> None:
    contents = [
        {"role": "system", "parts": [{"text": "be "}, {"text": "brief"}]},
        {"role": "critic", "parts": [{"text": "hi"}, {"odd": 1}, {"fileData": {"fileUri": "gs://x"}}]},
    ]
    served = get_server(WIRE).read(body(contents=contents, tools=[{"googleSearch": {}}]), PATH)
    system, user = served.request.messages
    assert (system.role, system.content, user.role) == ("system", "be brief", "user")
    assert user.content[-1] == {"type": "image_url", "image_url": {"url": "gs://x"}}  # type: ignore[index]
    notes = "\n".join(served.left_out)
    for words in ("contents[1].role: 'critic' is read as user", "a part 'odd'", "googleSearch"):
        assert words in notes


def test_texts_in_place_of_parts_and_results() -> None:
    call = {"functionCall": {"name": "f", "args": {}}}
    contents = [{"parts": "one"}, {"parts": ["two"]}, {"role": "model", "parts": call}]
    results = [{"functionResponse": {"name": "f", "response": value}} for value in ("done", [1])]
    raw = body(contents=[*contents, {"role": "function", "parts": results}], systemInstruction="be brief")
    assert [message.text for message in read(WIRE, raw, PATH).messages] == ["be brief", "one", "two", "", "done", "[1]"]
    assert [message.text for message in read(WIRE, body(contents="hi"), PATH).messages] == ["hi"]


def test_a_request_that_is_wrapped_to_be_counted() -> None:
    raw = json.dumps({"generateContentRequest": json.loads(body())}).encode()
    assert read(WIRE, raw, "/v1beta/models/m:countTokens").messages


def test_counted_tokens() -> None:
    assert json.loads(get_server(WIRE).counted(7)) == {"totalTokens": 7}


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([{"text": "a"}], False),
        ([{"text": "a"}, {"functionCall": {"name": "f", "args": {}}}], False),
        ([{"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "s"}], True),
        ([{"text": "hm", "thought": True}, {"text": "a"}], True),
    ],
)
def test_a_turn_that_the_neutral_one_cannot_say_whole_is_kept(parts: list[dict[str, Any]], kept: bool) -> None:
    turn_of = read(WIRE, body(contents=[USER, {"role": "model", "parts": parts}]), PATH).messages[-1]
    assert turn_of.extra == ({WIRE: {"parts": parts}} if kept else {})
