"""Records of vLLM.

Generated response chatcmpl-1 (streaming complete): output: '…', output_token_ids: None, finish_reason: stop
Error in extracting tool call from response.
"""

from __future__ import annotations

import json
import re

from workbench.scan.readers.log_state import QUOTED, LogState, Reader, unquoted, without_text
from workbench.scan.reply import FoundReply, SeenCall

_VLLM = re.compile(
    rf"Generated response (?P<id>\S+?)(?P<how> \(streaming (?:delta|complete)\))?: output: (?P<out>{QUOTED})"
    r"(?:, output_token_ids: .{0,400000}?)?, finish_reason: (?P<finish>\w+)",
    re.DOTALL,
)
_VLLM_CALLS = re.compile(r"\[tool_calls: (.*)\]\Z", re.DOTALL)
_OPEN_STREAMS = 512


def _vllm(text: str, state: LogState) -> list[FoundReply] | None:
    found = _VLLM.search(text)
    if found is None:
        return None
    state.outputs = True
    said, finish = unquoted(found["out"]), found["finish"]
    name, how = found["id"], found["how"] or ""
    if "delta" in how:
        parts = state.streams.setdefault(name, [])
        parts.append(said)
        state.streams.move_to_end(name)
        if finish == "None" and len(state.streams) <= _OPEN_STREAMS:
            return []
        if finish == "None":
            name, parts = state.streams.popitem(last=False)
        else:
            state.streams.pop(name)
        said = "".join(parts)
    elif state.streams.pop(name, None) is not None and not said:
        return []
    reply = FoundReply("", said, model=state.model, server="vLLM", finish="" if finish == "None" else finish)
    calls = _VLLM_CALLS.match(said)
    if calls:
        reply.text, reply.calls = "", _written_calls(calls[1])
    return [reply]


def _written_calls(text: str) -> list[SeenCall]:
    """Calls as vLLM writes them: `name({…}), name({…})`."""
    made: list[SeenCall] = []
    at = 0
    while (opened := text.find("(", at)) >= 0:
        name = text[at:opened].strip(" ,")
        try:
            _, end = json.JSONDecoder().raw_decode(text, opened + 1)
        except (ValueError, RecursionError):
            end = len(text) - 1 if text.endswith(")") else len(text)
        made.append(SeenCall(name, text[opened + 1 : end]))
        at = end + 1
    return made


def _vllm_error(text: str, state: LogState) -> list[FoundReply]:
    last = next(
        (line for line in reversed(text.splitlines()) if re.match(r"\S*(?:Error|Exception)\b", line.split(" ")[-0])), ""
    )
    said = re.search(r"Error (?:in extracting tool call|trying to handle streaming tool call)[^\n.]*", text)
    told = f"vLLM could not read a call: {said.group().lower() if said else 'an error'}"
    return without_text(f"{told} ({last.strip()[:200]})." if last else f"{told}.", state, "vLLM", text)


READERS: tuple[tuple[str, Reader], ...] = (
    ("Generated response ", _vllm),
    ("Error in extracting tool call", _vllm_error),
    ("Error trying to handle streaming tool call", _vllm_error),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = (
    "Generated response chatcmpl-",
    "Generated response cmpl-",
    "Error in extracting tool call from response",
    "Error trying to handle streaming tool call",
)
"""Literals that no other file has than such a log."""
