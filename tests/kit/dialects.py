"""Replies as some twenty providers stream them, each with what it says: made up here, in the shape of the real ones."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Answer = dict[str, Any]


@dataclass(frozen=True)
class Dialect:
    """One provider's way to say it."""

    name: str
    wire: str
    body: bytes
    answer: Answer
    kind: str = "text/event-stream"
    status: int = 200
    stream: bool = True
    headers: dict[str, str] = field(default_factory=dict)


def said(
    text: str = "",
    *calls: tuple[str, str, Any],
    finish: str | None = "stop",
    usage: tuple[int | None, int | None] = (12, 5),
    thought: str = "",
    error: str = "",
) -> Answer:
    """The answer as `workbench send` prints it, an error by its kind."""
    found = [{"id": id_, "name": name, "arguments": arguments} for id_, name, arguments in calls]
    counts = {"input": usage[0], "output": usage[1]}
    out = {"text": text, "reasoning": thought, "tool_calls": found, "finish_reason": finish, "usage": counts}
    return out | ({"error": error} if error else {})


def sse(*values: Any, done: bool = True, end: str = "\n", named: bool = False) -> bytes:
    out = []
    for value in values:
        if isinstance(value, str):
            out.append(value + end + end)
            continue
        name = f"event: {value['type']}{end}" if named else ""
        out.append(f"{name}data: {json.dumps(value, ensure_ascii=False)}{end}{end}")
    return "".join([*out, f"data: [DONE]{end}{end}" if done else ""]).encode()


def chat(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {"id": "c-1", "object": "chat.completion.chunk", "model": "m", "choices": [choice], **more}


def tool(index: int | None, id_: str | None, name: str | None, arguments: Any) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "function", "function": {"arguments": arguments}}
    if name is not None:
        out["function"]["name"] = name
    return out | ({"id": id_} if id_ is not None else {}) | ({"index": index} if index is not None else {})


USAGE = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
COUNTED = {"choices": [], "usage": USAGE}
MOON = ("call_1", "moon_phase", {"day": "Tuesday – früh"})
MOON_TEXT = '{"day": "Tuesday – früh"}'
TIDE = ("call_2", "tide", {})
BOTH = {"tool_calls": [tool(0, "call_1", "moon_phase", MOON_TEXT), tool(1, "call_2", "tide", "{}")]}


def _responses() -> bytes:
    call = {"type": "function_call", "id": "fc", "call_id": "call_1", "name": "moon_phase"}
    message = {"type": "message", "id": "msg", "role": "assistant"}
    thought = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm."}]}
    final = {"type": "output_text", "text": "Größe 🌙", "annotations": []}
    full = {**call, "arguments": MOON_TEXT, "status": "completed"}
    usage = {"input_tokens": 12, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 0}}
    done = {"id": "r", "status": "completed", "model": "m", "output": [thought, {**message, "content": [final]}, full]}
    return sse(
        {"type": "response.created", "response": {"id": "r", "status": "in_progress", "model": "m", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**thought, "summary": []}},
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "Hm."},
        {"type": "response.output_item.done", "output_index": 0, "item": thought},
        {"type": "response.output_item.added", "output_index": 1, "item": {**message, "content": []}},
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "Größe "},
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "🌙"},
        {"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "Größe 🌙"},
        {"type": "response.output_item.added", "output_index": 2, "item": {**call, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": MOON_TEXT[:7]},
        {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": MOON_TEXT[7:]},
        {"type": "response.output_item.done", "output_index": 2, "item": full},
        {"type": "response.completed", "response": {**done, "usage": usage}},
        done=False,
        named=True,
    )


def _anthropic() -> bytes:
    def block(index: int, shell: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
        grown = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        start = {"type": "content_block_start", "index": index, "content_block": shell}
        return [start, {"type": "ping"}, *grown, {"type": "content_block_stop", "index": index}]

    usage = {"input_tokens": 7, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0, "output_tokens": 1}
    use = {"type": "tool_use", "id": "call_1", "name": "moon_phase", "input": {}}
    pieces = [{"type": "input_json_delta", "partial_json": p} for p in ("", MOON_TEXT[:9], MOON_TEXT[9:])]
    return sse(
        {"type": "message_start", "message": {"model": "m", "content": [], "usage": usage}},
        *block(0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "Hm."}, {"type": "signature_delta", "signature": "s"}),
        *block(1, {"type": "redacted_thinking", "data": "xx"}),
        *block(2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Größe "}, {"type": "text_delta", "text": "🌙"}),
        *block(3, {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}, {"type": "input_json_delta", "partial_json": "{}"}),
        *block(4, use, *pieces),
        *block(5, {**use, "id": "call_2", "name": "tide"}, pieces[0]),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
        done=False,
        named=True,
    )  # fmt: skip


def _gemini() -> bytes:
    def part(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "index": 0, **more}]}

    counts = {"promptTokenCount": 12, "candidatesTokenCount": 3, "thoughtsTokenCount": 2, "totalTokenCount": 17}
    return sse(
        part({"text": "Hm.", "thought": True}),
        part({"text": "Größe "}),
        part({"text": "🌙"}),
        part({"functionCall": {"name": "moon_phase", "args": MOON[2], "id": "call_1"}, "thoughtSignature": "s"}),
        part({"functionCall": {"name": "tide", "args": {}}}),
        {**part({"text": ""}, finishReason="STOP"), "usageMetadata": counts, "modelVersion": "m"},
        done=False,
        end="\r\n",
    )


def _pieces() -> bytes:
    """Gemini's arguments in pieces."""

    def part(call: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [{"functionCall": call}]}, **more}]}

    def bit(text: str, **more: Any) -> dict[str, Any]:
        return part({"partialArgs": [{"jsonPath": "$.day", "stringValue": text, **more}], "willContinue": True})

    usage = {"promptTokenCount": 12, "candidatesTokenCount": 5}
    return sse(
        part({"name": "moon_phase", "id": "call_1", "willContinue": True}),
        bit("Tuesday –", willContinue=True),
        bit(" früh"),
        {**part({}, finishReason="STOP"), "usageMetadata": usage},
        done=False,
    )


