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
    ReasoningDelta,
    TextDelta,
    Usage,
)
from workbench.core.messages import Message, NativeCall, Reasoning
from workbench.wires import get_server
from workbench.wires.kit.server import Refusal

WIRE = "anthropic_messages"
HEAD = head(WIRE)
DELTAS = turn(Usage(7, 3, 2))
DELTAS[4] = CallDelta(0, "call_a", "f", '{"x": 1}')  # as some endpoints have it: id and name once more


def _body(**fields: Any) -> bytes:
    return json.dumps(
        {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}], **fields}
    ).encode()


def _events(deltas: list[Delta]) -> list[tuple[str, dict[str, Any]]]:
    out = []
    for record in streamed(HEAD, deltas).decode().rstrip("\n").split("\n\n"):
        name, body = record.split("\n")
        value = json.loads(body.removeprefix("data: "))
        assert name == f"event: {value['type']}"
        out.append((value["type"], value))
    return out


def test_a_whole_conversation_is_read() -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "I call."},
                {"type": "tool_use", "id": "toolu_a", "name": "f", "input": {"x": "ü"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_a", "content": [{"type": "text", "text": "fine"}]},
                {"type": "tool_result", "tool_use_id": "toolu_b", "content": "bad", "is_error": True},
                {"type": "text", "text": "go on"},
            ],
        },
    ]
    tool = {
        "name": "f",
        "description": "d",
        "input_schema": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    request = read(WIRE,
        _body(messages=messages, system=[{"type": "text", "text": "Be brief."}], tools=[tool], stop_sequences=["x"],
              tool_choice={"type": "any", "disable_parallel_tool_use": True}, stream=True, metadata={"user_id": "u"})
    )  # fmt: skip
    assert request.messages[:3] == (
        Message("system", "Be brief."),
        Message("user", "one\ntwo"),
        Message(
            "assistant",
            "I call.",
            (NativeCall(0, "toolu_a", "f", '{"x": "ü"}'),),
            reasoning="hm",
            extra={WIRE: {"blocks": messages[1]["content"]}},
        ),
    )
    assert request.messages[3] == Message("tool", "fine", tool_call_id="toolu_a")
    assert request.messages[4] == Message("tool", "bad", tool_call_id="toolu_b", failed=True)
    assert request.messages[5] == Message("user", "go on")
    assert request.tools[0].properties == {"x": {"type": "string"}}
    assert (request.tool_choice, request.parallel_tool_calls) == ("required", False)
    assert (request.stop, request.max_tokens, request.stream) == (("x",), 9, True)
    assert request.extra == {"metadata": {"user_id": "u"}}


@pytest.mark.parametrize(
    ("given", "choice"),
    [
        ({"type": "auto"}, "auto"),
        ({"type": "none"}, "none"),
        ({"type": "tool", "name": "f"}, {"type": "function", "function": {"name": "f"}}),
        (None, None),
    ],
)
def test_tool_choices(given: Any, choice: Any) -> None:
    assert read(WIRE, _body(tool_choice=given)).tool_choice == choice


def test_pictures_become_neutral_parts() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    request = read(WIRE, _body(messages=[{"role": "user", "content": [picture, {"type": "text", "text": "what?"}]}]))
    neutral = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    assert request.messages[0].content == (neutral, {"type": "text", "text": "what?"})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        _body(model=None),
        _body(max_tokens=None),
        _body(max_tokens=True),
        _body(messages=[]),
        _body(messages=[{"role": "user"}]),
        _body(messages=["hi"]),
        _body(tools=[{"name": "no name"}]),
    ],
)
def test_a_bad_request_is_an_error_of_the_user(body: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(WIRE, body)


def test_stream_has_anthropics_shape() -> None:
    events = _events(DELTAS)
    assert [name for name, _ in events] == [
        "message_start",
        "content_block_start", "content_block_delta", "content_block_stop",
        "content_block_start", "content_block_delta", "content_block_delta", "content_block_stop",
        "content_block_start", "content_block_delta", "content_block_delta", "content_block_stop",
        "content_block_start", "content_block_delta", "content_block_stop",
        "message_delta", "message_stop",
    ]  # fmt: skip
    starts = [value["content_block"] for name, value in events if name == "content_block_start"]
    assert [block["type"] for block in starts] == ["thinking", "text", "tool_use", "tool_use"]
    assert starts[2] == {"type": "tool_use", "id": "toolu_a", "name": "f", "input": {}}
    assert [value["index"] for name, value in events if name == "content_block_stop"] == [0, 1, 2, 3]
    pieces = [value["delta"].get("partial_json") for name, value in events if name == "content_block_delta"]
    assert [piece for piece in pieces if piece is not None] == ["", '{"x": 1}', ""]
    last = events[-2][1]
    assert last["delta"] == {"stop_reason": "tool_use", "stop_sequence": None}
    assert (last["usage"]["input_tokens"], last["usage"]["cache_read_input_tokens"]) == (5, 2)
    assert last["usage"]["output_tokens"] == 3


@pytest.mark.parametrize(
    ("deltas", "reason"),
    [
        ([TextDelta("a")], "end_turn"),
        ([TextDelta("a"), FinishDelta("stop")], "end_turn"),
        ([TextDelta("a"), FinishDelta("length")], "max_tokens"),
        ([CallDelta(0, "c", "f", "{}")], "tool_use"),
    ],
)
def test_stop_reasons(deltas: list[Delta], reason: str) -> None:
    assert _events(deltas)[-2][1]["delta"]["stop_reason"] == reason
    assert whole(HEAD, deltas)["stop_reason"] == reason


def test_whole_reply_has_anthropics_shape() -> None:
    body = whole(HEAD, DELTAS)
    assert (body["id"], body["type"], body["role"], body["model"]) == ("msg_0a", "message", "assistant", "m")
    assert body["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "toolu_a", "name": "f", "input": {"x": 1}},
        {"type": "tool_use", "id": "toolu_b", "name": "g", "input": {}},
    ]


@pytest.mark.parametrize("arguments", ['{"x": ', "[1]", "null"])
def test_non_object_arguments_are_wrapped(arguments: str) -> None:
    body = whole(HEAD, [CallDelta(0, "c", "f", arguments)])
    assert body["content"][0]["input"] == {"INVALID_JSON": arguments}


def test_faults_are_error_events_and_bodies() -> None:
    fault = FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))
    assert _events([TextDelta("a"), fault])[-1] == (
        "error",
        {"type": "error", "error": {"type": "api_error", "message": "boom"}},
    )
    assert whole(HEAD, [fault])["error"]["message"] == "boom"
    assert json.loads(get_server(WIRE).refuse(Refusal(404, "no")))["error"]["type"] == "not_found_error"
    assert json.loads(get_server(WIRE).refuse(Refusal(500, "no")))["error"]["type"] == "api_error"


