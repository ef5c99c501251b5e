from __future__ import annotations

import json

from tests.kit.scanning import LEAK, judged, logged
from workbench.scan.readers.log_records import read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.reply import Channel


def test_llama_cpp() -> None:
    message = {"role": "assistant", "content": LEAK, "tool_calls": []}
    assert logged(f"0.00.1 D Parsed message: {json.dumps(message)}").text == LEAK
    body = json.dumps(
        {"error": {"code": 500, "message": f"Failed to parse input at pos 12: {LEAK}", "type": "server_error"}}
    )
    lost = logged(f"srv    operator(): got exception: {body}")
    assert (lost.text, lost.channel, lost.error) == (
        LEAK,
        Channel.LOST,
        "llama.cpp could not read the reply: Failed to parse input at pos 12.",
    )
    assert logged(f"W unparsed peg-native output: {LEAK}").text == LEAK


def test_llama_cpp_swallows_a_call_that_was_cut() -> None:
    state = LogState("x.log")
    for piece in ("<tool_call>", "\n", '{"name": "get', "_weather"):
        assert read_record(f"D slot process_toke: id  1 | task 3 | n_gen = 4, next token:    32 '{piece}'", state) == []
    assert read_record("D slot process_toke: id  1 | task 3 | stopped by limit, n_gen = 4", state) == []
    lost = logged('D Parsed message: {"role":"assistant","content":""}', state)
    assert (lost.channel, lost.text) == (Channel.LOST, '<tool_call>\n{"name": "get_weather')
    assert lost.error == "llama.cpp gave out nothing of 4 tokens, in which a call was begun."
    assert [one.kind for one in judged([lost])] == ["tool_call_dropped"]
    said = logged('D Parsed message: {"role":"assistant","content":"and more"}', state)
    assert (said.channel, said.output_tokens) == (Channel.CONTENT, None)


def test_llama_cpp_counts_what_it_wrote() -> None:
    state = LogState("x.log")
    for record in ("task 3 | n_gen = 1, next token:    32 'Hello'", "task 3 | stopped by EOS"):
        assert read_record(f"D slot process_toke: id  1 | {record}", state) == []
    said = logged('D Parsed message: {"role":"assistant","content":"Hello"}', state)
    assert (said.text, said.output_tokens, said.finish) == ("Hello", 1, "stop")