def _ollama(*lines: dict[str, Any]) -> bytes:
    return "".join(json.dumps({"model": "m", **line}, ensure_ascii=False) + "\n" for line in lines).encode()


OLLAMA = _ollama(
    {"message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False},
    {"message": {"role": "assistant", "content": "Größe 🌙"}, "done": False},
    {"message": {"content": "", "tool_calls": [{"id": "call_1", "function": {"name": "moon_phase", "arguments": MOON[2]}}]}, "done": False},
    {"message": {"content": "", "tool_calls": [{"function": {"index": 0, "name": "tide", "arguments": {}}}]}, "done": False},
    {"message": {"content": ""}, "done": True, "done_reason": "stop", "prompt_eval_count": 12, "eval_count": 5},
)  # fmt: skip
FRAGMENTS = sse(
    chat({"role": "assistant", "content": ""}, obfuscation="ab"),
    chat({"tool_calls": [tool(0, "call_1", "moon_phase", "")]}),
    *(chat({"tool_calls": [{"index": 0, "function": {"arguments": char}}]}) for char in MOON_TEXT),
    chat({"tool_calls": [tool(1, "call_2", "tide", "")]}),
    chat(None, "tool_calls"),
    COUNTED,
)
GROQ_FAULT = {"error": {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "{"}}
WORDS = [chat({"content": "Größe "}), chat({"content": "🌙"})]

DIALECTS = [
    Dialect("OpenAI", "openai_chat", FRAGMENTS, said("", MOON, TIDE, finish="tool_calls")),
    Dialect("OpenAI, refusing", "openai_chat", sse(chat({"refusal": "No, "}), chat({"refusal": "never."}), chat(None, "stop"), COUNTED), said("No, never.")),
    Dialect("Azure", "openai_chat", sse({"choices": [], "prompt_filter_results": []}, chat({"role": "assistant", "content": ""}), *WORDS, chat(None, "content_filter"), COUNTED), said("Größe 🌙", finish="content_filter")),
    Dialect("Groq", "openai_chat", sse(chat({"role": "assistant"}), chat({"reasoning": "Hm.", "channel": "analysis"}), chat(BOTH), chat(None, "tool_calls", x_groq={"usage": USAGE})), said("", MOON, TIDE, finish="tool_calls", thought="Hm.")),
    Dialect("Groq, failing", "openai_chat", sse(chat({"reasoning": "Hm."}), f"event: error\ndata: {json.dumps(GROQ_FAULT)}", done=False), said(thought="Hm.", finish=None, usage=(None, None), error="model_output")),
    Dialect("Mistral", "openai_chat", sse(chat({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}), chat({"content": [{"type": "text", "text": "Größe "}]}), chat({"content": "🌙", "tool_calls": [tool(None, "call_1", "moon_phase", MOON_TEXT)]}, "tool_calls", usage=USAGE)), said("Größe 🌙", MOON, finish="tool_calls", thought="Hm.")),
    Dialect("DeepSeek", "openai_chat", sse(": keep-alive", chat({"content": None, "reasoning_content": "Hm."}), *WORDS, chat({"content": "", "reasoning_content": None}, "stop", usage={**USAGE, "prompt_cache_hit_tokens": 8})), said("Größe 🌙", thought="Hm.")),
    Dialect("xAI", "openai_chat", sse(chat(BOTH), chat(None, "tool_calls"), COUNTED), said("", MOON, TIDE, finish="tool_calls")),
    Dialect("xAI, wrong key", "openai_chat", b'{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***."}', said(finish=None, usage=(None, None), error="auth"), "application/json", 400),
    Dialect("OpenRouter", "openai_chat", sse(": OPENROUTER PROCESSING", chat({"reasoning": "Hm.", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]}), chat(BOTH), chat({"content": ""}, "tool_calls", native_finish_reason="STOP"), chat({"content": ""}, "tool_calls", usage=USAGE)), said("", MOON, TIDE, finish="tool_calls", thought="Hm.")),
    Dialect("OpenRouter, failing", "openai_chat", sse(*WORDS, chat({"content": ""}, "error", error={"code": 502, "message": "upstream"})), said("Größe 🌙", finish="error", usage=(None, None), error="server")),
    Dialect("Cerebras", "openai_chat", sse(chat({"reasoning": "Hm."}), chat({"tool_calls": [tool(0, "call_1", "moon_phase", MOON_TEXT)]}), chat({}, "tool_calls", usage=USAGE, time_info={})), said("", MOON, finish="tool_calls", thought="Hm.")),
    Dialect("Perplexity", "openai_chat", sse(*({**chat({"content": piece}), "usage": USAGE} | {"choices": [{"index": 0, "delta": {"content": piece}, "message": {"content": "all"}, "finish_reason": None}]} for piece in ("Größe ", "🌙")), {"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "stop"}], "usage": USAGE}, done=False, end="\r\n"), said("Größe 🌙")),
    Dialect("Together", "openai_chat", sse(*({"choices": [{"index": 0, "text": piece, "delta": {"content": piece, "tool_calls": []}, "finish_reason": None}]} for piece in ("Größe ", "🌙")), chat({"content": ""}, "eos", usage=USAGE)), said("Größe 🌙", finish="eos")),
    Dialect("Fireworks", "openai_chat", sse(chat({"tool_calls": [tool(0, "call_1", "moon_phase", None)]}), chat({"tool_calls": [{"index": 0, "id": "call_1", "function": {"name": "moon_phase", "arguments": MOON_TEXT}}]}), chat(None, "tool_calls", usage=USAGE)), said("", MOON, finish="tool_calls")),
    Dialect("Moonshot", "openai_chat", sse(chat({"tool_calls": [tool(None, "call_1", "moon_phase", ""), tool(None, "call_2", "tide", "")]}), chat({"tool_calls": [{"function": {"arguments": MOON_TEXT}}, {"function": {"arguments": "{}"}}]}), {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls", "usage": USAGE}]}), said("", MOON, TIDE, finish="tool_calls")),
    Dialect("Hugging Face TGI", "openai_chat", sse(chat({"tool_calls": tool(0, "", "moon_phase", "")}), *(chat({"tool_calls": tool(0, "", None, piece)}) for piece in (MOON_TEXT[:4], MOON_TEXT[4:])), chat({}, "stop"), COUNTED), said("", ("call_1", *MOON[1:]))),
    Dialect("vLLM", "openai_chat", sse(chat({"reasoning": "Hm.", "reasoning_content": "Hm."}), chat({"tool_calls": [tool(0, "call_1", "moon_phase", "")]}), chat({"tool_calls": [{"index": 0, "function": {"arguments": MOON_TEXT}}]}), chat({"content": ""}, "tool_calls", stop_reason=None), COUNTED), said("", MOON, finish="tool_calls", thought="Hm.")),
    Dialect("SGLang", "openai_chat", sse(chat({"tool_calls": [tool(0, "call_1", "moon_phase", "")]}), chat({"tool_calls": [{"id": None, "index": 0, "function": {"name": None, "arguments": MOON_TEXT}}]}), chat({"content": None}, "tool_calls", matched_stop=None), COUNTED), said("", MOON, finish="tool_calls")),
    Dialect("llama.cpp", "openai_chat", sse(chat({"role": "assistant", "content": None}), chat({"reasoning_content": "Hm."}), *WORDS, chat({}, "length"), {**COUNTED, "timings": {"prompt_n": 1}}), said("Größe 🌙", finish="length", thought="Hm.")),
    Dialect("old servers", "openai_chat", sse(chat({"function_call": {"name": "moon_phase", "arguments": ""}}), chat({"function_call": {"arguments": MOON_TEXT}}), chat({}, "function_call")), said("", ("call_1", *MOON[1:]), finish="function_call", usage=(None, None))),
    Dialect("OpenAI Responses", "openai_responses", _responses(), said("Größe 🌙", MOON, finish="completed", thought="Hm.")),
    Dialect("OpenAI Responses, cut", "openai_responses", sse({"type": "response.output_text.delta", "output_index": 0, "delta": "Größe 🌙"}, {"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "usage": {"input_tokens": 12, "output_tokens": 5}}}, done=False, named=True), said("Größe 🌙", finish="max_output_tokens")),
    Dialect("OpenAI Responses, failing", "openai_responses", sse({"type": "error", "error": {"code": "insufficient_quota", "message": "spent"}}, {"type": "response.failed", "response": {"status": "failed", "error": {"code": "insufficient_quota", "message": "spent"}}}, done=False, named=True), said(finish="failed", usage=(None, None), error="quota")),
    Dialect("Anthropic", "anthropic_messages", _anthropic(), said("Größe 🌙", MOON, TIDE, finish="tool_use", thought="Hm.")),
    Dialect("Anthropic, overloaded", "anthropic_messages", sse({"type": "message_start", "message": {"model": "m", "content": [], "usage": {"input_tokens": 12, "output_tokens": 5}}}, {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Größe 🌙"}}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, done=False, named=True), said("Größe 🌙", finish=None, error="server")),
    Dialect("Gemini", "gemini_generate", _gemini(), said("Größe 🌙", MOON, TIDE, finish="STOP", thought="Hm.")),
    Dialect("Gemini, in pieces", "gemini_generate", _pieces(), said("", MOON, finish="STOP")),
    Dialect("Gemini, blocked", "gemini_generate", sse({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 12}}, done=False), said(finish=None, usage=(12, None), error="content_filter")),
    Dialect("Gemini, malformed", "gemini_generate", sse({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "moon("}], "usageMetadata": {"promptTokenCount": 12}}, done=False), said(finish="MALFORMED_FUNCTION_CALL", usage=(12, None), error="model_output")),
    Dialect("Ollama", "ollama_chat", OLLAMA, said("Größe 🌙", MOON, TIDE, thought="Hm."), "application/x-ndjson"),
    Dialect("Ollama, failing", "ollama_chat", _ollama({"message": {"content": "Größe 🌙"}, "done": False}, {"error": "out of memory"}), said("Größe 🌙", finish=None, usage=(None, None), error="server"), "application/x-ndjson"),
    Dialect("llama.cpp completion", "completion", sse({"content": "Größe ", "stop": False}, {"content": "🌙", "stop": False}, {"content": "", "stop": True, "stop_type": "eos", "tokens_evaluated": 12, "tokens_predicted": 5}, done=False), said("Größe 🌙", finish="eos")),
    Dialect("Straico", "straico", json.dumps({"success": True, "data": {"completions": {"m": {"completion": {"choices": [{"message": {"content": "Größe 🌙"}, "finish_reason": "stop"}], "usage": USAGE}}}}}, ensure_ascii=False).encode(), said("Größe 🌙"), "application/json", 201),
]  # fmt: skip
