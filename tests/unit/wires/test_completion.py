"""Raw completion: a rendered prompt out, text with all its markers in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.playbook import read
from workbench.core.exchange import Endpoint, Usage
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.wires import get_wire

WIRE = "completion"


def encode(
    base: str = "http://h:8080", quirks: dict[str, Any] | None = None, **more: Any
) -> tuple[str, dict[str, Any]]:
    request = ChatRequest("m", (Message("system", "s"), Message("user", "u")), **more)
    sent = get_wire(WIRE).encode(request, Endpoint("t", WIRE, base, quirks=quirks or {}))
    value = json.loads(sent.body)
    assert isinstance(value, dict)
    return sent.url, value


def test_llama_server() -> None:
    url, body = encode(max_tokens=9, temperature=0.5, top_p=0.9, seed=3, stop=("x",), extra={"cache_prompt": False})
    assert url == "http://h:8080/completion"
    assert body == {
        "model": "m", "prompt": "<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nu<|im_end|>\n<|im_start|>assistant\n", "stream": True,
        "n_predict": 9, "temperature": 0.5, "top_p": 0.9, "seed": 3, "stop": ["x"], "cache_prompt": False,
    }  # fmt: skip


def test_openai_shape() -> None:
    url, body = encode(
        "http://h:8080/v1/",
        {"template": "plain", "no_seed": True, "no_stop": True},
        max_tokens=9,
        seed=1,
        stop=("x",),
        stream=False,
    )
    assert url == "http://h:8080/v1/completions"
    assert body == {"model": "m", "prompt": "System: s\n\nUser: u\n\nAssistant:", "stream": False, "max_tokens": 9}
    wire = get_wire(WIRE)
    assert (
        wire.models_request(Endpoint("t", WIRE, "http://h/v1")).url
        == wire.models_request(Endpoint("t", WIRE, "http://h")).url
        == "http://h/v1/models"
    )
    assert [model.id for model in wire.read_models(b'{"data":[{"id":"a"}]}')] == ["a"]


def chunk(text: str, **more: Any) -> bytes:
    return b"data: " + json.dumps({"index": 0, "content": text, "stop": False, **more}).encode() + b"\n\n"


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ({"stop_type": "eos"}, "eos"), ({"stop_type": "limit"}, "limit"), ({"stop_type": "word", "stopping_word": "x"}, "word"),
        ({"stopped_limit": True, "stopped_eos": False}, "limit"), ({"stopped_word": True}, "word"), ({"stopped_eos": True}, "eos"), ({"stop_type": "none"}, "stop"),
        ({"stopped_limit": True, "stopped_word": True, "stopped_eos": True}, "limit"),
    ],
)  # fmt: skip
def test_stream(end: dict[str, Any], reason: str) -> None:
    body = (
        chunk("<tool")
        + chunk("_call>")
        + chunk("", stop=True, model="mm", tokens_predicted=3, tokens_evaluated=2, **end)
    )
    reply = read(WIRE, body)
    assert (reply.text, reply.finish, reply.model, reply.usage, reply.faults) == (
        "<tool_call>",
        reason,
        "mm",
        Usage(2, 3),
        [],
    )


def test_whole_answers() -> None:
    own = {"content": "a", "stop": True, "stop_type": "eos", "tokens_predicted": 1, "tokens_evaluated": 2}
    assert (
        read(WIRE, json.dumps(own).encode(), stream=False).text,
        read(WIRE, json.dumps(own).encode(), stream=False).finish,
    ) == ("a", "eos")
    openai = {
        "choices": [{"text": "a", "index": 0, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    reply = read(WIRE, json.dumps(openai).encode(), stream=False)
    assert (reply.text, reply.finish, reply.usage) == ("a", "length", Usage(1, 2))
    events = b'data: {"choices":[{"text":"a"}]}\n\ndata: {"choices":[{"text":"b","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    assert read(WIRE, events).text == "ab"


def test_errors_and_cuts() -> None:
    assert read(WIRE, chunk("a")).fault_kinds == ["cut_off"]
    assert read(WIRE, chunk("a") + b'error: {"code":500,"message":"x","type":"server_error"}\n\n').fault_kinds == [
        "server"
    ]
    assert read(
        WIRE, b'{"error":{"code":400,"message":"x","type":"exceed_context_size_error"}}', status=400
    ).fault_kinds == ["context_length"]
    assert read(WIRE, b'{"a":1}', stream=False).fault_kinds == ["protocol"]
    assert read(WIRE, b'data: {"content": "a", "stop_type": "none"}\n\n').fault_kinds == ["cut_off"]


def test_last_event_without_text() -> None:
    reply = read(
        WIRE, chunk("ab") + b'data: {"stop":true,"stop_type":"eos","tokens_evaluated":4,"tokens_predicted":1}\n\n'
    )
    assert (reply.text, reply.finish, reply.usage, reply.faults) == ("ab", "eos", Usage(4, 1), [])


def test_a_template_gets_the_tools_unless_none_may_be_called() -> None:
    quirks = {"template": "{{ tools | length if tools else 'none' }}"}
    tools = (ToolSpec("f"), ToolSpec("g"))
    assert encode(quirks=quirks, tools=tools)[1]["prompt"] == "2"
    assert encode(quirks=quirks, tools=tools, tool_choice="none")[1]["prompt"] == "none"


@pytest.mark.parametrize(
    ("base", "models", "own"),
    [
        ("http://h", "http://h/v1/models", True),
        (" http://h/ ", "http://h/v1/models", True),
        ("http://h/v1", "http://h/v1/models", False),
        ("  http://h/v1/  ", "http://h/v1/models", False),
        ("http://h/v1?a=b", "http://h/v1/models?a=b", False),
        ("http://h/api", "http://h/api/v1/models", True),
    ],
)
def test_an_address_says_which_protocol_it_speaks(base: str, models: str, own: bool) -> None:
    endpoint = Endpoint("t", "completion", base)
    assert get_wire("completion").models_request(endpoint).url == models
    sent = get_wire("completion").encode(ChatRequest("m", (Message("user", "hi"),), max_tokens=3), endpoint)
    assert ("n_predict" in json.loads(sent.body), "max_tokens" in json.loads(sent.body)) == (own, not own)
