from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.serving import head, read, streamed, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import Reasoning
from workbench.wires import get_server
from workbench.wires.kit.deltas import SEND_BACK
from workbench.wires.kit.request_notes import ClientTool
from workbench.wires.kit.server import Refusal, ReplyHead

WIRE = "openai_chat"
HEAD = head(WIRE)
COUNTED = head(WIRE, stream_options={"include_usage": True})
CALL: list[Delta] = [
    ReasoningDelta("hm"),
    TextDelta("Let me "),
    TextDelta("see."),
    CallDelta(0, "call_a", "f", ""),
    CallDelta(0, "call_a", "f", '{"x"'),
    CallDelta(0, "call_a", "f", ": 1}"),
    CallDelta(1, "call_b", "g", "{}"),
    UsageDelta(Usage(7, 3)),
]


def _request(**fields: Any) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}], **fields}).encode()


def _events(at: ReplyHead, deltas: list[Delta]) -> list[Any]:
    records = streamed(at, deltas).decode().split("\n\n")
    assert records.pop() == ""
    assert all(record.startswith("data: ") for record in records)
    return [json.loads(record[6:]) if record != "data: [DONE]" else "DONE" for record in records]


def test_request_is_read_with_its_extras() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    request = read(WIRE,
        _request(tools=[tool], tool_choice="auto", max_completion_tokens=9, stop="x", stream=True, seed=3, user="u",
                 stream_options={"include_usage": True}, temperature=None)
    )  # fmt: skip
    assert request.tools[0].name == "f"
    assert (request.max_tokens, request.stop, request.stream, request.seed) == (9, ("x",), True, 3)
    assert request.extra == {"user": "u", "stream_options": {"include_usage": True}}
    assert request.temperature is None
    assert not read(WIRE, _request()).stream


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[1]",
        b"\xff",
        b"[" * 100_000,
        _request(model=""),
        _request(messages=[]),
        _request(messages=[{"content": ""}]),
        _request(max_tokens="many"),
        _request(seed=True),
        _request(tools=[{"type": "function", "function": {"name": "a b"}}]),
    ],
)
def test_a_bad_request_is_an_error_of_the_user(body: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(WIRE, body)


def test_stream_has_openais_shape() -> None:
    events = _events(HEAD, [*CALL, ModelDelta("other")])
    assert events.pop() == "DONE"
    assert all(
        event["object"] == "chat.completion.chunk" and event["id"] == "chatcmpl-0a" and event["model"] == "m"
        for event in events
    )
    assert all("usage" not in event for event in events)
    deltas = [event["choices"][0]["delta"] for event in events]
    assert deltas[0] == {"role": "assistant", "content": "", "refusal": None}
    assert deltas[1:4] == [{"reasoning_content": "hm"}, {"content": "Let me "}, {"content": "see."}]
    assert deltas[4]["tool_calls"] == [
        {"index": 0, "id": "call_a", "type": "function", "function": {"name": "f", "arguments": ""}}
    ]
    assert deltas[5]["tool_calls"] == [{"index": 0, "function": {"arguments": '{"x"'}}]
    assert deltas[7]["tool_calls"][0]["id"] == "call_b"
    assert deltas[8]["tool_calls"] == [{"index": 1, "function": {"arguments": "{}"}}]
    assert deltas[-1] == {}
    reasons = [event["choices"][0]["finish_reason"] for event in events]
    assert reasons[:-1] == [None] * (len(events) - 1)
    assert reasons[-1] == "tool_calls"


def test_usage_chunk_only_on_request() -> None:
    events = _events(COUNTED, [TextDelta("a"), UsageDelta(Usage(7, 3, 2, 1))])
    assert [event["usage"] for event in events[:-2]] == [None] * (len(events) - 2)
    assert events[-2]["choices"] == []
    usage = events[-2]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (7, 3, 10)
    assert usage["prompt_tokens_details"] == {"cached_tokens": 2}
    assert usage["completion_tokens_details"] == {"reasoning_tokens": 1}


def test_finish_reason_is_the_one_given() -> None:
    events = _events(HEAD, [TextDelta("a"), FinishDelta("length")])
    assert events[-2]["choices"][0]["finish_reason"] == "length"


def test_a_fault_in_the_stream_is_an_error_event() -> None:
    fault = FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom", code="overloaded"))
    events = _events(HEAD, [TextDelta("a"), fault])
    assert events[-2]["error"] == {"message": "boom", "type": "server_error", "param": None, "code": "overloaded"}


def test_whole_reply_has_openais_shape() -> None:
    body = whole(HEAD, CALL)
    assert body["object"] == "chat.completion"
    choice = body["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "Let me see."
    assert choice["message"]["reasoning_content"] == "hm"
    assert [call["function"] for call in choice["message"]["tool_calls"]] == [
        {"name": "f", "arguments": '{"x": 1}'},
        {"name": "g", "arguments": "{}"},
    ]
    assert body["usage"]["total_tokens"] == 10


def test_content_is_null_beside_calls_and_empty_without() -> None:
    calls = whole(HEAD, CALL[3:])
    assert calls["choices"][0]["message"]["content"] is None
    empty = whole(HEAD, [])
    assert empty["choices"][0]["message"]["content"] == ""
    assert "tool_calls" not in empty["choices"][0]["message"]


def test_a_lone_surrogate_stays_an_escape() -> None:
    assert whole(HEAD, [TextDelta("\ud800")])["choices"][0]["message"]["content"] == "\ud800"


def test_model_list_and_errors() -> None:
    listing = json.loads(get_server(WIRE).models(["a", "b"], created=1, owner="me"))
    assert [(item["id"], item["object"], item["owned_by"]) for item in listing["data"]] == [
        ("a", "model", "me"),
        ("b", "model", "me"),
    ]
    assert json.loads(get_server(WIRE).model("a", created=1, owner="me"))["id"] == "a"
    assert json.loads(get_server(WIRE).refuse(Refusal(400, "m", "c", "p")))["error"] == {
        "message": "m",
        "type": "invalid_request_error",
        "param": "p",
        "code": "c",
    }


def test_every_path_of_models_is_listed_here() -> None:
    server = get_server(WIRE)
    paths = ("/v1/models", "/models", "/v1/models/a/b", "/v1/chat/completions", "/v1/modelsx", "/v1/xmodels")
    assert [path for path in paths if server.lists(path, {})] == ["/v1/models", "/models", "/v1/models/a/b"]


def test_free_text_of_a_custom_tool_comes_back_as_text() -> None:
    at = head(WIRE, tools={"sh": ClientTool("sh", "custom")})
    called: list[Delta] = [
        CallDelta(0, "a", "sh", '{"input": '), CallDelta(0, "", "", '"ls -l"}'), CallDelta(1, "b", "f", '{"x": 1}'),
        FinishDelta("tool_calls"),
    ]  # fmt: skip
    first, second = whole(at, called)["choices"][0]["message"]["tool_calls"]
    assert first == {"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls -l"}}
    assert second == {"id": "b", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
    choices = [event["choices"] for event in _events(at, called) if isinstance(event, dict)]
    pieces = [call["custom"] for (one,) in choices for call in one["delta"].get("tool_calls", ()) if "custom" in call]
    assert [piece.get("name", "") for piece in pieces] == ["sh", ""]
    assert "".join(piece.get("input", "") for piece in pieces) == "ls -l"


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (400, "invalid_request_error"), (401, "authentication_error"), (403, "permission_error"),
        (404, "invalid_request_error"), (429, "rate_limit_error"), (499, "invalid_request_error"), (500, "server_error"),
        (503, "server_error"),
    ],
)  # fmt: skip
def test_each_status_has_openais_word(status: int, word: str) -> None:
    for wire in (WIRE, "openai_responses"):
        assert json.loads(get_server(wire).refuse(Refusal(status, "no")))["error"]["type"] == word


