"""JSON as strangers send it: reading that never raises, and typed views that tolerate wrong types."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE, json_or

if TYPE_CHECKING:
    from collections.abc import Callable

_DECODER = json.JSONDecoder()
_scan_once: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]
_BETWEEN = re.compile(r"[\s\[,]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(text: str | bytes) -> Any:
    """Return the value, or `UNREADABLE` for anything that is not one JSON document."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    try:
        value, end = _scan_once(text, 0)
    except (StopIteration, ValueError, RecursionError):
        value, end = UNREADABLE, -1
    if end == len(text):
        return value  # nothing stands around it: nearly every event of a stream
    return json_or(text.removeprefix("\ufeff"))


def whole_items(body: bytes) -> list[dict[str, Any]]:
    """Return the objects that stand whole in a list that was cut off; empty for anything else."""
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    at, found = _BETWEEN.match(text).end(), []  # type: ignore[union-attr]
    if not text.lstrip().startswith("[") or text.rstrip().endswith("]"):
        return []
    try:
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            found.append(value)
            at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
    except (ValueError, RecursionError):
        pass  # the item that was cut
    return [item for item in found if isinstance(item, dict)]


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_items(value: Any) -> list[Any]:
    """Return a list as it is, and a single object as a list of one: some servers leave the list out."""
    return [value] if isinstance(value, dict) else as_list(value)


def as_text(value: Any) -> str:
    """Return the value if it is text (lone surrogates replaced), else an empty string."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else whole_characters(value)


def as_int(value: Any) -> int | None:
    """Return a count: a number or a text of digits; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if abs(value) < 2**53 else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return None


def json_text(value: Any) -> str:
    """Write a value as JSON text, non-ASCII characters as they are."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return '"nested too deep"'


def json_bytes(value: Any) -> bytes:
    """Write a request body; text that UTF-8 cannot carry (lone surrogates) goes as escapes."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def compact_bytes(value: Any) -> bytes:
    """Write a reply body: without blanks, text that UTF-8 cannot carry as escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def argument_text(value: Any) -> str:
    """Return call arguments as JSON text, whatever a server made of them; absent is empty.

    An empty object before the object itself is where a server began to write it (AgentRouter).
    """
    if value is None:
        return ""
    text = as_text(value) if isinstance(value, str) else json_text(value)
    return text[2:] if text.startswith("{}{") and isinstance(read_json(text[2:]), dict) else text


def argument_object(text: str) -> dict[str, Any]:
    """Return call arguments as the object that some wires want; unreadable text is kept under `_raw`."""
    if not text.strip():
        return {}
    value = read_json(text)
    if isinstance(value, str):
        value = read_json(value)
    return value if isinstance(value, dict) else {"_raw": text}


def has_surrogate(text: str) -> bool:
    """Whether the text holds half a character, which no encoder accepts."""
    return _SURROGATE.search(text) is not None


def whole_characters(text: str) -> str:
    """Join surrogate pairs and put U+FFFD for lone halves."""
    if not has_surrogate(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
