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
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import Message
from workbench.wires import get_server
from workbench.wires.completion_server import read_prompt
from workbench.wires.kit.server import Refusal

WIRE = "completion"
HEAD = head(WIRE, path="/completion")
TURNS = (
    Message("system", "Be brief."),
    Message("user", "Hi"),
    Message("assistant", "Hello"),
    Message("user", "Read a.txt"),
)


def test_request_is_read_with_its_extras() -> None:
    body = {"prompt": "Hi", "n_predict": 5, "stop": ["x"], "stream": True, "seed": 3, "grammar": "root ::= x"}
    request = read(WIRE, json.dumps(body).encode())
    assert (request.model, request.max_tokens, request.stop, request.stream, request.seed) == (
        "",
        5,
        ("x",),
        True,
        3,
    )
    assert request.extra == {"grammar": "root ::= x"}
    unlimited = read(WIRE, json.dumps({"prompt": "Hi", "n_predict": -1, "seed": -1, "model": "m"}).encode())
    assert (unlimited.max_tokens, unlimited.seed, unlimited.model) == (None, None, "m")


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"prompt": [1]}'])
def test_a_bad_request_is_an_error_of_the_user(body: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(WIRE, body)


CHATML = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n"
    "<|im_start|>user\nRead a.txt<|im_end|>\n<|im_start|>assistant\n"
)


def _llama(role: str, text: str) -> str:
    return f"<|start_header_id|>{role}<|end_header_id|>\n\n{text}<|eot_id|>"


LLAMA = "<|begin_of_text|>" + "".join(_llama(turn.role, turn.text) for turn in TURNS)


@pytest.mark.parametrize("prompt", [CHATML, LLAMA + "<|start_header_id|>assistant<|end_header_id|>\n\n"])
def test_templates_are_read_back(prompt: str) -> None:
    assert read_prompt(prompt) == TURNS


def test_gemma_and_mistral_have_no_system_turn() -> None:
    gemma = "<start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n<start_of_turn>user\nRead a.txt<end_of_turn>\n<start_of_turn>model\n"
    assert read_prompt(gemma) == TURNS[1:]
    assert read_prompt("<s>[INST] Hi [/INST] Hello</s>[INST] Read a.txt [/INST]") == TURNS[1:]


def test_any_other_prompt_is_one_turn() -> None:
    assert read_prompt("Once upon a time") == (Message("user", "Once upon a time"),)
    assert read_prompt("<|im_start|>assistant\n") == (Message("user", ""),)


def _events(deltas: list[Delta]) -> list[dict[str, Any]]:
    data = streamed(HEAD, deltas)
    return [json.loads(record.removeprefix("data: ")) for record in data.decode().split("\n\n") if record]


DELTAS: list[Delta] = [
    TextDelta("a"),
    TextDelta("b"),
    CallDelta(0, "", "f", "{}"),
    FinishDelta("length"),
    UsageDelta(Usage(7, 3)),
]


def test_stream_ends_with_the_counts() -> None:
    events = _events(DELTAS)
    assert [event["content"] for event in events] == ["a", "b", "{}", ""]
    assert [event["stop"] for event in events] == [False, False, False, True]
    last = events[-1]
    assert (last["stop_type"], last["tokens_predicted"], last["tokens_evaluated"]) == ("limit", 3, 7)


def test_whole_reply() -> None:
    body = whole(HEAD, DELTAS)
    assert (body["content"], body["stop"], body["model"], body["stop_type"]) == ("ab{}", True, "m", "limit")


def test_faults() -> None:
    events = _events([TextDelta("a"), FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))])
    assert events[-1]["error"] == {"code": 502, "message": "boom", "type": "server_error"}
    assert json.loads(get_server(WIRE).refuse(Refusal(404, "no")))["error"]["type"] == "invalid_request_error"


TEXT_HEAD = head(WIRE, path="/v1/completions", stream_options={"include_usage": True})


def test_openais_older_stream() -> None:
    data = streamed(TEXT_HEAD, DELTAS)
    records = data.decode().split("\n\n")
    assert records[-2:] == ["data: [DONE]", ""]
    events = [json.loads(record.removeprefix("data: ")) for record in records[:-2]]
    assert all(event["object"] == "text_completion" for event in events)
    assert [event["choices"][0]["text"] for event in events[:-1]] == ["a", "b", "{}", ""]
    assert [event["choices"][0]["finish_reason"] for event in events[:-1]] == [None, None, None, "length"]
    assert events[-1]["choices"] == []
    assert events[-1]["usage"]["total_tokens"] == 10


