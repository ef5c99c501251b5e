"""Records of Ollama.

level=TRACE msg="builtin parser input" parser=… content="…"                     with OLLAMA_DEBUG=2, a piece a record
level=WARN msg="gemma4 tool call parsing failed" error="…" content="…"        error parsing tool call: raw='…', err=…
"""

from __future__ import annotations

import json
import re

from workbench.scan.readers.log_state import LogState, Reader, joined, lost
from workbench.scan.reply import Reply

_GO_FIELD = re.compile(r'\b(content|raw|error|err|msg)=("(?:[^"\\]|\\.)*")', re.DOTALL)
_GO_BARE = re.compile(r"\bcontent=([^\s\"]+)")
_OLLAMA_RAW = re.compile(r"error parsing tool call: raw='(?P<raw>.*?)', err=(?P<why>[^\n]*)", re.DOTALL)


def _go_text(text: str) -> str:
    """The text that Go wrote with quotes."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def _ollama(text: str, state: LogState) -> list[Reply]:
    raw = _OLLAMA_RAW.search(text)
    if raw:
        said, why = raw["raw"], raw["why"].strip().strip('"')
        if "\\" in said and '\\"' in said:
            said = said.replace('\\"', '"').replace("\\\\", "\\")
        return [lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]
    fields = {name: _go_text(value) for name, value in _GO_FIELD.findall(text)}
    why = fields.get("error") or fields.get("err") or fields.get("msg") or "tool call parsing failed"
    said = fields.get("content") or fields.get("raw") or ""
    if not said and 'content="' in text:  # cut before its end
        said = _go_text(f'"{text.partition("content=")[2][1:]}"')
    return [lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]


def _ollama_piece(text: str, state: LogState) -> list[Reply]:
    found = next((value for name, value in _GO_FIELD.findall(text) if name == "content"), "")
    bare = _GO_BARE.search(text)
    state.ollama.piece(_go_text(found) if found else bare[1] if bare else "")
    return []


def _ollama_began(_text: str, state: LogState) -> list[Reply]:
    return joined(state.ollama.began(), state)


def _ollama_ended(text: str, state: LogState) -> list[Reply] | None:
    return joined(state.ollama.ended(), state) if "[GIN]" in text else None


READERS: tuple[tuple[str, Reader], ...] = (
    ("builtin parser input", _ollama_piece),
    ('msg="chat request"', _ollama_began),
    ('"/api/chat"', _ollama_ended),
    ('"/v1/chat/completions"', _ollama_ended),
    ("tool call parsing failed", _ollama),
    ("error parsing tool call", _ollama),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = ("tool call parsing failed", "error parsing tool call: raw", "builtin parser input")
"""Literals that no other file has than such a log."""
