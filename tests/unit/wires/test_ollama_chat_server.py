"""Ollama's own protocol, server side."""

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
    UsageDelta,
)
from workbench.core.messages import NativeCall, Reasoning
from workbench.wires import get_server
from workbench.wires.kit.server import Refusal

WIRE = "ollama_chat"
HEAD = head(WIRE)
DELTAS = turn(Usage(7, 3))
CALLS = [
    {"id": "call_a", "function": {"index": 0, "name": "f", "arguments": {"x": 1}}},
    {"id": "call_b", "function": {"index": 1, "name": "g", "arguments": {}}},
]


def body(**fields: Any) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}], **fields}).encode()


def lines(deltas: list[Delta]) -> list[dict[str, Any]]:
    data = streamed(HEAD, deltas)
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def test_a_request_in_full() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    options = {"num_predict": 5, "temperature": 0.5, "top_p": 1, "seed": 4, "stop": ["x"], "num_ctx": 9, "simulate": {}}
    request = read(WIRE, body(tools=[tool], options=options, think=True, stream=False))
    assert (request.model, request.max_tokens, request.temperature, request.top_p) == ("m", 5, 0.5, 1.0)
    assert (request.seed, request.stop, request.stream, request.tools[0].name) == (4, ("x",), False, "f")
    assert request.extra == {"think": True, "options": {"num_ctx": 9}, "simulate": {}}
    plain = read(WIRE, body(options={"num_predict": -1, "stop": "y"}))
    assert (plain.stream, plain.max_tokens, plain.stop) == (True, None, ("y",))


def test_a_conversation() -> None:
    turns = [
        {"role": "user", "content": "see", "images": ["AA=="]},
        {"role": "assistant", "content": "", "thinking": "hm", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
        {"role": "tool", "tool_name": "f", "content": "done"},
    ]  # fmt: skip
    user, assistant, result = read(WIRE, body(messages=turns)).messages
    assert isinstance(user.content, tuple)
    assert user.content[1]["image_url"]["url"] == "data:image/png;base64,AA=="
    assert (assistant.reasoning, assistant.tool_calls) == ("hm", (NativeCall(0, "call_1_0", "f", '{"a": 1}'),))
    assert (result.name, result.tool_call_id, result.text) == ("f", "call_1_0", "done")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b'{"model": ""}', "model is required"),
        (body(messages=[{"content": "x"}]), "messages[0]"),
        (body(options={"temperature": "hot"}), "temperature"),
    ],
)
def test_bad_requests_name_the_fault(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(WIRE, raw)
    assert words in str(refused.value)


def test_a_streamed_reply() -> None:
    *parts, last = lines(DELTAS)
    assert all((part["model"], part["done"]) == ("m", False) for part in parts)
    assert parts[0]["message"]["thinking"] == "hm"
    assert "".join(part["message"]["content"] for part in parts) == "Let me see."
    assert [call for part in parts for call in part["message"].get("tool_calls", [])] == CALLS
    assert (last["done"], last["done_reason"], last["prompt_eval_count"], last["eval_count"]) == (True, "stop", 7, 3)
    assert last["created_at"] == "1970-01-01T00:00:01Z"


def test_a_whole_reply() -> None:
    value = whole(HEAD, DELTAS)
    assert value["message"] == {"role": "assistant", "content": "Let me see.", "thinking": "hm", "tool_calls": CALLS}
    assert (value["done"], value["done_reason"]) == (True, "stop")


def test_cut_call_is_not_emitted() -> None:
    deltas: list[Delta] = [TextDelta("a"), CallDelta(0, "c", "f", '{"x'), FinishDelta("length")]
    assert [line["message"].get("tool_calls") for line in lines(deltas)] == [None, None]
    assert lines(deltas)[-1]["done_reason"] == "length"
    assert "tool_calls" not in whole(HEAD, deltas)["message"]


def test_errors() -> None:
    fault = FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))
    assert lines([TextDelta("a"), fault])[-1] == {"error": "boom"}
    assert whole(HEAD, [fault]) == json.loads(get_server(WIRE).refuse(Refusal(500, "boom"))) == {"error": "boom"}


def test_models() -> None:
    (model,) = json.loads(get_server(WIRE).models(["m"], created=0, owner=""))["models"]
    assert (model["name"], model["model"]) == ("m", "m")


def test_what_clients_ask_about_the_server() -> None:
    server = get_server(WIRE)
    version = json.loads(server.about("/api/version", []) or b"")["version"]
    assert tuple(map(int, version.split("."))) > (0, 12, 0)
    assert "tools" in json.loads(server.about("/api/show", ["m"]) or b"")["capabilities"]
    assert json.loads(server.about("/api/ps", ["m"]) or b"") == {"models": []}
    assert server.about("/api/chat", ["m"]) is None


