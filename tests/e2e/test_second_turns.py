"""The second request of a tool loop, beside what the vendors' own clients send after the same reply.

The replies have thinking, signatures and reasoning items in the shape in which the services send them; their content is made up.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import anthropic
import ollama
import openai
import pytest
from google import genai
from google.genai import types

from tests.kit.engine_run import end
from tests.kit.fakes import FakeClock, FakeTools, RequiredOnly, plan
from tests.kit.wire_server import WireServer, answer, head, served, sse
from workbench.core.events import RunFinished, StopReason
from workbench.core.exchange import Endpoint
from workbench.engine import run
from workbench.formats import get_format
from workbench.providers.client import HttpClient

ASK = "Weather in Rome?"
CITY = {"city": "Rome"}
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DONE = "done"
"""What the tool says to the vendors' clients."""


def named(*events: dict[str, Any]) -> bytes:
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def ours(wire: str, native: str, reply: list[Any], last: list[Any], **quirks: Any) -> dict[str, Any]:
    """The body of the second request of a run through our engine."""
    with served(lambda _, number: reply if number == 0 else last) as server:
        base = server.url.removesuffix("/v1") if wire in ("ollama_chat", "gemini_generate") else server.url
        done = asyncio.run(last_event(Endpoint("fake", wire, base, quirks=quirks), native))
        assert done.stop is StopReason.ANSWER, done
        return second(server)


async def last_event(endpoint: Endpoint, native: str) -> RunFinished:
    async with HttpClient(endpoint, "k") as client:
        run_plan = plan(client, get_format(native))  # type: ignore[arg-type]
        events = [event async for event in run(run_plan, FakeTools(), RequiredOnly(), clock=FakeClock())]
    return end(events)


def second(server: WireServer) -> dict[str, Any]:
    assert len(server.requests) == 2
    body: dict[str, Any] = json.loads(server.requests[1].body)
    return body


def theirs(reply: list[Any], last: list[Any], talk: Callable[[str], None]) -> dict[str, Any]:
    """The body of the second request of a vendor's client."""
    with served(lambda _, number: reply if number == 0 else last) as server:
        talk(server.url)
        return second(server)


# -- Anthropic -------------------------------------------------------------------------------------------------------

START = {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 1}}}  # fmt: skip
STOP = [{"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 9}}, {"type": "message_stop"}]  # fmt: skip


def block(index: int, shell: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": shell},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


THINKING = block(
    0, {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking_delta", "thinking": "I need "}, {"type": "thinking_delta", "thinking": "the weather."}, {"type": "signature_delta", "signature": "EqQB=="},
)  # fmt: skip
REDACTED = block(1, {"type": "redacted_thinking", "data": "EmwK=="})
SAYING = block(
    2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Let me "}, {"type": "text_delta", "text": "look."}
)
USES = [
    block(3 + n, {"type": "tool_use", "id": f"toolu_{n}", "name": "get_weather", "input": {}}, {"type": "input_json_delta", "partial_json": ""}, {"type": "input_json_delta", "partial_json": '{"city"'}, {"type": "input_json_delta", "partial_json": ': "Rome"}'})
    for n in range(2)
]  # fmt: skip
CLAUDE = [head() + named(START, *THINKING, *REDACTED, *SAYING, *USES[0], *USES[1], *STOP)]
CLAUDE_LAST = [head() + named(START, *block(0, {"type": "text", "text": "Sunny."}), {**STOP[0], "delta": {"stop_reason": "end_turn", "stop_sequence": None}}, STOP[1])]  # fmt: skip


def talk_claude(url: str) -> None:
    client = anthropic.Anthropic(base_url=url.removesuffix("/v1"), api_key="k", max_retries=0)
    tools: Any = [{"name": "get_weather", "input_schema": SCHEMA}]
    messages: Any = [{"role": "user", "content": ASK}]
    with client.messages.stream(model="claude", max_tokens=9, tools=tools, messages=messages) as stream:
        message = stream.get_final_message()
    results = [
        {"type": "tool_result", "tool_use_id": b.id, "content": DONE} for b in message.content if b.type == "tool_use"
    ]
    messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    with client.messages.stream(model="claude", max_tokens=9, tools=tools, messages=messages) as stream:
        stream.get_final_message()


def test_claude_thinking_goes_back_as_its_client_sends_it() -> None:
    sent = ours("anthropic_messages", "native_anthropic", CLAUDE, CLAUDE_LAST)
    wanted = theirs(CLAUDE, CLAUDE_LAST, talk_claude)
    assert sent["messages"][:2] == wanted["messages"][:2]
    assert wanted["messages"][1]["content"][0]["signature"] == "EqQB=="
    mine, other = sent["messages"][2], wanted["messages"][2]
    assert mine["role"] == other["role"]
    assert [b | {"content": ""} for b in mine["content"]] == [b | {"content": ""} for b in other["content"]]


# -- OpenAI Responses ------------------------------------------------------------------------------------------------

THOUGHT = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "Weather."}],
    "encrypted_content": "gAAA==",
}
CALLS = [
    {"id": f"fc_{n}", "type": "function_call", "status": "completed", "call_id": f"call_{n}", "name": "get_weather", "arguments": '{"city":"Rome"}'}
    for n in range(2)
]  # fmt: skip


def response(output: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt", "status": "completed", "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None, "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 1}}}  # fmt: skip


def items(*output: dict[str, Any]) -> bytes:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {**response([]), "status": "in_progress"}}]
    for place, item in enumerate(output):
        events.append(
            {
                "type": "response.output_item.added",
                "output_index": place,
                "item": item | ({"arguments": ""} if "arguments" in item else {}),
            }
        )
        if "arguments" in item:
            events.append(
                {
                    "type": "response.function_call_arguments.delta",
                    "output_index": place,
                    "item_id": item["id"],
                    "delta": item["arguments"],
                }
            )
        events.append({"type": "response.output_item.done", "output_index": place, "item": item})
    events.append({"type": "response.completed", "response": response(list(output))})
    return named(*({**event, "sequence_number": n} for n, event in enumerate(events)))  # fmt: skip


