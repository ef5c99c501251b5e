"""The vendors' own clients read the same bytes as our decoders: text, calls, counts and ends must agree."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import httpx
import ollama
import openai
import pytest
from google import genai
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.playbook import Reply, read

QUICK = settings(max_examples=25)
TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
JSON = st.dictionaries(TEXT, st.integers(-5, 5) | TEXT | st.lists(st.booleans(), max_size=2), max_size=3).map(
    lambda v: json.dumps(v, ensure_ascii=False)
)
CALLS = st.lists(st.tuples(st.sampled_from(["f", "get_weather"]), JSON), max_size=3)


def pieces(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def events(values: list[dict[str, Any]], *, named: bool, end: str = "\n") -> bytes:
    out = []
    for value in values:
        name = f"event: {value['type']}{end}" if named else ""
        out.append(f"{name}data: {json.dumps(value, ensure_ascii=False)}{end}{end}")
    return "".join(out).encode()


def openai_client(body: bytes, kind: str = "text/event-stream") -> openai.OpenAI:
    transport = _transport(body, kind)
    return openai.OpenAI(api_key="k", base_url="http://127.0.0.1:9/v1", max_retries=0, http_client=transport)


def _transport(body: bytes, kind: str) -> Any:
    module = __import__("httpx2") if _wants_httpx2() else httpx
    return module.Client(
        transport=module.MockTransport(
            lambda request: module.Response(200, content=body, headers={"content-type": kind})
        )
    )


def _wants_httpx2() -> bool:
    return not issubclass(openai.DefaultHttpxClient, httpx.Client)


def chat_events(text: str, calls: list[tuple[str, str]], size: int) -> list[dict[str, Any]]:
    base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": None}

    out = [chunk({"role": "assistant", "content": ""})]
    out += [chunk({"content": part}) for part in pieces(text, size)]
    for index, (name, arguments) in enumerate(calls):
        shell = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
        out.append(chunk({"tool_calls": [shell]}))
        out += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            for part in pieces(arguments, size)
        ]
    out.append(chunk({}, "tool_calls" if calls else "stop"))
    return [*out, {**base, "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}}]


@QUICK
@given(text=TEXT, calls=CALLS, size=st.integers(1, 6), end=st.sampled_from(["\n", "\r\n"]))
def test_chat_stream(text: str, calls: list[tuple[str, str]], size: int, end: str) -> None:
    body = events(chat_events(text, calls, size), named=False, end=end) + f"data: [DONE]{end}{end}".encode()
    ours = read("openai_chat", body)
    theirs = Reply()
    arguments: dict[int, str] = {}
    for chunk in openai_client(body).chat.completions.create(model="m", messages=[], stream=True):
        if chunk.usage:
            assert (chunk.usage.prompt_tokens, chunk.usage.completion_tokens) == ours.usage[:2]
        for choice in chunk.choices:
            theirs.text += choice.delta.content or ""
            theirs.finish = choice.finish_reason or theirs.finish
            for call in choice.delta.tool_calls or []:
                assert call.function is not None
                arguments[call.index] = arguments.get(call.index, "") + (call.function.arguments or "")
    assert (ours.text, ours.finish) == (theirs.text, theirs.finish)
    assert [call.arguments for call in ours.calls] == [arguments[n] for n in sorted(arguments)]
    assert [(call.name, call.arguments) for call in ours.calls] == calls


@QUICK
@given(text=TEXT, calls=CALLS)
def test_chat_whole(text: str, calls: list[tuple[str, str]]) -> None:
    tool_calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": a}}
        for n, (name, a) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text or None, "tool_calls": tool_calls or None}
    value = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }
    body = json.dumps(value).encode()
    theirs = openai_client(body, "application/json").chat.completions.create(model="m", messages=[]).choices[0].message
    ours = read("openai_chat", body, stream=False)
    assert ours.text == (theirs.content or "")
    assert ours.plain_calls == [
        (call.id, call.function.name, call.function.arguments)
        for call in theirs.tool_calls or []
        if call.type == "function"
    ]


def response_events(text: str, calls: list[tuple[str, str]], size: int) -> list[dict[str, Any]]:
    shell = {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    out: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**shell, "status": "in_progress", "output": []}}
    ]
    output: list[dict[str, Any]] = []
    message = {"id": "m1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    part = {"type": "output_text", "text": "", "annotations": []}
    out.append({"type": "response.output_item.added", "output_index": 0, "item": message})
    out.append(
        {"type": "response.content_part.added", "output_index": 0, "item_id": "m1", "content_index": 0, "part": part}
    )
    place = {"output_index": 0, "item_id": "m1", "content_index": 0}
    out += [{"type": "response.output_text.delta", **place, "delta": p, "logprobs": []} for p in pieces(text, size)]
    out.append({"type": "response.output_text.done", **place, "text": text, "logprobs": []})
    output.append({**message, "status": "completed", "content": [{**part, "text": text}]})
    out.append({"type": "response.output_item.done", "output_index": 0, "item": output[0]})
    for index, (name, arguments) in enumerate(calls, 1):
        item = {
            "id": f"fc_{index}",
            "type": "function_call",
            "call_id": f"call_{index}",
            "name": name,
            "arguments": "",
            "status": "in_progress",
        }
        place = {"output_index": index, "item_id": f"fc_{index}"}
        out.append({"type": "response.output_item.added", "output_index": index, "item": item})
        out += [
            {"type": "response.function_call_arguments.delta", **place, "delta": p} for p in pieces(arguments, size)
        ]
        out.append({"type": "response.function_call_arguments.done", **place, "name": name, "arguments": arguments})
        output.append({**item, "arguments": arguments, "status": "completed"})
        out.append({"type": "response.output_item.done", "output_index": index, "item": output[-1]})
    details = {"input_tokens_details": {"cached_tokens": 1}, "output_tokens_details": {"reasoning_tokens": 2}}
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7, **details}
    out.append(
        {"type": "response.completed", "response": {**shell, "status": "completed", "output": output, "usage": usage}}
    )
    return [{**event, "sequence_number": number} for number, event in enumerate(out)]


@QUICK
@given(text=TEXT, calls=CALLS, size=st.integers(1, 6))
def test_responses_stream(text: str, calls: list[tuple[str, str]], size: int) -> None:
    body = events(response_events(text, calls, size), named=True)
    ours = read("openai_responses", body)
    said, final = "", None
    for event in openai_client(body).responses.create(model="m", input="x", stream=True):
        if event.type == "response.output_text.delta":
            said += event.delta
        elif event.type == "response.completed":
            final = event.response
    assert final is not None
    assert final.usage is not None
    assert ours.text == said == final.output_text
    assert ours.plain_calls == [
        (item.call_id, item.name, item.arguments) for item in final.output if item.type == "function_call"
    ]
    assert ours.usage == (final.usage.input_tokens, final.usage.output_tokens, 1, 2)
    assert ours.faults == []


def message_events(text: str, thought: str, calls: list[tuple[str, str]], size: int) -> list[dict[str, Any]]:
    usage = {"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 0}
    message = {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    out: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if thought:
        deltas = [{"type": "thinking_delta", "thinking": p} for p in pieces(thought, size)]
        blocks.append(
            (
                {"type": "thinking", "thinking": "", "signature": ""},
                [*deltas, {"type": "signature_delta", "signature": "sig"}],
            )
        )
    if text:
        blocks.append(({"type": "text", "text": ""}, [{"type": "text_delta", "text": p} for p in pieces(text, size)]))
    for number, (name, arguments) in enumerate(calls):
        fragments = [{"type": "input_json_delta", "partial_json": p} for p in ["", *pieces(arguments, size)]]
        blocks.append(({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}, fragments))
    for index, (shell, deltas) in enumerate(blocks):
        out.append({"type": "content_block_start", "index": index, "content_block": shell})
        out += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        out.append({"type": "content_block_stop", "index": index})
    reason = "tool_use" if calls else "end_turn"
    out.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 9},
        }
    )
    return [*out, {"type": "message_stop"}]


@QUICK
@given(text=TEXT, thought=TEXT, calls=CALLS, size=st.integers(1, 6))
def test_anthropic_stream(text: str, thought: str, calls: list[tuple[str, str]], size: int) -> None:
    body = events(message_events(text, thought, calls, size), named=True)
    ours = read("anthropic_messages", body)
    client = anthropic.Anthropic(
        api_key="k", base_url="http://127.0.0.1:9", max_retries=0, http_client=_transport(body, "text/event-stream")
    )
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}]) as stream:
        final = stream.get_final_message()
    assert ours.text == "".join(block.text for block in final.content if block.type == "text")
    assert ours.reasoning == "".join(block.thinking for block in final.content if block.type == "thinking")
    theirs = [(block.id, block.name, block.input) for block in final.content if block.type == "tool_use"]
    assert [(call.id, call.name, json.loads(call.arguments)) for call in ours.calls] == theirs
    assert (ours.finish, ours.usage.output) == (final.stop_reason, final.usage.output_tokens)
    assert ours.usage.input == final.usage.input_tokens + 2
    if thought:
        kept = ours.notices["send_back"]["anthropic_messages"]["blocks"]
        assert kept[0] == {"type": "thinking", "thinking": thought, "signature": "sig"}


@pytest.mark.parametrize("body", [b'data: {"error":{"message":"boom","code":"server_error"}}\n\n'])
def test_errors_in_streams_are_errors_to_both(body: bytes) -> None:
    with pytest.raises(openai.APIError, match="boom"):
        list(openai_client(body).chat.completions.create(model="m", messages=[], stream=True))
    (fault,) = read("openai_chat", body).faults
    assert fault.message == "boom"


def gemini_events(text: str, thought: str, calls: list[tuple[str, str]], size: int) -> list[dict[str, Any]]:
    def response(part: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
        content = {"content": {"role": "model", "parts": [part]}} if part else {}
        return {"candidates": [{**content, "index": 0, **more}], "modelVersion": "m"}

    out = [response({"text": piece, "thought": True}) for piece in pieces(thought, size)]
    out += [response({"text": piece}) for piece in pieces(text, size)]
    for number, (name, arguments) in enumerate(calls):
        part = {"functionCall": {"name": name, "args": json.loads(arguments), "id": f"id{number}"}}
        out.append(response(part | {"thoughtSignature": "c2ln"}))
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 4, "thoughtsTokenCount": 2, "totalTokenCount": 9}
    return [*out, {**response(None, finishReason="STOP"), "usageMetadata": usage}]


@QUICK
@given(text=TEXT, thought=TEXT, calls=CALLS, size=st.integers(1, 6))
def test_gemini_stream(text: str, thought: str, calls: list[tuple[str, str]], size: int) -> None:
    body = events(gemini_events(text, thought, calls, size), named=False, end="\r\n")
    ours = read("gemini_generate", body)
    client = _gemini_client(body)
    responses = list(client.models.generate_content_stream(model="m", contents="x"))
    parts = [part for response in responses for part in (response.parts or [])]
    assert ours.text == "".join(part.text or "" for part in parts if not part.thought)
    assert ours.reasoning == "".join(part.text or "" for part in parts if part.thought)
    theirs = [(call.id, call.name, call.args) for part in parts if (call := part.function_call)]
    assert [(call.id, call.name, json.loads(call.arguments)) for call in ours.calls] == theirs
    last = responses[-1]
    assert last.candidates is not None
    assert last.candidates[0].finish_reason is not None
    assert ours.finish == last.candidates[0].finish_reason.value
    assert last.usage_metadata is not None
    assert (ours.usage.input, ours.usage.output, ours.usage.reasoning) == (
        last.usage_metadata.prompt_token_count,
        (last.usage_metadata.candidates_token_count or 0) + (last.usage_metadata.thoughts_token_count or 0),
        last.usage_metadata.thoughts_token_count,
    )


def _gemini_client(body: bytes) -> genai.Client:
    transport = httpx.MockTransport(
        lambda request: httpx.Response(200, content=body, headers={"content-type": "text/event-stream"})
    )
    options = types.HttpOptions(base_url="http://127.0.0.1:9", httpx_client=httpx.Client(transport=transport))
    return genai.Client(api_key="k", http_options=options)


@QUICK
@given(text=TEXT, thought=TEXT, calls=CALLS, size=st.integers(1, 6))
def test_ollama_stream(text: str, thought: str, calls: list[tuple[str, str]], size: int) -> None:
    lines = [{"message": {"role": "assistant", "content": "", "thinking": piece}} for piece in pieces(thought, size)]
    lines += [{"message": {"role": "assistant", "content": piece}} for piece in pieces(text, size)]
    for name, arguments in calls:
        call = {"function": {"name": name, "arguments": json.loads(arguments)}}
        lines.append({"message": {"role": "assistant", "content": "", "tool_calls": [call]}})
    last = {
        "message": {"role": "assistant", "content": ""},
        "done_reason": "stop",
        "prompt_eval_count": 3,
        "eval_count": 4,
    }
    shells = [{"model": "m", "done": False, **line} for line in lines] + [{"model": "m", "done": True, **last}]
    body = "".join(json.dumps(line) + "\n" for line in shells).encode()  # escaped: their client cuts at any line end
    ours = read("ollama_chat", body)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body))
    client = ollama.Client(host="http://127.0.0.1:9", transport=transport)
    theirs = list(client.chat("m", [{"role": "user", "content": "x"}], stream=True))
    assert ours.text == "".join(chunk.message.content or "" for chunk in theirs)
    assert ours.reasoning == "".join(chunk.message.thinking or "" for chunk in theirs)
    found = [(c.function.name, c.function.arguments) for chunk in theirs for c in chunk.message.tool_calls or []]
    assert [(call.name, json.loads(call.arguments)) for call in ours.calls] == found
    assert (ours.finish, *ours.usage[:2]) == (
        theirs[-1].done_reason,
        theirs[-1].prompt_eval_count,
        theirs[-1].eval_count,
    )
