"""Streams that are odd but legal, or cut at an odd place, on every wire: nothing is lost, nothing invented, in any cutting."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from tests.kit.dialects import chat, sse, tool
from tests.kit.event_frames import frame
from tests.kit.playbook import read
from workbench.wires.kit.event_frames import MEDIA_TYPE

STOP = chat({}, "stop")
COUNTED = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}
START = {"type": "message_start", "message": {"id": "m", "model": "c", "content": [], "usage": {"input_tokens": 3}}}
ENDING = ({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}}, {"type": "message_stop"})  # fmt: skip
GEMINI = [{"candidates": [{"content": {"parts": [{"text": word}]}}]} for word in ("Hel", "lo")]
OLLAMA = {"model": "m", "message": {"role": "assistant", "content": "Hello"}, "done": False}
DONE = {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
CONVERSE = (
    frame("messageStart", {"role": "assistant"}),
    frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hello"}, "p": "abc"}),
    frame("messageStop", {"stopReason": "end_turn"}),
)


class Row(NamedTuple):
    name: str
    wire: str
    body: bytes
    text: str = "Hello"
    calls: tuple[tuple[str, str, str], ...] = ()
    finish: str = "stop"
    faults: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    thought: str = ""


def calls(*fragments: dict[str, Any]) -> bytes:
    return sse(*(chat({"tool_calls": [one]}) for one in fragments), chat({}, "tool_calls"))


def named(*values: dict[str, Any], end: str = "\n") -> bytes:
    return sse(*values, done=False, named=True, end=end)


def lines(*values: dict[str, Any], end: str = "\n") -> bytes:
    return "".join(json.dumps(value) + end for value in values).encode()


def block(index: int, shell: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    grown = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return [{"type": "content_block_start", "index": index, "content_block": shell}, *grown]


def shown(call_id: str, name: str, value: int, index: int, id_: str = "") -> tuple[dict[str, Any], ...]:
    """A call of the Responses protocol, from its beginning to its end."""
    item = {"type": "function_call", "id": id_ or f"f{call_id}", "call_id": call_id, "name": name}
    arguments, place = f'{{"x":{value}}}', {"output_index": index, "item_id": item["id"]}
    return (
        {"type": "response.output_item.added", "output_index": index, "item": {**item, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", **place, "delta": arguments},
        {"type": "response.output_item.done", "output_index": index, "item": {**item, "arguments": arguments}},
    )


COMPLETED = {"type": "response.completed", "response": {"status": "completed", "output": []}}
CHAT = (
    Row("nothing first, counts last", "openai_chat", sse({"choices": [], "x": 1}, chat({"role": "assistant"}), chat({"content": "Hello"}), STOP, COUNTED)),
    Row("null everywhere", "openai_chat", sse(chat(None), chat({"content": None, "tool_calls": None, "refusal": None, "function_call": None}), chat({"content": "Hello"}), STOP, {"choices": None, "usage": None, "error": None})),
    Row("keep-alive, names without data", "openai_chat", b": keep-alive\r\n\r\n" + sse("event: ping", chat({"content": "Hel"}), ": x", "id: 7", "retry: 9", chat({"content": "lo"}), STOP, end="\r\n")),
    Row("CR alone", "openai_chat", sse(chat({"content": "Hello"}), STOP, end="\r")),
    Row("byte order mark", "openai_chat", b"\xef\xbb\xbf" + sse(chat({"content": "Hello"}), STOP)),
    Row("halves of a character", "openai_chat", b'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n\ndata: {"choices":[{"delta":{"content":"\\ude00"}}]}\n\n' + sse(STOP), text="\U0001f600"),
    Row("data in two lines", "openai_chat", b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n'),
    Row("end without a line end", "openai_chat", sse(chat({"content": "Hello"}), STOP, done=False) + b"data:[DONE]"),
    Row("no end", "openai_chat", sse(chat({"content": "Hello"}), done=False), finish="", faults=("cut_off",)),
    Row("error inside", "openai_chat", sse(chat({"content": "Hello"}), {"error": {"message": "boom", "code": 500}}), finish="", faults=("server",)),
    Row("named error inside", "openai_chat", sse(chat({"content": "Hello"}), 'event: error\ndata: {"message": "boom", "code": 500}'), finish="", faults=("server",)),
    Row("another choice between", "openai_chat", sse({"choices": [{"index": 1, "delta": {"content": "no"}}]}, chat({"content": "Hello"}), STOP), notices=("extra_choices",)),
    Row("refusal in pieces", "openai_chat", sse(chat({"refusal": "Hel"}), chat({"refusal": "lo"}), STOP), notices=("refusal",)),
    Row("pictures", "openai_chat", sse(chat({"content": "Hello", "images": [{"type": "image_url"}]}), STOP), notices=("unknown_part",)),
    Row("reasoning with a summary", "openai_chat", sse(chat({"content": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]}, {"type": "text", "text": "Hello"}]}), STOP), thought="Hm."),
    Row("calls without an index", "openai_chat", calls(tool(None, "i", "a", ""), tool(None, None, None, '{"x":1}'), tool(None, "j", "a", '{"x"'), tool(None, None, None, ":2}")), "", (("i", "a", '{"x":1}'), ("j", "a", '{"x":2}')), "tool_calls"),
    Row("calls in turns, no ids", "openai_chat", sse(*(chat({"tool_calls": [one, two]}) for one, two in ((tool(None, None, "a", ""), tool(None, None, "b", "")), (tool(None, None, None, '{"x"'), tool(None, None, None, "{")), (tool(None, None, None, ":1}"), tool(None, None, None, "}")))), chat({}, "tool_calls")), "", (("", "a", '{"x":1}'), ("", "b", "{}")), "tool_calls"),
    Row("calls on one index by ids", "openai_chat", calls(tool(0, "i", "a", ""), tool(0, "j", "b", ""), tool(0, "i", None, "{}"), tool(0, "j", None, "[]")), "", (("i", "a", "{}"), ("j", "b", "[]")), "tool_calls"),
    Row("an id anew on each fragment", "openai_chat", calls(tool(0, "i", "a", '{"x":'), tool(0, "j", "a", "1}")), "", (("i", "a", '{"x":1}'),), "tool_calls"),
    Row("one id for all calls", "openai_chat", sse(chat({"tool_calls": [tool(None, "i", "a", '{"x":1}'), tool(None, "i", "b", "{}"), tool(None, "i", "b", '{"x":2}')]}, "tool_calls")), "", (("i", "a", '{"x":1}'), ("i", "b", "{}"), ("i", "b", '{"x":2}')), "tool_calls"),
    Row("a call said once more at its end", "openai_chat", calls(tool(0, "i", "a", '{"x":'), tool(0, None, None, "1}"), tool(0, "i", "a", '{"x":1}')), "", (("i", "a", '{"x":1}'),), "tool_calls"),
    Row("an object that opens a call", "openai_chat", calls(tool(0, "i", "a", {}), tool(0, None, None, '{"x":1}'), tool(1, "j", "b", {})), "", (("i", "a", '{"x":1}'), ("j", "b", "{}")), "tool_calls"),
    Row("a call's head once more, under a new id", "openai_chat", calls(tool(0, "i", "a", ""), tool(0, "j", "a", ""), tool(0, None, None, '{"x":1}')), "", (("i", "a", '{"x":1}'),), "tool_calls"),
    Row("two calls without arguments on one index", "openai_chat", calls(tool(0, "i", "a", "{}"), tool(0, "j", "a", "{}")), "", (("i", "a", "{}"), ("j", "a", "{}")), "tool_calls"),
    Row("all arguments once more at their end", "openai_chat", calls(tool(0, "i", "a", '{"x":'), tool(0, None, None, "1}"), tool(0, None, None, '{"x":1}')), "", (("i", "a", '{"x":1}'),), "tool_calls"),
    Row("arguments begun anew", "openai_chat", calls(tool(0, "i", "a", '{"x":"{"'), tool(0, None, None, '{"x":"{","y":2}'), tool(1, "j", "b", "{"), tool(1, None, None, '{"x":1}')), "", (("i", "a", '{"x":"{","y":2}'), ("j", "b", '{"x":1}')), "tool_calls"),
    Row("an object in an object of its name", "openai_chat", calls(tool(0, "i", "a", '{"x":'), tool(0, None, None, '{"x":[{},'), tool(0, None, None, '{}]}}')), "", (("i", "a", '{"x":{"x":[{},{}]}}'),), "tool_calls"),
    Row("an empty object, then the arguments", "openai_chat", calls(tool(0, "i", "a", "{}"), tool(0, None, None, '{"x":'), tool(0, None, None, "1}")), "", (("i", "a", '{"x":1}'),), "tool_calls"),
    Row("all said once more as a message", "openai_chat", sse(chat({"content": "Hello", "reasoning": "Hm."}), chat({"tool_calls": [tool(0, "i", "a", "{}")]}), {"choices": [{"index": 0, "message": {"content": "Hello", "reasoning": "Hm.", "tool_calls": [tool(0, "i", "a", "{}")]}, "finish_reason": "stop"}]}), calls=(("i", "a", "{}"),), thought="Hm."),
    Row("calls beside the delta, as text, with parameters", "openai_chat", sse({"choices": [{"index": 0, "delta": {"content": "Hello"}, "tool_calls": json.dumps([{"id": "i", "function": {"name": "a", "parameters": {"x": 1}}}]), "finish_reason": "stop"}]}), calls=(("i", "a", '{"x": 1}'),)),
    Row("an end on every chunk that is none", "openai_chat", sse({"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "null"}]}, done=False), finish="", faults=("cut_off",)),
    Row("an end that is a failure", "openai_chat", sse(chat({"content": "Hello"}, "network_error")), finish="network_error", faults=("server",)),
    Row("an end that is a lost call", "openai_chat", sse(chat({"content": "Hello"}, "function_call_filter: MALFORMED_FUNCTION_CALL")), finish="function_call_filter: MALFORMED_FUNCTION_CALL", faults=("model_output",)),
    Row("an error under no name", "openai_chat", sse(chat({"content": "Hello"}), {"code": 50505, "message": "Model busy", "data": None}), finish="", faults=("server",)),
    Row("an error beside no choices", "openai_chat", sse(chat({"content": "Hello"}), {"choices": None, "base_resp": {"status_code": 1002, "status_msg": "rate limit reached"}}), finish="", faults=("rate_limit",)),
    Row("reasoning under rarer names", "openai_chat", sse(chat({"reasoning_text": "H"}), chat({"reasoning": {"content": "m"}}), chat({"thinking_blocks": [{"type": "thinking", "thinking": "."}]}), chat({"content": "Hello"}), STOP), thought="Hm."),
    Row("deltas that hold all so far", "openai_chat", sse(*(chat({"reasoning_content": "Let me see."[:size]}) for size in (3, 6, 11)), *(chat({"content": "Hello, world"[:size]}) for size in (1, 2, 8, 12, 12)), STOP), "Hello, world", thought="Let me see."),
    Row("held back, then broken off", "openai_chat", sse(chat({"content": "Hel"}), chat({"content": "Hello"}), done=False) + b"data: {broken\n\n" + sse(done=False), "HelHello", finish="", faults=("protocol",)),
    Row("held back before a call", "openai_chat", sse(chat({"content": "a"}), chat({"content": "aa"}), chat({"tool_calls": [tool(0, "i", "a", "{}")]}), STOP), "aaa", calls=(("i", "a", "{}"),)),
    Row("another protocol", "openai_chat", named(START, *block(0, {"type": "text", "text": "Hello"})), "", finish="", faults=("protocol",)),
    Row("whole calls on one index", "openai_chat", calls(tool(0, "", "a", '{"x":1}'), tool(0, "", "a", '{"x":2}')), "", (("", "a", '{"x":1}'), ("", "a", '{"x":2}')), "tool_calls"),
)  # fmt: skip
OTHERS = (
    Row("pings, a new event, a new block", "anthropic_messages", named(START, {"type": "ping"}, *block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Hello"}), *block(1, {"type": "hologram"}, {"type": "hologram_delta"}), {"type": "new_event"}, *ENDING), finish="end_turn", notices=("send_back", "unknown_event", "unknown_part")),
    Row("a tool of the server", "anthropic_messages", named(START, *block(0, {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, {"type": "input_json_delta", "partial_json": "{}"}), *block(1, {"type": "web_search_tool_result", "content": []}), *block(2, {"type": "text", "text": "Hello"}), *ENDING, end="\r\n"), finish="end_turn", notices=("send_back",)),
    Row("blocks in turns, never closed", "anthropic_messages", named(START, *block(0, {"type": "tool_use", "id": "i", "name": "a", "input": {}}), *block(1, {"type": "tool_use", "id": "j", "name": "b", "input": {"y": 2}}), {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}, *ENDING), "", (("i", "a", "{}"), ("j", "b", '{"y": 2}')), "end_turn"),
    Row("no end", "anthropic_messages", named(START, *block(0, {"type": "text", "text": "Hello"}), ENDING[0]), finish="end_turn", faults=("cut_off",)),
    Row("one index for all blocks", "anthropic_messages", named(START, *block(0, {"type": "tool_use", "id": "i", "name": "a", "input": {"x": 1}}), *block(0, {"type": "tool_use", "id": "j", "name": "b", "input": {}}, {"type": "input_json_delta", "partial_json": {"y": 2}}), *ENDING), "", (("i", "a", '{"x": 1}'), ("j", "b", '{"y": 2}')), "end_turn"),
    Row("deltas without a type", "anthropic_messages", named(START, *block(0, {"type": "thinking", "thinking": ""}, {"thinking": "Hm."}), *block(1, {"type": "text", "text": ""}, {"text": "Hello"}), *ENDING), finish="end_turn", notices=("send_back",), thought="Hm."),
    Row("another protocol's end", "anthropic_messages", named(START, *block(0, {"type": "thinking", "thinking": "Hm."}), *block(1, {"type": "tool_use", "id": "i", "name": "a", "input": {"x": 1}}), ENDING[0]) + b"data: [DONE]\n\n", "", (("i", "a", '{"x": 1}'),), "end_turn", notices=("send_back",), thought="Hm."),
    *(Row("another protocol", wire, sse(chat({"content": "Hello"}), STOP), "", finish="", faults=("protocol",), notices=() if wire == "ollama_chat" else ("unknown_event",)) for wire in ("anthropic_messages", "openai_responses", "ollama_chat")),
    Row("one index for all items", "openai_responses", named(*shown("i", "a", 1, 0), *shown("j", "b", 2, 0), COMPLETED), "", (("i", "a", '{"x":1}'), ("j", "b", '{"x":2}')), "completed"),
    Row("one id for all items", "openai_responses", named(*(event for event in (*shown("i", "a", 1, 0, "f"), *shown("i", "b", 2, 1, "f")) if "done" in event["type"]), COMPLETED), "", (("i", "a", '{"x":1}'), ("i", "b", '{"x":2}')), "completed"),
    Row("no index, and an id anew in each event", "openai_responses", named({"type": "response.output_item.added", "item": {"type": "function_call", "id": "f", "call_id": "i", "name": "a", "arguments": ""}}, *({"type": "response.function_call_arguments.delta", "item_id": f"g{piece}", "delta": piece} for piece in ('{"x"', ":1}")), COMPLETED), "", (("i", "a", '{"x":1}'),), "completed"),
    Row("another protocol's end", "openai_responses", named({"type": "response.output_item.added", "output_index": 0, "item": {"type": "function_call", "id": "f", "call_id": "i", "name": "a", "arguments": "{}"}}) + b"data: [DONE]\n\n", "", (("i", "a", "{}"),), ""),
    Row("a part that came whole", "openai_responses", named({"type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": {"type": "output_text", "text": "Hello"}}, COMPLETED), finish="completed"),
    *(Row(f"each fragment a part, ended as part {part}", "openai_responses", named(*({"type": "response.output_text.delta", "output_index": 0, "content_index": i, "delta": piece} for i, piece in enumerate(("He", "l", "lo"))), {"type": "response.output_text.done", "output_index": 0, "content_index": part, "text": "Hello"}, {"type": "response.content_part.done", "output_index": 0, "content_index": part, "part": {"type": "output_text", "text": "Hello"}}, {"type": "response.completed", "response": {"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hello"}]}]}}), finish="completed") for part in (0, 2, 3)),
    Row("each thought a part", "openai_responses", named(*({"type": "response.reasoning_text.delta", "output_index": 0, "content_index": i, "delta": piece} for i, piece in enumerate(("H", "m", "."))), {"type": "response.reasoning_text.done", "output_index": 0, "content_index": 3, "text": "Hm."}, {"type": "response.output_text.delta", "output_index": 1, "delta": "Hello"}, COMPLETED), finish="completed", notices=("send_back",), thought="Hm."),
    Row("cancelled", "openai_responses", named({"type": "response.output_text.delta", "output_index": 0, "delta": "Hello"}, {"type": "response.cancelled", "response": {"status": "cancelled", "output": []}}), finish="cancelled", faults=("server",)),
    Row("parts without a list", "gemini_generate", sse({"candidates": [{"content": {"parts": {"text": "Hello"}}, "finishReason": "STOP"}]}, done=False), finish="STOP"),
    Row("calls without a list", "ollama_chat", lines({**OLLAMA, "message": {"content": None, "tool_calls": {"function": {"name": "a", "arguments": {"x": 1}}}}}, DONE), "", (("", "a", '{"x": 1}'),)),
    Row("unknown items", "openai_responses", named({"type": "response.output_item.done", "output_index": 0, "item": {"type": "novelty", "id": "n"}}, {"type": "response.novelty.searching"}, {"type": "response.output_text.delta", "output_index": 1, "delta": "Hello"}, {"type": "response.completed", "response": {"status": "completed", "output": []}}), finish="completed", notices=("send_back",)),
    Row("arguments at the end alone", "openai_responses", named({"type": "response.output_item.added", "output_index": 0, "item": {"type": "function_call", "id": "f", "call_id": "i", "name": "a", "arguments": ""}}, {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "other", "arguments": "{}"}, {"type": "response.completed", "response": {"status": "completed", "output": []}}), "", (("i", "a", "{}"),), "completed"),
    Row("arguments at the beginning alone", "openai_responses", named({"type": "response.output_item.added", "output_index": 0, "item": {"type": "function_call", "id": "f", "call_id": "i", "name": "a", "arguments": "{}"}}, {"type": "response.completed", "response": {"status": "completed", "output": []}}), "", (("i", "a", "{}"),), "completed"),
    Row("a list", "gemini_generate", json.dumps([*GEMINI, {"candidates": [{"finishReason": "STOP"}]}], indent=1).encode(), finish="STOP"),
    Row("a list that was cut", "gemini_generate", json.dumps([*GEMINI, {"candidates": [{"finishReason": "STOP"}]}]).encode()[:-9], finish="", faults=("cut_off",)),
    Row("empty candidates", "gemini_generate", sse({"candidates": [{"content": {"role": "model"}}]}, {"candidates": [{}]}, *GEMINI, {"candidates": [{"finishReason": "STOP"}]}, done=False, end="\r\n"), finish="STOP"),
    Row("parts that nobody knows", "gemini_generate", sse({"candidates": [{"content": {"parts": [{"executableCode": {"code": "1"}}, {"text": "Hello"}]}, "finishReason": "STOP"}]}, done=False), finish="STOP", notices=("unknown_part",)),
    Row("byte order mark, CRLF", "ollama_chat", b"\xef\xbb\xbf" + lines(OLLAMA, DONE, end="\r\n")),
    Row("only loaded", "ollama_chat", lines({**DONE, "done_reason": "load"}), text="", finish="load"),
    Row("cut in a line", "ollama_chat", lines(OLLAMA) + b'{"model": "m", "mess', finish="", faults=("cut_off",)),
    Row("no counts", "bedrock_converse", b"".join(CONVERSE), finish="end_turn"),
    Row("a damaged frame", "bedrock_converse", CONVERSE[0] + CONVERSE[1] + CONVERSE[1].replace(b"Hello", b"Jello") + CONVERSE[2], finish="", faults=("protocol",)),
    Row("torn", "bedrock_converse", b"".join(CONVERSE)[:-3], finish="", faults=("cut_off",)),
)  # fmt: skip


@pytest.mark.parametrize("row", [*CHAT, *OTHERS], ids=lambda row: f"{row.wire}: {row.name}")
def test_an_odd_stream_is_read_as_it_is_meant(row: Row) -> None:
    headers = (("content-type", MEDIA_TYPE),) if row.wire == "bedrock_converse" else ()
    reply = read(row.wire, row.body, headers=headers)
    told = (
        reply.text,
        tuple(reply.plain_calls),
        reply.finish,
        tuple(reply.fault_kinds),
        tuple(sorted(reply.notices)),
        reply.reasoning,
    )
    assert told == row[3:]
