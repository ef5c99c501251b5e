"""Arguments of a call that come in pieces, each with the path where it belongs (Gemini's `partialArgs`).

A piece is `{jsonPath, stringValue | numberValue | boolValue | nullValue, willContinue?}`; a text that will be continued
is appended to by the next piece for the same path. Paths are `$.a.b[0].c` and `$['a key'][0]`.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from workbench.wires.kit.jsons import as_dict, as_list, as_text, json_text

_STEP = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""")
_MOST_STEPS = 64
_LONGEST_LIST = 10_000


class PartialArguments:
    """The arguments of one call as they grow."""

    __slots__ = ("_continues", "_value")

    def __init__(self, start: dict[str, Any]) -> None:
        self._value: dict[str, Any] = dict(start)
        self._continues = ""
        """Path of the text that has not ended yet."""

    def add(self, pieces: Any) -> list[str]:
        """Take the pieces of one part; return the paths that could not be read."""
        odd = []
        for entry in as_list(pieces):
            piece = as_dict(entry)
            path = as_text(piece.get("jsonPath") or piece.get("json_path"))
            found, value = _value_of(piece)
            if found and not self._put(path, value):
                odd.append(path)
            more = piece.get("willContinue", piece.get("will_continue"))
            self._continues = path if more and isinstance(value, str) else ""
        return odd

    def text(self, *, whole: bool) -> str:
        """Return the arguments as JSON text; without its end where the call was cut off."""
        text = json_text(self._value)
        if whole:
            return text
        open_text = text.rstrip("}]")
        return open_text.removesuffix('"') if self._continues else open_text

    @property
    def value(self) -> dict[str, Any]:
        """The arguments so far."""
        return self._value

    def _put(self, path: str, value: Any) -> bool:
        steps = _steps(path)
        if not steps:
            return False
        holder: Any = self._value
        for step, following in itertools.pairwise(steps):
            below = _get(holder, step)
            if not isinstance(below, dict if isinstance(following, str) else list):
                below = {} if isinstance(following, str) else []
                if not _set(holder, step, below):
                    return False
            holder = below
        last = steps[-1]
        if path == self._continues and isinstance(before := _get(holder, last), str) and isinstance(value, str):
            value = before + value
        return _set(holder, last, value)


def _value_of(piece: dict[str, Any]) -> tuple[bool, Any]:
    """Return whether a piece holds a value, and the value."""
    for name in ("stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value"):
        if name in piece:
            return True, piece[name]
    return "nullValue" in piece or "null_value" in piece, None


def _steps(path: str) -> list[str | int]:
    """Read a path; empty for one that cannot be read, or is the root itself."""
    at, out = 1, list[str | int]()
    while path.startswith("$") and at < len(path) and len(out) < _MOST_STEPS:
        match = _STEP.match(path, at)
        if match is None:
            return []
        name, index, single, double = match.groups()
        quoted = single if single is not None else double
        if index is not None:
            out.append(int(index))
        else:
            out.append(name if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        at = match.end()
    return out if at == len(path) else []


def _get(holder: Any, step: str | int) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    if isinstance(holder, list) and isinstance(step, int) and step < len(holder):
        return holder[step]
    return None


def _set(holder: Any, step: str | int, value: Any) -> bool:
    if isinstance(holder, dict) and isinstance(step, str):
        holder[step] = value
        return True
    if not isinstance(holder, list) or not isinstance(step, int) or step > _LONGEST_LIST:
        return False
    holder.extend([None] * (step + 1 - len(holder)))
    holder[step] = value
    return True
