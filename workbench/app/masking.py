"""Keys out of everything that is recorded: what a user typed passes here before it is committed and shown.

Bytes and what was decoded from them are masked where they enter, by the client; this is for the rest of an event:
prompts, titles, tools, arguments, results. Stars have the length of what they cover, so that spans hold.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.core.events import ChunkReceived
from workbench.providers.masks import Secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from workbench.core.events import RunEvent

Value = TypeVar("Value")


class EventMask:
    """Puts stars for known keys into events; one mask serves one run."""

    def __init__(self, secrets: Collection[str]) -> None:
        self._secrets = Secrets(list(secrets))

    def __call__(self, event: RunEvent) -> RunEvent:
        """Return the event, the same object where nothing had to be masked."""
        return event if isinstance(event, ChunkReceived) else self.value(event)

    def value(self, value: Value) -> Value:
        """Return any other core value that is recorded beside the events, masked in the same way."""
        if not self._secrets.forms:
            return value
        masked: Value = _walk(value, self._secrets.mask_text)
        return masked


def _walk(value: Any, mask: Callable[[str], str]) -> Any:
    """Mask all texts inside a value; what does not change is not copied."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else mask(value)
    if isinstance(value, dict):
        pairs = {_walk(key, mask): _walk(item, mask) for key, item in value.items()}
        return pairs if pairs != value else value
    if isinstance(value, tuple | list):
        items = [_walk(item, mask) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if is_dataclass(value) and not isinstance(value, type):
        return _walk_fields(value, mask)
    return value


def _walk_fields(value: Any, mask: Callable[[str], str]) -> Any:
    changed = {}
    for field in fields(value):
        old = getattr(value, field.name)
        new = _walk(old, mask)
        if new is not old and new != old:
            changed[field.name] = new
    return replace(value, **changed) if changed else value
