"""Turns of a conversation as messages of content blocks, as Anthropic has them; recorded blocks go back while they are true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.wires.kit.content_parts import image_of, parts_of, same_calls, system_text
from workbench.wires.kit.jsons import argument_object, as_dict, as_list, as_text
from workbench.wires.kit.tool_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import Message, NativeCall

WIRE = "anthropic_messages"
_LONGEST_NAME = 128


def block_name(name: str) -> str:
    """Return a tool's name as the protocol takes it."""
    return wire_name(name, _LONGEST_NAME)


def system_and_turns(messages: Sequence[Message], *, late: bool) -> tuple[str | list[dict[str, Any]], list[Message]]:
    """Return the system text, in its own blocks where it came so, and the turns; later system text stays if the API takes it."""
    first = next((place for place, message in enumerate(messages) if message.role != "system"), len(messages))
    leading = messages[:first] if late else [message for message in messages if message.role == "system"]
    turns = [message for message in messages[first:] if late or message.role != "system"]
    if len(leading) == 1 and (kept := _kept(leading[0])):
        return kept, turns
    return system_text(leading), turns


def block_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Turns in order; all results of a turn in one user message, a user's text after them."""
    out: list[dict[str, Any]] = []
    for message in messages:
        role = "user" if message.role == "tool" else message.role
        blocks = _result(message) if message.role == "tool" else _blocks(message)
        if not blocks:
            continue
        last = out[-1] if out else None
        if last and role == last["role"] == "user" and any(b.get("type") == "tool_result" for b in last["content"]):
            last["content"] = _results_first(last["content"] + blocks)
        else:
            out.append({"role": role, "content": blocks})
    for turn in out:
        if len(turn["content"]) == 1 and turn["content"][0].keys() == {"type", "text"}:
            turn["content"] = turn["content"][0]["text"]
    return out


def _results_first(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Anthropic refuses a turn whose tool results stand behind text; each kind keeps its own order."""
    return sorted(blocks, key=lambda block: block.get("type") != "tool_result")


def _blocks(message: Message) -> list[dict[str, Any]]:
    if kept := _kept(message):
        return kept
    blocks = [block for block in _recorded(message) if block.get("type") in ("thinking", "redacted_thinking")]
    blocks += [
        _part(part) for part in parts_of(message) if part.get("type") != "text" or as_text(part.get("text")).strip()
    ]
    return blocks + [_use(call) for call in message.tool_calls]


def _recorded(message: Message) -> list[dict[str, Any]]:
    """Return the blocks as which a turn came."""
    return as_list(as_dict(message.extra.get(WIRE)).get("blocks"))


def _kept(message: Message) -> list[dict[str, Any]]:
    """Return a turn's blocks as they came, where they still say what the turn says."""
    blocks = _recorded(message)
    texts = [as_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    calls = [(as_text(b.get("id")), as_text(b.get("name"))) for b in blocks if b.get("type") == "tool_use"]
    if message.text not in ("".join(texts), "\n".join(texts)) or not same_calls(message, calls):
        return []
    inputs = iter(argument_object(call.arguments) for call in message.tool_calls)
    return [_with_input(block, next(inputs)) if block.get("type") == "tool_use" else block for block in blocks]


def _with_input(block: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A recorded call with the turn's own arguments: a broken text may have been mended since."""
    return block if block.get("input") == own else {**block, "input": own}


def _use(call: NativeCall) -> dict[str, Any]:
    arguments = argument_object(call.arguments)
    return {"type": "tool_use", "id": call.id, "name": block_name(call.name), "input": arguments}


def _result(message: Message) -> list[dict[str, Any]]:
    kept = _recorded(message)
    if kept and kept[0].get("tool_use_id") == message.tool_call_id:
        return kept
    content: Any = message.content or ""
    if isinstance(content, tuple):
        content = [_part(part) for part in content]
    failed = {"is_error": True} if message.failed else {}
    return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": content, **failed}]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    image = image_of(part)
    if image is None:
        return part
    media, data, url = image
    if url:
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
