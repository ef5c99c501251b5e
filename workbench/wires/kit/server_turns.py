"""Turns in the shape of OpenAI Chat Completions as clients send them: nothing unknown is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.messages import message_from_openai
from workbench.wires.kit.jsons import as_dict, as_text, json_text

if TYPE_CHECKING:
    from workbench.core.messages import Message
    from workbench.wires.kit.request_notes import RequestNotes

_ROLES = frozenset("system developer user assistant tool function".split())


def read_turn(value: Any, notes: RequestNotes, place: str) -> Message:
    """Read one message; an unknown role speaks as the user, calls of a foreign kind keep their text."""
    turn = as_dict(value)
    if turn.get("role") not in _ROLES:
        if not isinstance(turn.get("role"), str):
            raise InvalidInput(f"{place}.role: a role is missing.")
        notes.note(f"{place}.role", f"{turn['role']!r} is read as user")
        turn = {**turn, "role": "user"}
    if isinstance(turn.get("tool_calls"), list):
        turn = {**turn, "tool_calls": [_call(as_dict(call)) for call in turn["tool_calls"]]}
    content = turn.get("content")
    if turn["role"] in ("tool", "function") and not isinstance(content, str | list | None):
        turn = {**turn, "content": json_text(content)}  # a result as it is
    elif isinstance(content, dict):
        turn = {**turn, "content": [content]}
    return message_from_openai(turn, place)


def _call(call: dict[str, Any]) -> dict[str, Any]:
    """A call of a free-text tool carries its text where others carry JSON."""
    custom = as_dict(call.get("custom"))
    if not custom:
        return call if isinstance(call.get("function"), dict) else {**call, "function": {}}
    return {**call, "function": {"name": custom.get("name"), "arguments": as_text(custom.get("input"))}}


def number(value: dict[str, Any], name: str, place: str = "") -> float | None:
    """Return a number; raise InvalidInput for anything else that is there."""
    found = value.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise InvalidInput(f"{place}{name}: expected a number.", hint=f"Got {found!r}.")
    return float(found)


def whole_number(value: dict[str, Any], name: str) -> int | None:
    """Return a count; raise InvalidInput for anything else that is there."""
    found = number(value, name)
    return None if found is None else int(found)


def stops(value: Any) -> tuple[str, ...]:
    """Return stop sequences, given as one text or as a list."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