def test_what_another_server_wants_back_stands_beside_the_message() -> None:
    details = {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}
    back = [
        NoticeDelta(SEND_BACK, "", data={WIRE: {**details, "calls": {"c": 1}}}),
        NoticeDelta(SEND_BACK, "", data={WIRE: {"calls": {}}}),
    ]
    pieces = [
        json.loads(line[6:])
        for line in streamed(HEAD, [*back, FinishDelta("stop")]).decode().split("\n\n")
        if "{" in line
    ]
    told = [piece["choices"][0]["delta"] for piece in pieces]
    assert [one for one in told if "reasoning_details" in one or "calls" in one] == [details]


def test_a_whole_message_has_all_fields_of_the_vendors_libraries() -> None:
    found = whole(HEAD, [TextDelta("Hi."), FinishDelta("stop")])
    assert found["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": "Hi.", "refusal": None, "annotations": []},
         "logprobs": None, "finish_reason": "stop"},
    ]  # fmt: skip
    assert found["usage"] == {
        "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0, "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    assert (found["object"], found["id"], found["created"], found["model"]) == (
        "chat.completion",
        "chatcmpl-0a",
        1,
        "m",
    )
    called = whole(HEAD, [CallDelta(0, "c", "f", "{}")])["choices"][0]["message"]
    assert called["content"] is None
    assert whole(HEAD, [])["choices"][0]["message"]["content"] == ""


@pytest.mark.parametrize(("given", "read_as"), [(True, True), (False, False), ("yes", None), (1, None), (None, None)])
def test_calls_side_by_side_are_asked_for_or_forbidden_in_truth_values(given: Any, read_as: bool | None) -> None:
    assert read(WIRE, _request(parallel_tool_calls=given)).parallel_tool_calls is read_as


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": ""}, "The request has no 'model'."),
        ({"model": 7}, "The request has no 'model'."),
        ({"messages": []}, "The request has no 'messages' list."),
        ({"messages": {"role": "user"}}, "The request has no 'messages' list."),
        ({"messages": [{"content": "x"}]}, "messages[0].role: a role is missing."),
        ({"max_tokens": "many"}, "max_tokens: expected a number."),
    ],
)
def test_a_bad_request_is_told_in_these_words(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(WIRE, _request(**fields))
    assert caught.value.message == words


def test_the_newer_limit_goes_before_the_older() -> None:
    assert read(WIRE, _request(max_tokens=5)).max_tokens == 5
    assert read(WIRE, _request(max_tokens=5, max_completion_tokens=9)).max_tokens == 9
    assert read(WIRE, _request(max_tokens=5, max_completion_tokens=0)).max_tokens == 0


def test_a_model_is_described_as_the_vendor_does() -> None:
    one = {"id": "a", "object": "model", "created": 5, "owned_by": "us"}
    server = get_server(WIRE)
    assert json.loads(server.model("a", created=5, owner="us")) == one
    assert json.loads(server.models(["a", "b"], created=5, owner="us")) == {
        "object": "list",
        "data": [one, {**one, "id": "b"}],
    }


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, None),
        ({"reasoning_effort": "high"}, Reasoning("high")),
        ({"reasoning": {"effort": "low"}}, Reasoning("low")),
        ({"reasoning_effort": "high", "reasoning": {"effort": "low"}}, Reasoning("high")),
        ({"reasoning": {"max_tokens": 9}}, Reasoning(budget=9)),
        ({"reasoning": {"effort": "low", "exclude": True}}, Reasoning("low", show=False)),
        ({"reasoning": {"effort": "low", "exclude": False}}, Reasoning("low", show=True)),
        ({"reasoning": {"effort": "low", "exclude": "no"}}, Reasoning("low")),
    ],
)
def test_how_much_shall_be_thought_in_either_word(fields: dict[str, Any], wanted: Reasoning | None) -> None:
    assert get_server(WIRE).reasoning(fields) == wanted
