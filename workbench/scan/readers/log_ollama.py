"""Records of Ollama.

level=TRACE msg="builtin parser input" parser=… content="…"                     with OLLAMA_DEBUG=2, a piece a record
level=WARN msg="gemma4 tool call parsing failed" error="…" content="…"        error parsing tool call: raw='…', err=…
{"error": "error parsing tool call: raw='…', err=…"}                            {"error parsing tool call": "…"}         as clients get it
"""

from __future__ import annotations

import re

from workbench.core.json_text import parse_json
from workbench.scan.bodies import OLLAMA_LOGGED, ollama_quote
from workbench.scan.readers.log_state import LogState, Reader, joined, json_in, lost, without_text
from workbench.scan.reply import FoundReply
from workbench.wires.kit.error_answers import OLLAMA_UNREAD, error_in

_GO_FIELD = re.compile(r'\b(content|raw|error|err|msg)=("(?:[^"\\]|\\.)*")', re.DOTALL)
_GO_BARE = re.compile(r"\bcontent=([^\s\"]+)")
_BODY = re.compile(r"\{\s*\"error")


def _go_text(text: str) -> str:
    """The text that Go wrote with quotes."""
    try:
        return str(parse_json(text))
    except ValueError:
        return text[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def _answered(text: str) -> str:
    """The message in the body of a refusal, where a record holds one that tells of a call; empty without."""
    error = error_in(json_in(text, found.start())) if (found := _BODY.search(text)) else None
    error = error.get("error") if isinstance(error, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and OLLAMA_UNREAD in message else ""


def _refused(text: str, state: LogState) -> list[FoundReply]:
    message = _answered(text)
    told = (message or text).partition(OLLAMA_UNREAD)[2]
    said, why = ollama_quote(told)
    if not said:
        why = " ".join(told.lstrip(": ").partition("\n")[0].split()) or "no reason is told"
        return without_text(f"Ollama could not read a call: {why[:400].rstrip('.')}.", state, "Ollama", text)
    why = why.partition("\n")[0].strip().strip('"') or "its words are cut off"
    if not message and "\\" in said and '\\"' in said:
        said = said.replace('\\"', '"').replace("\\\\", "\\")
    return [lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]


def _failed(text: str, state: LogState) -> list[FoundReply]:
    fields = {name: _go_text(value) for name, value in _GO_FIELD.findall(text)}
    why = fields.get("error") or fields.get("err") or fields.get("msg") or OLLAMA_LOGGED
    said = fields.get("content") or fields.get("raw") or ""
    if not said and 'content="' in text:  # cut before its end
        said = _go_text(f'"{text.partition("content=")[2][1:]}"')
    return [lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]


def _ollama_piece(text: str, state: LogState) -> list[FoundReply]:
    found = next((value for name, value in _GO_FIELD.findall(text) if name == "content"), "")
    bare = _GO_BARE.search(text)
    state.ollama.piece(_go_text(found) if found else bare[1] if bare else "")
    return []


def _ollama_began(_text: str, state: LogState) -> list[FoundReply]:
    return joined(state.ollama.began(), state)


def _ollama_ended(text: str, state: LogState) -> list[FoundReply] | None:
    return joined(state.ollama.ended(), state) if "[GIN]" in text else None


READERS: tuple[tuple[str, Reader], ...] = (
    ("builtin parser input", _ollama_piece),
    ('msg="chat request"', _ollama_began),
    ('"/api/chat"', _ollama_ended),
    ('"/v1/chat/completions"', _ollama_ended),
    (OLLAMA_LOGGED, _failed),
    (OLLAMA_UNREAD, _refused),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = (OLLAMA_LOGGED, f"{OLLAMA_UNREAD}: raw", f'"{OLLAMA_UNREAD}":', "builtin parser input")
"""Literals that no other file has than such a log."""
