"""Conversations made fit for a wire: missing call ids filled in, results named after their calls, turns grouped."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.messages import Message, NativeCall

_NINE = re.compile(r"[A-Za-z0-9]{9}")


def paired(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Give every call an id, every result the id and the tool name of the call that it answers.

    Results without an id answer the open calls in order. Texts are never changed.
    """
    out: list[Message] = []
    waiting: list[NativeCall] = []
    names: dict[str, str] = {}
    for position, message in enumerate(messages):
        if message.role == "assistant" and message.tool_calls:
            calls = tuple(
                call if call.id else call._replace(id=f"call_{position}_{place}")
                for place, call in enumerate(message.tool_calls)
            )
            waiting = list(calls)
            names.update((call.id, call.name) for call in calls)
            message = replace(message, tool_calls=calls)
        elif message.role == "tool":
            message = _answered(message, waiting, names)
        out.append(message)
    return tuple(out)


def _answered(message: Message, waiting: list[NativeCall], names: dict[str, str]) -> Message:
    id_ = message.tool_call_id
    if not id_:
        match = next((call for call in waiting if not message.name or call.name == message.name), None)
        id_ = match.id if match else ""
    waiting[:] = [call for call in waiting if call.id != id_]
    return replace(message, tool_call_id=id_, name=message.name or names.get(id_, ""))


def nine_characters(id_: str) -> str:
    """Map a call id to nine letters and digits, which is all that Mistral takes; the same id gives the same result."""
    if not id_ or _NINE.fullmatch(id_):
        return id_
    return hashlib.sha256(id_.encode("utf-8", "replace")).hexdigest()[:9]


def at_most(length: int) -> Callable[[str], str]:
    """Return a mapping of call ids to this many characters: OpenAI refuses the long ones that other servers make."""

    def shortened(id_: str) -> str:
        if len(id_) <= length:
            return id_
        return "call_" + hashlib.sha256(id_.encode("utf-8", "replace")).hexdigest()[: length - 5]

    return shortened


def with_ids(messages: Sequence[Message], change: Callable[[str], str]) -> tuple[Message, ...]:
    """Map all call ids of a conversation."""
    return tuple(
        replace(
            message,
            tool_call_id=change(message.tool_call_id),
            tool_calls=tuple(call._replace(id=change(call.id)) for call in message.tool_calls),
        )
        for message in messages
    )
