"""Records of llama.cpp's server.

Parsed message: {"role":"assistant","content":"…","tool_calls":[…]}          with -v, and each token
got exception: {"error":{"message":"Failed to parse input at pos N: …"}}       unparsed peg-native output: …
"""

from __future__ import annotations

from workbench.scan.bodies import quoted
from workbench.scan.chat_messages import add_message
from workbench.scan.json_values import json_bytes
from workbench.scan.prefilter import may_hold_call
from workbench.scan.readers.log_state import LogState, Reader, json_in, lost
from workbench.scan.reply import FoundReply


def _llama_message(text: str, state: LogState) -> list[FoundReply] | None:
    value = json_in(text, text.find("Parsed message:"))
    if not isinstance(value, dict):
        return None
    made = state.tokens.take()
    reply = add_message(FoundReply("", model=state.model, server="llama.cpp", tools=None), value)
    if made is not None:
        reply.finish, reply.output_tokens = made.finish, made.tokens
        if not (reply.text or reply.reasoning or reply.calls) and may_hold_call(made.text, None):
            why = f"llama.cpp gave out nothing of {made.tokens} tokens, in which a call was begun."
            return [lost(made.text, why, state, "llama.cpp", text)]
    return [reply]


def _llama_token(text: str, state: LogState) -> list[FoundReply]:
    state.tokens.token(text)
    return []


def _llama_stopped(text: str, state: LogState) -> list[FoundReply]:
    state.tokens.stopped(text)
    return []


def _llama_fault(text: str, state: LogState) -> list[FoundReply]:
    at = text.find('{"error"')
    body = json_in(text, at) if at >= 0 else None
    told = quoted(json_bytes(body).decode() if body is not None else text)
    why, said = told if told is not None else ("Failed to parse input.", "")
    return [lost(said, f"llama.cpp could not read the reply: {why}", state, "llama.cpp", text)]


def _llama_unparsed(text: str, state: LogState) -> list[FoundReply]:
    _, _, said = text.partition("output: ")
    return [lost(said.strip(), "llama.cpp left this part of the reply unread.", state, "llama.cpp", text)]


READERS: tuple[tuple[str, Reader], ...] = (
    (", next token: ", _llama_token),
    (" | stopped by ", _llama_stopped),
    ("Parsed message:", _llama_message),
    ("Failed to parse input at pos", _llama_fault),
    ("unparsed peg", _llama_unparsed),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = ("Parsed message: {", "Failed to parse input at pos", "unparsed peg")
"""Literals that no other file has than such a log."""