def test_models_are_listed() -> None:
    body = json.loads(get_server(WIRE).models(["a", "b"], created=1, owner=""))
    assert [item["id"] for item in body["data"]] == ["a", "b"]
    assert (body["first_id"], body["last_id"], body["has_more"]) == ("a", "b", False)


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (400, "invalid_request_error"), (401, "authentication_error"), (402, "billing_error"), (403, "permission_error"),
        (404, "not_found_error"), (413, "request_too_large"), (422, "invalid_request_error"), (429, "rate_limit_error"),
        (500, "api_error"), (502, "api_error"), (503, "api_error"), (504, "timeout_error"), (529, "overloaded_error"),
    ],
)  # fmt: skip
def test_each_status_has_anthropics_word(status: int, word: str) -> None:
    body = json.loads(get_server(WIRE).refuse(Refusal(status, "no")))
    assert (body["type"], body["error"]["type"]) == ("error", word)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"content": "x"}, False),
        ({"content": [{"type": "text", "text": "x"}], "is_error": True}, False),
        ({"content": "x", "cache_control": {"type": "ephemeral"}}, True),
        ({"content": [{"type": "text", "text": "x", "citations": [{"url": "u"}]}]}, True),
        ({"content": [{"type": "search_result", "source": "u"}]}, True),
    ],
)
def test_a_result_of_which_the_neutral_turn_cannot_say_all_is_kept(given: dict[str, Any], kept: bool) -> None:
    block = {"type": "tool_result", "tool_use_id": "a", **given}
    (message,) = read(WIRE, _body(messages=[{"role": "user", "content": [block]}])).messages
    assert message.extra == ({WIRE: {"blocks": [block]}} if kept else {})


def test_a_system_prompt_that_is_a_string() -> None:
    first, *_ = read(WIRE, _body(system="Be brief.")).messages
    assert first == Message("system", "Be brief.")


def test_an_unknown_role_is_read_as_the_users() -> None:
    served = get_server(WIRE).read(_body(messages=[{"role": "critic", "content": "hi"}]), "")
    assert [message.role for message in served.request.messages] == ["user"]
    assert served.left_out == ("messages.0.role: 'critic' is read as user",)


def test_one_model_is_described() -> None:
    assert json.loads(get_server(WIRE).model("m", created=1, owner="o"))["id"] == "m"


