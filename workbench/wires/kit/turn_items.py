"""Turns of a conversation as input items of the Responses protocol; recorded items go back as they came while they are true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.wires.kit.content_parts import image_of, parts_of, system_text
from workbench.wires.kit.items import CALL_KINDS, call_of, texts_of
from workbench.wires.kit.jsons import as_dict, as_list, as_text
from workbench.wires.kit.tool_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from workbench.core.messages import Message, NativeCall

WIRE = "openai_responses"


def instructions_and_items(messages: Sequence[Message]) -> tuple[str, list[dict[str, Any]]]:
    """Return the text of the leading system messages, and the other turns as items; later system text stays where it is."""
    first = next((at for at, message in enumerate(messages) if message.role != "system"), len(messages))
    turns = messages[first:]
    custom = {id_ for message in turns for id_ in _custom_calls(message)}
    return system_text(messages[:first]), [item for message in turns for item in _items(message, custom)]


def _custom_calls(message: Message) -> list[str]:
    """Return the ids of calls that took free text: their results have a kind of their own."""
    return [call_of(item)[0] for item in _recorded(message) if item.get("type") == "custom_tool_call"]


def _recorded(message: Message) -> list[dict[str, Any]]:
    """Return the items as which a turn came."""
    return [as_dict(item) for item in as_list(as_dict(message.extra.get(WIRE)).get("items"))]


def _items(message: Message, custom: Collection[str]) -> list[dict[str, Any]]:
    if message.role == "tool":
        kind = "custom_tool_call_output" if message.tool_call_id in custom else "function_call_output"
        output: Any = [_part(part) for part in message.content] if isinstance(message.content, tuple) else message.text
        return [{"type": kind, "call_id": message.tool_call_id, "output": output}]
    if message.role != "assistant":
        content: Any = message.content or ""
        if isinstance(content, tuple):
            content = [_part(part) for part in content]
        return [{"type": "message", "role": message.role, "content": content}]
    items, said, made = _still_true(message, _recorded(message))
    text = "" if said else "".join(as_text(part.get("text")) for part in parts_of(message))
    spoken = [{"type": "message", "role": "assistant", "content": text}] if text else []
    return [*spoken, *items, *(_call_item(call) for call in message.tool_calls if call.id not in made)]


def _call_item(call: NativeCall) -> dict[str, Any]:
    written = {"name": wire_name(call.name), "arguments": call.arguments or "{}"}
    return {"type": "function_call", "call_id": call.id, **written}


def _still_true(message: Message, items: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bool, set[str]]:
    """Return the recorded items that the turn still says, whether its text is among them, and the calls that are.

    Reasoning goes back with what followed it, or not at all; a call's arguments are the turn's own, which may have been mended.
    """
    calls = {call.id: call for call in message.tool_calls}
    out: list[dict[str, Any]] = []
    thoughts: list[dict[str, Any]] = []
    said = message.text == "".join(t for item in items if item.get("type") == "message" for _, t, _ in texts_of(item))
    made: set[str] = set()
    places = iter(message.tool_calls)
    for item in items:
        kind = as_text(item.get("type"))
        if kind == "reasoning":
            thoughts.append(item)
            continue
        keep: dict[str, Any] | None = item
        if kind in CALL_KINDS:
            id_, name, _ = call_of(item)
            call = calls.get(id_) or (next(places, None) if not id_ else None)
            keep = _with_arguments(item, call) if call and name in (call.name, wire_name(call.name)) else None
            made |= {call.id} if call and keep else set()
        elif kind == "message" and not said:
            keep = None
        out += [*thoughts, keep] if keep else []
        thoughts = []
    return [*out, *(thoughts if not message.tool_calls and not message.text else [])], said, made


def _with_arguments(item: dict[str, Any], call: NativeCall) -> dict[str, Any]:
    if item.get("type") != "function_call" or item.get("arguments") == call.arguments:
        return item
    return {**item, "arguments": call.arguments or "{}"}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "text":
        return {"type": "input_text", "text": as_text(part.get("text"))}
    if image := image_of(part):
        media, data, url = image
        return {"type": "input_image", "image_url": url or f"data:{media};base64,{data}"}
    return part
