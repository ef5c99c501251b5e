from __future__ import annotations

import json

import pytest

from tests.kit.scanning import LEAK, chat_reply, chat_request, judged
from workbench.scan.readers.log_records import SIGNS, LogState, read_record
from workbench.scan.reply import Channel, Refused

GEMMA = r"call:grep{include:<|\"|>*.py<|\"|>,pattern:\'x\'}"


def only(text: str, state: LogState | None = None):
    (reply,) = read_record(text, state or LogState("x.log"))
    return reply


def test_vllm_whole_and_its_calls() -> None:
    said = only('Generated response chatcmpl-1: output: "It\'s.", output_token_ids: [1, 2], finish_reason: stop')
    assert (said.text, said.finish) == ("It's.", "stop")
    calls = only(
        """Generated response c: output: '[tool_calls: f({"a": "(b)"}), g({"x": 1)]', finish_reason: tool_calls"""
    )
    assert [(call.name, call.arguments) for call in calls.calls] == [("f", '{"a": "(b)"}'), ("g", '{"x": 1')]


def test_vllm_deltas_are_joined_until_the_end() -> None:
    state = LogState("x.log")
    for piece in ("<tool", "_call>"):
        assert (
            read_record(
                f"Generated response c1 (streaming delta): output: '{piece}', output_token_ids: [1], finish_reason: None",
                state,
            )
            == []
        )
    end = "Generated response c1 (streaming delta): output: '', output_token_ids: [], finish_reason: stop"
    assert only(end, state).text == "<tool_call>"
    state.streams["c3"] = ["a"]
    empty = "Generated response c3 (streaming complete): output: '', output_token_ids: None, finish_reason: streaming_complete"
    assert read_record(empty, state) == []
    assert not state.streams
    complete = f"Generated response c2 (streaming complete): output: {LEAK!r}, output_token_ids: None, finish_reason: streaming_complete"
    assert only(complete, state).text == LEAK


def test_vllm_errors_are_told_where_the_replies_are_not_logged() -> None:
    error = "ERROR hermes_tool_parser.py:136 Error in extracting tool call from response.\nTraceback\njson.decoder.JSONDecodeError: Expecting value"
    state = LogState("x.log")
    assert read_record(error, state) == []
    (lost,) = state.finish()
    assert (lost.channel, "JSONDecodeError" in lost.error) == (Channel.LOST, True)
    read_record("Generated response c: output: 'x', finish_reason: stop", state)
    assert list(state.finish()) == []


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


def test_sglang() -> None:
    out = {"text": LEAK, "meta_info": {"finish_reason": {"type": "stop", "matched": 1}, "completion_tokens": 22}}
    said = only(f"[2026-11-20 10:00:00] Finish: obj=GenerateReqInput(text='out={{'), out={out!r}")
    assert (said.text, said.finish, said.output_tokens, said.channel) == (LEAK, "stop", 22, Channel.RAW)
    assert only(json.dumps({"event": "request.finished", "rid": "r", "out": out})).text == LEAK
    (call,) = only("WARNING Model attempted to call undefined function: toll_bell").calls
    assert (call.name, call.refused) == ("toll_bell", Refused.UNKNOWN_TOOL)


def test_llama_cpp() -> None:
    message = {"role": "assistant", "content": LEAK, "tool_calls": []}
    assert only(f"0.00.1 D Parsed message: {json.dumps(message)}").text == LEAK
    body = json.dumps(
        {"error": {"code": 500, "message": f"Failed to parse input at pos 12: {LEAK}", "type": "server_error"}}
    )
    lost = only(f"srv    operator(): got exception: {body}")
    assert (lost.text, lost.channel, lost.error) == (
        LEAK,
        Channel.LOST,
        "llama.cpp could not read the reply: Failed to parse input at pos 12.",
    )
    assert only(f"W unparsed peg-native output: {LEAK}").text == LEAK


