from __future__ import annotations

import json

import pytest

from tests.kit.scanning import LEAK, chat_reply, logged
from workbench.scan.readers.log_records import SIGNS, read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.reply import Channel


@pytest.mark.parametrize(
    ("line", "server", "why"),
    [
        ("ERROR serving.py:9 Error trying to handle streaming tool call.", "vLLM", "error trying to handle streaming"),
        ("[2026-10-01 10:00:01] Error in detect_and_parse: Expecting ',' delimiter", "SGLang", "Expecting ','"),
        (
            "[2026-10-01 10:00:01] Error in parse_streaming_increment: 'name'",
            "SGLang",
            "parse_streaming_increment: 'name'",
        ),
    ],
)
def test_errors_of_parsers_are_losses_without_a_text(line: str, server: str, why: str) -> None:
    state = LogState("x.log")
    assert read_record(line, state) == []
    (lost,) = state.finish()
    assert (lost.channel, lost.server, why in lost.error) == (Channel.LOST, server, True)


def test_tgi_and_bodies_of_proxies() -> None:
    assert (
        logged(f"DEBUG generate: text_generation_router::server: router/src/server.rs:407: Output: {LEAK}\n").text
        == LEAK
    )
    assert logged(f"INFO proxy answered {json.dumps(chat_reply(LEAK))}").text == LEAK
    chunk = json.dumps({"object": "chat.completion.chunk", "choices": []})
    assert read_record(f"srv operator(): http: streamed chunk: data: {chunk}", LogState("x.log")) == []


def test_the_model_is_named_before() -> None:
    state = LogState("x.log")
    assert read_record("srv    load_model: loading model '/models/coder-7b.gguf'", state) == []
    assert logged(f'0.0 D Parsed message: {{"role":"assistant","content":"{5}"}}', state).model == "coder-7b"


@pytest.mark.parametrize(
    "text", [f"{sign} " for sign in SIGNS] + [f"{sign} {{'" for sign in SIGNS] + [f'{sign} {{"a": ' for sign in SIGNS]
)
def test_records_that_break_off_are_no_fault(text: str) -> None:
    assert isinstance(read_record(text, LogState("x.log")), list)


def test_tgi_as_json() -> None:
    row = {"level": "DEBUG", "message": f"Output: {LEAK}\n", "target": "text_generation_router::server"}
    assert (logged(json.dumps(row)).text, logged(json.dumps(row, separators=(",", ":"))).server) == (LEAK, "TGI")


def test_replies_as_python_prints_them() -> None:
    printed = logged(f"DEBUG body: {chat_reply(LEAK)!r}")
    assert (printed.text, printed.server) == (LEAK, "x.log")
    message = f"ChatCompletionMessage(content={LEAK!r}, role='assistant', function_call=None, tool_calls=None)"
    whole = f"ChatCompletion(id='c', choices=[Choice(finish_reason='stop', index=0, message={message})], model='m', object='chat.completion')"
    said = logged(f"INFO got {whole}")
    assert (said.text, said.model, said.finish) == (LEAK, "m", "stop")
    assert logged(f"print: {message}").text == LEAK
    assert read_record("INFO ChatCompletionMessage(", LogState("x.log")) == []