def test_openais_older_whole_reply_and_faults() -> None:
    body = whole(TEXT_HEAD, DELTAS)
    assert (body["choices"][0]["text"], body["choices"][0]["finish_reason"]) == ("ab{}", "length")
    assert body["usage"]["completion_tokens"] == 3
    stream = get_server(WIRE).stream(TEXT_HEAD)
    assert b'"boom"' in stream.feed(FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom")))
    assert stream.finish() == b"data: [DONE]\n\n"


def test_one_prompt_in_a_list_is_that_prompt() -> None:
    assert read(WIRE, b'{"prompt": ["Hi"], "model": "m"}').messages == (Message("user", "Hi"),)
    with pytest.raises(InvalidInput):
        read(WIRE, b'{"prompt": ["Hi", "Ho"], "model": "m"}')


def piece(text: str) -> dict[str, Any]:
    return {"content": text, "stop": False, "index": 0, "tokens": []}


def ended(kind: str = "eos", prompt: int = 0, output: int = 0, content: str = "") -> dict[str, Any]:
    return {
        "content": content, "stop": True, "model": "m", "index": 0, "tokens_predicted": output, "tokens_evaluated": prompt,
        "truncated": False, "stop_type": kind, "stopping_word": "",
    }  # fmt: skip


def chunk(text: str, reason: str | None = None) -> dict[str, Any]:
    choice = {"text": text, "index": 0, "logprobs": None, "finish_reason": reason}
    return {"id": "cmpl-0a", "object": "text_completion", "created": 1, "model": "m", "choices": [choice]}


COUNTS = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
BOOM = {"error": {"code": 502, "message": "boom", "type": "server_error"}}


@pytest.mark.parametrize(
    ("deltas", "given", "older"),
    [
        ([], [ended()], [chunk("", "stop")]),
        ([TextDelta("a"), ReasoningDelta("hm"), CallDelta(0, "c", "f", ""), CallDelta(0, "", "", "{}")], [piece("a"), piece("{}"), ended()], [chunk("a"), chunk("{}"), chunk("", "stop")]),
        ([FinishDelta("length"), UsageDelta(Usage(7, 3))], [ended("limit", 7, 3)], [chunk("", "length")]),
        ([FinishDelta("odd_word")], [ended()], [chunk("", "odd_word")]),
        ([CallDelta(0, "c", "f", "{}"), FinishDelta("tool_calls")], [piece("{}"), ended()], [chunk("{}"), chunk("", "stop")]),
        ([TextDelta("a"), FaultDelta(ErrorInfo(ErrorKind.SERVER, "boom"))], [piece("a"), BOOM], [chunk("a"), BOOM]),
    ],
)  # fmt: skip
def test_a_stream_event_by_event(deltas: list[Delta], given: list[dict[str, Any]], older: list[dict[str, Any]]) -> None:
    assert _events(deltas) == given
    *records, done, empty = streamed(head(WIRE, path="/v1/completions/"), deltas).decode().split("\n\n")
    assert ([json.loads(record.removeprefix("data: ")) for record in records], done, empty) == (
        older,
        "data: [DONE]",
        "",
    )


def test_whole_replies_in_full() -> None:
    assert whole(HEAD, DELTAS) == ended("limit", 7, 3, "ab{}")
    assert whole(TEXT_HEAD, DELTAS) == {**chunk("ab{}", "length"), "usage": COUNTS}
    counted = streamed(TEXT_HEAD, [UsageDelta(Usage(7, 3))]).decode().split("\n\n")[1]
    assert json.loads(counted.removeprefix("data: ")) == {**chunk(""), "choices": [], "usage": COUNTS}


@pytest.mark.parametrize(
    ("fields", "limit", "seed"),
    [
        ({"n_predict": 0, "max_tokens": 5, "seed": 0}, 0, 0),
        ({"max_tokens": 5, "seed": -1}, 5, None),
        ({"n_predict": -1, "max_tokens": 5}, None, None),
        ({}, None, None),
    ],
)
def test_limits_and_seeds_of_either_shape(fields: dict[str, Any], limit: int | None, seed: int | None) -> None:
    request = read(WIRE, json.dumps({"prompt": "Hi", **fields}).encode())
    assert (request.max_tokens, request.seed, request.stream, request.model) == (limit, seed, False, "")


@pytest.mark.parametrize(
    ("prompt", "turns"),
    [
        (
            "<|im_start|>developer\nA<|im_end|>\n<|im_start|>ipython\nB<|im_end|>\n<|im_start|>odd\nC",
            [("system", "A"), ("user", "B"), ("user", "C")],
        ),
        (
            "<|im_start|>system\n<|im_end|>\n<|im_start|>user\n \n<|im_end|>\n<|im_start|>assistant\n\n",
            [("system", "")],
        ),
        ("<|im_start|>user\nA<|im_start|>assistant\nB", [("user", "A"), ("assistant", "B")]),
        ("[INST] A [/INST] B</s> [INST] C [/INST]", [("user", "A"), ("assistant", "B"), ("user", "C")]),
        ("<s>[INST] A [/INST] B </s><s>[INST] C [/INST]", [("user", "A"), ("assistant", "B"), ("user", "C")]),
        ("[INST][/INST]", [("user", "")]),
        ("", [("user", "")]),
        (" A ", [("user", " A ")]),
    ],
)
def test_what_a_rendered_prompt_said(prompt: str, turns: list[tuple[str, str]]) -> None:
    assert [(turn.role, turn.text) for turn in read_prompt(prompt)] == turns


@pytest.mark.parametrize(
    ("status", "kind"), [(400, "invalid_request_error"), (499, "invalid_request_error"), (500, "server_error")]
)
def test_how_a_refusal_is_told(status: int, kind: str) -> None:
    told = {"code": status, "message": "no", "type": kind}
    assert json.loads(get_server(WIRE).refuse(Refusal(status, "no"))) == {"error": told}


def test_its_models_are_told_by_openais_protocol() -> None:
    assert not get_server(WIRE).lists("/v1/models", {})
