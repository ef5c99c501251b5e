"""Replies that are almost right: any value in them replaced by one of a wrong type, and still nothing raises."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from tests.kit.dialects import DIALECTS, Dialect
from tests.kit.playbook import decode, fold

USAGE = {
    "prompt_tokens": 1,
    "completion_tokens": 2,
    "input_tokens": 3,
    "output_tokens": 4,
    "prompt_tokens_details": {"cached_tokens": 1},
}
FUNCTION = {"name": "f", "arguments": '{"a":1}'}
CALL = {
    "index": 0,
    "id": "c",
    "type": "function",
    "function": FUNCTION,
    "extra_content": {"google": {"thought_signature": "s"}},
}
DELTA = {"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}, {"type": "text", "text": "x"}],
         "reasoning": "r", "refusal": "no", "tool_calls": [CALL, {**CALL, "index": 1}], "function_call": FUNCTION, "reasoning_details": [{"a": 1}]}  # fmt: skip
ERROR = {"error": {"message": "m", "type": "t", "code": 500, "status": "S", "details": [{"reason": "R", "retryDelay": "1s"}],
                   "metadata": {"raw": "r", "provider_name": "p"}, "failed_generation": "g"}}  # fmt: skip
ITEM = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": "{}"}
SAID = {
    "type": "message",
    "id": "m",
    "content": [{"type": "output_text", "text": "x"}, {"type": "refusal", "refusal": "n"}],
}
THOUGHT = {"type": "reasoning", "id": "r", "summary": [{"text": "s"}], "content": [{"text": "c"}]}
PART = {"functionCall": {"name": "f", "args": {"a": 1}, "id": "i"}, "thoughtSignature": "s"}
COMPLETION = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": USAGE}

SAMPLES: dict[str, list[list[Any]]] = {
    "openai_chat": [
        [{"model": "m", "choices": [{"index": 0, "delta": DELTA, "finish_reason": None}]},
         {"choices": [{"index": 0, "delta": {"content": "b"}, "finish_reason": "stop"}, {"index": 1}], "usage": USAGE, "x_groq": {"usage": USAGE}}, ERROR],
        [{"choices": [{"index": 0, "message": DELTA, "finish_reason": "stop", "error": ERROR["error"]}], "timings": {"prompt_n": 1, "predicted_n": 2}}],
    ],
    "openai_responses": [
        [{"type": "response.created", "response": {"model": "m"}}, {"type": "response.output_item.added", "output_index": 0, "item": ITEM},
         {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{"},
         {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{}"}, {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
         {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "x"}, {"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "xy"},
         {"type": "response.reasoning_summary_text.delta", "output_index": 2, "summary_index": 0, "delta": "x"}, {"type": "response.refusal.delta", "output_index": 1, "delta": "x"},
         {"type": "response.completed", "response": {"status": "completed", "output": [ITEM, SAID, THOUGHT], "usage": USAGE, "incomplete_details": {"reason": "x"}}}],
        [{"type": "error", **ERROR}, {"type": "response.failed", "response": {"error": ERROR["error"], "output": [ITEM]}}],
        [{"object": "response", "status": "incomplete", "output": [THOUGHT, SAID, ITEM], "usage": USAGE, "incomplete_details": {"reason": "x"}}],
    ],
    "anthropic_messages": [
        [{"type": "message_start", "message": {"model": "m", "usage": USAGE}}, {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "t"}},
         {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "x"}}, {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}},
         {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}},
         {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{}"}}, {"type": "content_block_stop", "index": 1},
         {"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": "t"}}, {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "x"}},
         {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": USAGE}, {"type": "error", **ERROR}, {"type": "message_stop"}],
        [{"type": "message", "model": "m", "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}], "stop_reason": "x", "usage": USAGE}],
    ],
    "gemini_generate": [
        [{"candidates": [{"index": 0, "content": {"parts": [{"text": "x"}, {"text": "t", "thought": True}, PART, {"inlineData": {}}]}, "finishReason": "STOP", "finishMessage": "m"}],
          "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "thoughtsTokenCount": 3}, "modelVersion": "v"},
         {"promptFeedback": {"blockReason": "SAFETY", "blockReasonMessage": "m"}}, {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "m"}]}, ERROR],
    ],
    "ollama_chat": [
        [{"model": "m", "message": {"role": "assistant", "content": "x", "thinking": "t", "tool_calls": [{"id": "i", "function": {"index": 0, "name": "f", "arguments": {"a": 1}}}]}, "done": False},
         {"error": "x"}, {"message": {"content": ""}, "done": True, "done_reason": "stop", "prompt_eval_count": 1, "eval_count": 2}],
    ],
    "straico": [
        [{"success": True, "data": {"completion": COMPLETION}}], [{"success": True, "data": {"completions": {"m": {"completion": COMPLETION}, "n": {}}}}], [{"success": False, "error": "x"}],
    ],
    "completion": [
        [{"content": "x", "stop": False}, {"content": "", "stop": True, "stop_type": "eos", "stopped_limit": True, "tokens_predicted": 1, "tokens_evaluated": 2, "model": "m"}],
        [{"choices": [{"text": "x", "index": 0, "finish_reason": "stop"}], "usage": USAGE}, ERROR],
    ],
}  # fmt: skip
JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    2.5,
    1e400,
    "",
    "x",
    "\ud83d",
    [],
    [None],
    [[]],
    {},
    {"": None},
    {"type": {}},
    "9" * 30,
    {"text": 5},
]


def events_of(dialect: Dialect) -> list[Any]:
    """The events of a provider's reply, as values."""
    lines = [line.removeprefix(b"data: ") for line in dialect.body.splitlines()]
    return [json.loads(line) for line in lines if line.startswith(b"{")]


