"""What several wires do to conversations: system text apart, content parts in other shapes, results as objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.wires.kit.jsons import as_dict, as_text, read_json
from workbench.wires.kit.tool_names import original_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import Message

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.DOTALL)


def system_text(messages: Sequence[Message]) -> str:
    """Return the text of all system messages, a blank line between them."""
    return "\n\n".join(message.text for message in messages if message.role == "system" and message.text)


def parts_of(message: Message) -> list[dict[str, Any]]:
    """Return the content as a list of OpenAI parts; empty text gives none."""
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}] if message.content else []
    return list(message.content or ())


def image_of(part: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return `(media type, base64 data, address)` of an image part; the first two are empty for an address on the web."""
    if part.get("type") != "image_url":
        return None
    value = part.get("image_url")
    url = as_text(value) or as_text(as_dict(value).get("url"))
    if not url:
        return None
    match = _DATA_URL.match(url)
    return (match[1], match[2], "") if match else ("", "", url)


def as_object(text: str) -> dict[str, Any]:
    """Return a tool result as the object that some wires want."""
    value = read_json(text)
    if isinstance(value, dict):
        return value
    return {"result": text if value is UNREADABLE else value}


def same_calls(message: Message, calls: Sequence[tuple[str, str]]) -> bool:
    """Whether a turn still makes these calls (`(id, name)`): only then may its recorded wire form go back unchanged.

    A call that came without an id may have been given one since; its name may have been changed for the wire.
    """
    own = [(call.id, call.name) for call in message.tool_calls]
    if len(own) != len(calls):
        return False
    return all(
        there in (name, original_name(name)) and (not id_ or id_ == mine)
        for (mine, there), (id_, name) in zip(own, calls, strict=True)
    )
