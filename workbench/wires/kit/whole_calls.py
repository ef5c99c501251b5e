"""Calls put together from their fragments, for protocols that send a call in one piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.core.messages import NativeCall
from workbench.wires.kit.jsons import read_json

if TYPE_CHECKING:
    from workbench.core.exchange import CallDelta


class WholeCalls:
    """Takes fragments; gives each call once the next one begins, and the last one at the end."""

    def __init__(self) -> None:
        self.count = 0
        """Calls that were begun."""
        self._open: NativeCall | None = None
        self._pieces: list[str] = []

    def add(self, delta: CallDelta) -> NativeCall | None:
        """Take a fragment; return the call before it, if that is complete now."""
        before = None
        if self._open is None or self._open.number != delta.number:
            before = self.take()
            self._open = NativeCall(delta.number, delta.id, delta.name, "")
            self.count += 1
        self._pieces.append(delta.arguments)
        return before

    def take(self) -> NativeCall | None:
        """Return the open call, if there is one."""
        call, self._open = self._open, None
        arguments = "".join(self._pieces)
        self._pieces.clear()
        return call and call._replace(arguments=arguments)


def object_of(call: NativeCall) -> dict[str, Any] | None:
    """Return a call's arguments as an object; None for what was cut off or never was one."""
    value = read_json(call.arguments or "{}")
    return value if value is not UNREADABLE and isinstance(value, dict) else None
