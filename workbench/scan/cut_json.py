"""JSON that breaks off: what stands before the break, closed so that it can be read.

{"choices": [{"message": {"content": "I look. <tool_c        →  the same, with `"}}]}` behind it
{"id": 7, "model": "m", "crea                                →  {"id": 7, "model": "m"}
"""

from __future__ import annotations

import re
from typing import Any, Final

from workbench.core.json_text import UNREADABLE, json_or

EARLY: Final = "the file ends early"
"""How every reader says it."""
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\],]', re.DOTALL)
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")
_CLOSERS = {"{": "}", "[": "]"}


def mended(text: str) -> Any:
    """Return the value of a text that begins an object or a list and breaks off; raise ValueError for anything else."""
    text = text.strip()
    open_: list[str] = []
    safe = 0
    since: list[str] = []  # closed behind `safe`
    for piece in _PIECE.finditer(text):
        char = piece.group()
        if char == '"':
            text = _HALF_ESCAPE.sub(r"\1", text) + '"'
            break
        if char in _CLOSERS:
            open_.append(_CLOSERS[char])
            safe = piece.end()
            since.clear()
        elif char == ",":
            safe = piece.start()
            since.clear()
        elif char in "}]":
            since += open_[-1:]
            if not open_ or open_.pop() != char or not open_:
                break
    if text[:1] not in _CLOSERS or not open_:
        raise ValueError("nothing is begun that breaks off")
    closers = "".join(reversed(open_))
    for whole in (text + closers, text[:safe] + "".join(since) + closers):
        if (value := json_or(whole)) is not UNREADABLE:
            return value
    raise ValueError("this is broken before it breaks off")