@pytest.mark.parametrize("role", ["system", "developer"])
def test_a_system_turn_among_the_messages_stays_one(role: str) -> None:
    turns = [{"role": "user", "content": "hi"}, {"role": role, "content": "Be brief."}]
    served = get_server(WIRE).read(_body(messages=turns), "")
    assert [(one.role, one.content) for one in served.request.messages] == [("user", "hi"), ("system", "Be brief.")]
    assert served.left_out == ()


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"thinking": {"type": "enabled", "budget_tokens": 2048, "display": "omitted"}}, Reasoning("", 2048, False)),
        ({"thinking": {"type": "disabled"}}, Reasoning("none")),
        (
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}},
            Reasoning("high", None, True),
        ),
        ({}, None),
    ],
)
def test_how_much_shall_be_thought_is_read(fields: dict[str, Any], wanted: Reasoning | None) -> None:
    assert get_server(WIRE).read(_body(**fields), "").reasoning == wanted


def test_texts_among_blocks_and_results_without_blocks() -> None:
    result = {"type": "tool_result", "tool_use_id": "t"}
    blocks = [{**result, "content": {"a": 1}}, {**result, "content": ["x", 5]}, {**result, "content": None}, "and"]
    turns = read(WIRE, _body(messages=[{"role": "user", "content": blocks}])).messages
    assert [turn.text for turn in turns] == ['{"a": 1}', "x\n5", "", "and"]


def test_only_what_is_counted_needs_no_limit() -> None:
    open_ended = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()
    with pytest.raises(InvalidInput) as caught:
        read(WIRE, open_ended, "/v1/messages")
    assert caught.value.message == "max_tokens: Field required"
    assert read(WIRE, open_ended, "/v1/messages/count_tokens").max_tokens is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": ""}, "model: Field required"),
        ({"model": 1}, "model: Field required"),
        ({"messages": []}, "messages: at least one message is required"),
        ({"messages": "hi"}, "messages: at least one message is required"),
    ],
)
def test_what_is_missing_is_told_as_the_vendor_does(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(WIRE, _body(**fields))
    assert caught.value.message == words


def test_pieces_of_text_thoughts_and_calls_event_by_event() -> None:
    deltas: list[Delta] = [
        TextDelta("a"), TextDelta("b"), ReasoningDelta("hm", seal="s"), CallDelta(0, "c", "f", ""), TextDelta("d"), CallDelta(0, "", "", "{}"),
    ]  # fmt: skip
    told = [(name, event.get("index"), event.get("delta")) for name, event in _events(deltas)]
    assert told[1:-2] == [
        ("content_block_start", 0, None),
        ("content_block_delta", 0, {"type": "text_delta", "text": "a"}),
        ("content_block_delta", 0, {"type": "text_delta", "text": "b"}),
        ("content_block_stop", 0, None),
        ("content_block_start", 1, None),
        ("content_block_delta", 1, {"type": "thinking_delta", "thinking": "hm"}),
        ("content_block_delta", 1, {"type": "signature_delta", "signature": "s"}),
        ("content_block_stop", 1, None),
        ("content_block_start", 2, None),
        ("content_block_delta", 2, {"type": "input_json_delta", "partial_json": ""}),
        ("content_block_stop", 2, None),
        ("content_block_start", 3, None),
        ("content_block_delta", 3, {"type": "text_delta", "text": "d"}),
        ("content_block_delta", 2, {"type": "input_json_delta", "partial_json": "{}"}),
        ("content_block_stop", 3, None),
    ]


def test_thoughts_sealed_one_after_the_other_are_blocks_of_their_own() -> None:
    deltas: list[Delta] = [ReasoningDelta("a"), ReasoningDelta("", seal="s"), ReasoningDelta("b", seal="t")]
    told = [(name, event.get("index"), event.get("delta")) for name, event in _events(deltas)]
    assert told[1:-2] == [
        ("content_block_start", 0, None),
        ("content_block_delta", 0, {"type": "thinking_delta", "thinking": "a"}),
        ("content_block_delta", 0, {"type": "signature_delta", "signature": "s"}),
        ("content_block_stop", 0, None),
        ("content_block_start", 1, None),
        ("content_block_delta", 1, {"type": "thinking_delta", "thinking": "b"}),
        ("content_block_delta", 1, {"type": "signature_delta", "signature": "t"}),
        ("content_block_stop", 1, None),
    ]


def test_a_message_begins_with_nothing_counted() -> None:
    (_, begun), *_ = _events([TextDelta("a")])
    usage = begun["message"]["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (0, 0)