SHELL = {"model": "m", "created_at": "1970-01-01T00:00:01Z"}
TIMES = {"total_duration": 0, "load_duration": 0, "prompt_eval_duration": 0, "eval_duration": 0}


def line(**message: Any) -> dict[str, Any]:
    return {**SHELL, "message": {"role": "assistant", **message}, "done": False}


def last(reason: str = "stop", prompt: int = 0, output: int = 0) -> dict[str, Any]:
    counts = {"prompt_eval_count": prompt, "eval_count": output}
    message = {"role": "assistant", "content": ""}
    return {**SHELL, "message": message, "done": True, "done_reason": reason, **TIMES, **counts}


@pytest.mark.parametrize(
    ("deltas", "given"),
    [
        ([], [last()]),
        ([TextDelta("a"), TextDelta("b")], [line(content="a"), line(content="b"), last()]),
        ([ReasoningDelta("hm"), ReasoningDelta("", (0, 0), "seal")], [line(content="", thinking="hm"), last()]),
        ([CallDelta(0, "c", "f", ""), CallDelta(0, "", "", "{}")], [line(content="", tool_calls=[{"id": "c", "function": {"index": 0, "name": "f", "arguments": {}}}]), last()]),
        ([CallDelta(0, "c", "f", "{"), CallDelta(1, "d", "g", ""), TextDelta("a")], [line(content="a"), line(content="", tool_calls=[{"id": "d", "function": {"index": 1, "name": "g", "arguments": {}}}]), last()]),
        ([FinishDelta("max_tokens"), UsageDelta(Usage(5, 4))], [last("length", 5, 4)]),
        ([FinishDelta("content_filter")], [last()]),
        ([TextDelta("a"), FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom")), TextDelta("b")], [line(content="a"), {"error": "boom"}]),
    ],
)  # fmt: skip
def test_a_stream_line_by_line(deltas: list[Delta], given: list[dict[str, Any]]) -> None:
    assert lines(deltas) == given


def test_a_whole_reply_in_full() -> None:
    assert whole(HEAD, [TextDelta("a"), UsageDelta(Usage(5, 4)), FinishDelta("length")]) == {
        **last("length", 5, 4),
        "message": {"role": "assistant", "content": "a"},
    }


@pytest.mark.parametrize(
    ("think", "setting"),
    [(True, Reasoning(effort="medium")), (False, Reasoning(effort="none")), ("high", Reasoning(effort="high")), (None, None), (5, None)],
)  # fmt: skip
def test_how_much_is_to_be_thought(think: object, setting: Reasoning | None) -> None:
    assert get_server(WIRE).reasoning({"think": think}) == setting


def test_what_only_ollama_knows_is_named_and_kept() -> None:
    served = get_server(WIRE).read(body(options={"num_ctx": 9, "simulate": 1, "seed": 2}, keep_alive="5m"))
    assert served.unknown == {"options": {"num_ctx": 9}, "simulate": 1, "keep_alive": "5m"}
    assert "options.num_ctx: known to this protocol only" in served.left_out
    assert not any("simulate" in note or "seed" in note for note in served.left_out)


@pytest.mark.parametrize(("limit", "most"), [(0, 0), (5, 5), (-1, None), (None, None)])
def test_a_limit_below_nothing_is_none(limit: int | None, most: int | None) -> None:
    assert read(WIRE, body(options={"num_predict": limit})).max_tokens == most


def test_what_clients_ask_is_answered_in_full() -> None:
    server = get_server(WIRE)
    details = {"format": "gguf", "family": "", "parameter_size": "", "quantization_level": ""}
    assert json.loads(server.about("/api/show", ["m"]) or b"") == {
        "modelfile": "", "parameters": "", "template": "", "details": details, "model_info": {}, "capabilities": ["completion", "tools"],
    }  # fmt: skip
    assert json.loads(server.models(["a", "b"], created=1, owner="")) == {
        "models": [
            {
                "name": name,
                "model": name,
                "modified_at": SHELL["created_at"],
                "size": 0,
                "digest": "",
                "details": details,
            }
            for name in "ab"
        ]
    }
    assert (server.lists("/x/api/tags", {}), server.lists("/v1/models", {})) == (True, False)
    assert (server.speaks("/api/odd", {}), server.speaks("/v1/odd", {})) == (True, False)
    assert server.stream(HEAD).ping() == b""
    assert server.streams_as == "application/x-ndjson"


def test_names_of_results_in_either_field() -> None:
    turns = [
        {"role": "tool", "name": "f", "content": "x"},
        {"role": "tool", "tool_name": "g", "name": "f", "content": "y"},
        {"role": "tool", "content": "z", "name": None},
    ]
    assert [turn.name for turn in read(WIRE, body(messages=turns)).messages] == ["f", "g", ""]