for provider in DIALECTS:
    if provider.wire in SAMPLES:
        SAMPLES[provider.wire].append(events_of(provider))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    out = [path]
    if isinstance(value, dict):
        out += [place for key, inner in value.items() for place in places(inner, (*path, key))]
    elif isinstance(value, list):
        out += [place for index, inner in enumerate(value) for place in places(inner, (*path, index))]
    return out


def mutated(events: list[Any], dice: random.Random) -> list[Any]:
    out: list[Any] = copy.deepcopy(events)
    for _ in range(dice.randint(1, 3)):
        path = dice.choice([place for place in places(out) if place])
        inner: Any = out
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict) and dice.random() < 0.25:
            del inner[path[-1]]
        else:
            inner[path[-1]] = copy.deepcopy(dice.choice(JUNK))
    if dice.random() < 0.3:
        dice.shuffle(out)
    return out


def bodies(wire: str, events: list[Any]) -> list[bytes]:
    whole = [json.dumps(event).encode() for event in events]
    if wire == "ollama_chat":
        return [b"\n".join(whole) + b"\n", whole[0]]
    return [b"".join(b"data: " + event + b"\n\n" for event in whole), whole[-1]]


def check(wire: str, seed: int) -> None:
    dice = random.Random(seed)
    stream, single = bodies(wire, mutated(dice.choice(SAMPLES[wire]), dice))
    for body, streamed in ((stream, True), (single, False), (single, True)):
        whole = decode(wire, body, stream=streamed)
        assert decode(wire, body, cut=dice.randint(1, 40), stream=streamed) == whole, seed
        reply = fold(whole)
        for call in reply.calls:
            (call.id + call.name + call.arguments).encode()
        (reply.text + reply.reasoning + reply.finish + reply.model).encode()
        for fault in reply.faults:
            (fault.message + fault.code).encode()


@pytest.mark.parametrize("wire", sorted(SAMPLES))
def test_almost_right(wire: str) -> None:
    for seed in range(150):
        check(wire, seed)


@pytest.mark.long
@pytest.mark.parametrize("wire", sorted(SAMPLES))
def test_almost_right_for_long(wire: str) -> None:
    for seed in range(20_000):
        check(wire, seed)