def test_llama_cpp_swallows_a_call_that_was_cut() -> None:
    state = LogState("x.log")
    for piece in ("<tool_call>", "\n", '{"name": "get', "_weather"):
        assert read_record(f"D slot process_toke: id  1 | task 3 | n_gen = 4, next token:    32 '{piece}'", state) == []
    assert read_record("D slot process_toke: id  1 | task 3 | stopped by limit, n_gen = 4", state) == []
    lost = only('D Parsed message: {"role":"assistant","content":""}', state)
    assert (lost.channel, lost.text) == (Channel.LOST, '<tool_call>\n{"name": "get_weather')
    assert lost.error == "llama.cpp gave out nothing of 4 tokens, in which a call was begun."
    assert [one.kind for one in judged([lost])] == ["tool_call_dropped"]
    said = only('D Parsed message: {"role":"assistant","content":"and more"}', state)
    assert (said.channel, said.output_tokens) == (Channel.CONTENT, None)


def test_llama_cpp_counts_what_it_wrote() -> None:
    state = LogState("x.log")
    for record in ("task 3 | n_gen = 1, next token:    32 'Hello'", "task 3 | stopped by EOS"):
        assert read_record(f"D slot process_toke: id  1 | {record}", state) == []
    said = only('D Parsed message: {"role":"assistant","content":"Hello"}', state)
    assert (said.text, said.output_tokens, said.finish) == ("Hello", 1, "stop")


@pytest.mark.parametrize(
    "record",
    [
        f'level=WARN source=gemma4.go:293 msg="gemma4 tool call parsing failed" error="invalid character" content="{GEMMA}"',
        'level=ERROR msg="error parsing tool call: raw=\'{\\"city\\": \\"Rome\\" x}\', err=invalid character \'x\'"',
    ],
)
def test_ollama(record: str) -> None:
    lost = only(record)
    assert (lost.server, lost.channel, "invalid character" in lost.error) == ("Ollama", Channel.LOST, True)
    assert lost.text.startswith(('call:grep{include:<|"|>*.py', '{"city": "Rome" x}'))


def test_lm_studio() -> None:
    text = (
        "2026-08-28 01:22:58 [ERROR]\n [openai_gpt-oss-20b] Failed to generate a tool call (this tool call will be omitted):  Failed to parse"
        ' tool call: Unexpected end of content. \nModel Output:  <|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a":'
    )  # fmt: skip
    lost = only(text)
    assert (lost.model, lost.channel, lost.text[:9]) == ("openai_gpt-oss-20b", Channel.LOST, "<|start|>")
    state = LogState("x.log")
    assert (
        read_record(
            f"[DEBUG] Received request: POST to /v1/chat/completions with body {json.dumps(chat_request(), indent=1)}",
            state,
        )
        == []
    )
    said = only(f"[INFO] Generated prediction:  {json.dumps(chat_reply(LEAK), indent=1)}", state)
    assert [one.kind for one in judged([said])] == ["tool_markup_in_content"]
    assert [tool.name for tool in said.tools or ()] == ["get_weather"]


def test_tgi_and_bodies_of_proxies() -> None:
    assert (
        only(f"DEBUG generate: text_generation_router::server: router/src/server.rs:407: Output: {LEAK}\n").text == LEAK
    )
    assert only(f"INFO proxy answered {json.dumps(chat_reply(LEAK))}").text == LEAK
    chunk = json.dumps({"object": "chat.completion.chunk", "choices": []})
    assert read_record(f"srv operator(): http: streamed chunk: data: {chunk}", LogState("x.log")) == []


def test_the_model_is_named_before() -> None:
    state = LogState("x.log")
    assert read_record("srv    load_model: loading model '/models/coder-7b.gguf'", state) == []
    assert only(f'0.0 D Parsed message: {{"role":"assistant","content":"{5}"}}', state).model == "coder-7b"


@pytest.mark.parametrize(
    "text", [f"{sign} " for sign in SIGNS] + [f"{sign} {{'" for sign in SIGNS] + [f'{sign} {{"a": ' for sign in SIGNS]
)
def test_records_that_break_off_are_no_fault(text: str) -> None:
    assert isinstance(read_record(text, LogState("x.log")), list)