SAID = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "Sunny.", "annotations": []}]}  # fmt: skip
GPT, GPT_LAST = [head() + items(THOUGHT, *CALLS)], [head() + items(SAID)]


def talk_gpt(url: str) -> None:
    client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
    tools: Any = [{"type": "function", "name": "get_weather", "parameters": SCHEMA, "strict": False}]
    given: Any = [{"role": "user", "content": ASK}]
    for _ in range(2):
        with client.responses.create(model="gpt", tools=tools, input=given, store=False, stream=True) as stream:
            (final,) = [event.response for event in stream if event.type == "response.completed"]
        given += final.output
        given += [{"type": "function_call_output", "call_id": item.call_id, "output": DONE} for item in final.output if item.type == "function_call"]  # fmt: skip


def test_reasoning_items_go_back_as_openais_client_sends_them() -> None:
    sent = ours("openai_responses", "native_openai", GPT, GPT_LAST, store=False)
    wanted = theirs(GPT, GPT_LAST, talk_gpt)
    assert sent["input"][1:4] == wanted["input"][1:4] == [THOUGHT, *CALLS]
    assert [item | {"output": ""} for item in sent["input"][4:]] == [
        item | {"output": ""} for item in wanted["input"][4:]
    ]


# -- OpenAI Chat, as OpenRouter streams Claude through it ------------------------------------------------------------


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    return json.dumps({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})  # fmt: skip


def detail(**fields: Any) -> dict[str, Any]:
    return {"reasoning_details": [{"type": "reasoning.text", "index": 0, **fields}]}


