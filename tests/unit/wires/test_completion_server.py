from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.serving import head, read, streamed, whole
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import CallDelta, Delta, FaultDelta, FinishDelta, TextDelta, Usage, UsageDelta
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