def test_ollama_writes_replies_piece_by_piece() -> None:
    state = LogState("x.log")
    head = "time=2026-11-20T10:00:00.000Z level=TRACE source=routes.go:1 msg="
    for piece in ('content="<tool"', "content=_call>", 'content=" \\"x\\"\\n"', 'content=""'):
        assert read_record(f'{head}"builtin parser input" parser=coder {piece}', state) == []
    reply = only('[GIN] 2026/11/20 - 10:00:01 | 200 | 1.2s | 127.0.0.1 | POST     "/api/chat"', state)
    assert (reply.text, reply.server, reply.channel) == ('<tool_call> "x"\n', "Ollama", Channel.RAW)
    read_record(f'{head}"builtin parser input" parser=coder content=Hi', state)
    assert [one.text for one in state.finish()] == ["Hi"]


def test_tgi_as_json() -> None:
    row = {"level": "DEBUG", "message": f"Output: {LEAK}\n", "target": "text_generation_router::server"}
    assert (only(json.dumps(row)).text, only(json.dumps(row, separators=(",", ":"))).server) == (LEAK, "TGI")


def test_vllm_deltas_that_the_log_breaks_off_are_told_at_its_end() -> None:
    state = LogState("x.log")
    piece = "Generated response c1 (streaming delta): output: 'I look', output_token_ids: [1], finish_reason: None"
    assert read_record(piece, state) == []
    assert [(one.text, one.server) for one in state.finish()] == [("I look", "vLLM")]


def test_packets_of_lm_studio_are_one_reply() -> None:
    state = LogState("x.log")
    read_record(f"Received request: POST to /v1/chat/completions with body {json.dumps(chat_request())}", state)
    for ident, text in (("a", LEAK[:9]), ("b", "Fine."), ("a", LEAK[9:])):
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        packet = {"id": ident, "object": "chat.completion.chunk", "model": "coder-7b", "choices": [choice]}
        assert read_record(f"[INFO][coder-7b] Generated packet: {json.dumps(packet, indent=2)}", state) == []
    made = read_record("[INFO][LM STUDIO SERVER] Finished streaming response", state)
    assert sorted((one.text, one.server, one.model) for one in made) == [
        (LEAK, "LM Studio", "coder-7b"), ("Fine.", "LM Studio", "coder-7b"),
    ]  # fmt: skip
    assert [[tool.name for tool in one.tools or ()] for one in made] == [["get_weather"]] * 2


def test_replies_as_python_prints_them() -> None:
    printed = only(f"DEBUG body: {chat_reply(LEAK)!r}")
    assert (printed.text, printed.server) == (LEAK, "x.log")
    message = f"ChatCompletionMessage(content={LEAK!r}, role='assistant', function_call=None, tool_calls=None)"
    whole = f"ChatCompletion(id='c', choices=[Choice(finish_reason='stop', index=0, message={message})], model='m', object='chat.completion')"
    said = only(f"INFO got {whole}")
    assert (said.text, said.model, said.finish) == (LEAK, "m", "stop")
    assert only(f"print: {message}").text == LEAK
    assert read_record("INFO ChatCompletionMessage(", LogState("x.log")) == []


def test_pieces_of_ollama_that_are_mixed_are_said_so() -> None:
    state = LogState("x.log")
    gin = '[GIN] 2026/11/20 - 10:00:00 | 200 | 1.0s | 127.0.0.1 | POST     "/api/chat"'
    records = [gin, 'msg="chat request"', 'msg="chat request"']
    for at in range(0, len(LEAK), 8):
        records += [f'msg="builtin parser input" parser=qwen content={json.dumps(LEAK[at : at + 8])}'] * 2
    assert [read_record(record, state) for record in (*records, gin)][-1] == []
    (trouble,) = state.told(7)
    assert trouble.place == "7"
    assert "2 replies were written at the same time" in trouble.message
    assert list(state.told(8)) == []