FRAGMENTS = [chunk(detail(text=f"word{n} ")) for n in range(25)]
ROUTED = [
    head()
    + sse(
        chunk({"role": "assistant", "content": ""}), *FRAGMENTS, chunk(detail(signature="EqQB==")),
        chunk({"tool_calls": [{"index": 0, "id": "call_a", "type": "function", "function": {"name": "get_weather", "arguments": ""}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city":'}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"Rome"}'}}]}),
        chunk({}, "tool_calls"), "[DONE]",
    )
]  # fmt: skip
ROUTED_LAST = [head() + sse(chunk({"role": "assistant", "content": "Sunny."}, "stop"), "[DONE]")]


def talk_router(url: str) -> None:
    client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
    tools: Any = [{"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}]
    messages: Any = [{"role": "user", "content": ASK}]
    with client.chat.completions.stream(model="m", messages=messages, tools=tools) as stream:
        message = stream.get_final_completion().choices[0].message
    turn = {name: item for name, item in message.to_dict().items() if item is not None and name != "parsed"}
    messages += [turn, {"role": "tool", "tool_call_id": "call_a", "content": DONE}]
    with client.chat.completions.stream(model="m", messages=messages, tools=tools) as stream:
        stream.get_final_completion()


def test_streamed_reasoning_details_go_back_as_one_block() -> None:
    sent = ours("openai_chat", "native_openai", ROUTED, ROUTED_LAST)["messages"][1]
    wanted = theirs(ROUTED, ROUTED_LAST, talk_router)["messages"][1]
    (block_sent,) = sent["reasoning_details"]
    assert sent["reasoning_details"] == wanted["reasoning_details"]
    assert (block_sent["text"].count("word"), block_sent["signature"]) == (25, "EqQB==")
    (call,) = wanted["tool_calls"]
    function = {name: call["function"][name] for name in ("name", "arguments")}
    assert sent["tool_calls"] == [{"id": call["id"], "type": "function", "function": function}]
    assert sent["tool_calls"][0]["function"]["arguments"] == '{"city":"Rome"}'


# -- Gemini and Ollama, whole ----------------------------------------------------------------------------------------

PARTS: list[dict[str, Any]] = [
    {"text": "Looking.", "thoughtSignature": "AQ=="},
    {"functionCall": {"name": "get_weather", "args": CITY, "id": "g1"}, "thoughtSignature": "Ag=="},
    {"functionCall": {"name": "get_weather", "args": CITY, "id": "g2"}},
]


def gemini(parts: list[dict[str, Any]]) -> list[Any]:
    body = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 1}}  # fmt: skip
    return answer(200, json.dumps(body).encode(), keep=True)


def gemini_stream(parts: list[dict[str, Any]]) -> list[Any]:
    bodies = [{"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in parts]
    bodies[-1]["candidates"][0]["finishReason"] = "STOP"
    return [head() + sse(*(json.dumps(body) for body in bodies))]


def talk_gemini(url: str) -> None:
    client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url.removesuffix("/v1")))
    declared = types.FunctionDeclaration(name="get_weather", parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents: Any = [types.Content(role="user", parts=[types.Part(text=ASK)])]
    reply = client.models.generate_content(model="gemini-3-pro", contents=contents, config=config)
    assert reply.candidates
    contents.append(reply.candidates[0].content)
    results = [
        types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"result": DONE}))
        for call in reply.function_calls or ()
    ]
    contents.append(types.Content(role="user", parts=results))
    client.models.generate_content(model="gemini-3-pro", contents=contents, config=config)
    client.close()


def test_gemini_signatures_go_back_as_googles_client_sends_them() -> None:
    sent = ours("gemini_generate", "native_gemini", gemini_stream(PARTS), gemini_stream([{"text": "Sunny."}]))
    wanted = theirs(gemini(PARTS), gemini([{"text": "Sunny."}]), talk_gemini)
    assert sent["contents"][:2] == wanted["contents"][:2]
    assert sent["contents"][1]["parts"] == PARTS
    ids = [part["functionResponse"]["id"] for part in sent["contents"][2]["parts"]]
    assert ids == [part["functionResponse"]["id"] for part in wanted["contents"][2]["parts"]] == ["g1", "g2"]


THINKER = {"role": "assistant", "content": "", "thinking": "Weather.", "tool_calls": [{"function": {"name": "get_weather", "arguments": CITY}}]}  # fmt: skip


def line(message: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": True, "done_reason": "stop"}


def talk_ollama(url: str) -> None:
    client = ollama.Client(host=url.removesuffix("/v1"))
    tools: Any = [{"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}]
    messages: Any = [{"role": "user", "content": ASK}]
    messages.append(client.chat("m", messages=messages, tools=tools).message)
    messages.append({"role": "tool", "tool_name": "get_weather", "content": DONE})
    client.chat("m", messages=messages, tools=tools)
    client.close()


def test_ollama_thinking_goes_back_as_its_client_sends_it() -> None:
    last = answer(200, json.dumps(line({"role": "assistant", "content": "Sunny."})).encode(), keep=True)
    lines = [head(kind="application/x-ndjson") + json.dumps(line(THINKER)).encode() + b"\n"]
    sent = ours("ollama_chat", "native_openai", lines, last)["messages"][1]
    first = answer(200, json.dumps(line(THINKER)).encode(), keep=True)
    wanted = theirs(first, last, talk_ollama)["messages"][1]
    for name in ("role", "content", "thinking"):
        assert sent.get(name, "") == wanted.get(name, "")
    (mine,), (other,) = sent["tool_calls"], wanted["tool_calls"]
    assert {name: mine["function"][name] for name in other["function"]} == other["function"]


# -- after a call that was lost --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", ['{"city": "Ro', '{"place": "Rome"'])
def test_thinking_goes_back_after_a_lost_call(pieces: str) -> None:
    use = block(1, {"type": "tool_use", "id": "toolu_0", "name": "get_weather", "input": {}}, {"type": "input_json_delta", "partial_json": pieces})  # fmt: skip
    cut = [STOP[0] | {"delta": {"stop_reason": "max_tokens", "stop_sequence": None}}, STOP[1]]
    sent = ours("anthropic_messages", "native_anthropic", [head() + named(START, *THINKING, *use, *cut)], CLAUDE_LAST)
    thinking, call = sent["messages"][1]["content"]
    assert thinking == {"type": "thinking", "thinking": "I need the weather.", "signature": "EqQB=="}
    assert (call["id"], call["input"]) == ("toolu_0", {})
    (result,) = sent["messages"][2]["content"]
    assert (result["tool_use_id"], result["is_error"]) == ("toolu_0", True)


def test_reasoning_items_go_back_after_a_lost_call() -> None:
    lost = {**CALLS[0], "arguments": '{"city": '}
    sent = ours("openai_responses", "native_openai", [head() + items(THOUGHT, lost)], GPT_LAST, store=False)
    assert sent["input"][1:3] == [THOUGHT, {**CALLS[0], "arguments": "{}"}]


def test_arguments_go_back_byte_for_byte() -> None:
    written = '{ "city" : "R\\u006fme" }'
    spaced = (
        ROUTED[0]
        .replace(b'{\\"city\\":', json.dumps(written).encode()[1:-1])
        .replace(json.dumps('"Rome"}').encode()[1:-1], b"")
    )
    sent = ours("openai_chat", "native_openai", [spaced], ROUTED_LAST)["messages"][1]
    assert sent["tool_calls"][0]["function"]["arguments"] == written
