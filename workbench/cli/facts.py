"""Events of a run as JSON, one line each: what `run --events` streams and `show --json` holds."""

from __future__ import annotations

import base64
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.core.events import RunEvent

_LEFT_OUT = frozenset({"readings", "deltas"})
"""Of a chunk: can be rebuilt from its bytes."""


def fact(event: RunEvent) -> dict[str, Any]:
    """Return one event as a JSON object; `event` names its kind."""
    return {"event": kind_of(event), **_members(event)}


def kind_of(event: RunEvent) -> str:
    """Return the kind of an event, as it stands in the database: `run_started`, `step_finished`, …"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()


def plain(value: Any) -> Any:
    """Return any core value as JSON types. Bytes become text, or `{"base64"}` where they are none."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, bytes):
        return _bytes(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _members(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)


def _members(value: Any) -> dict[str, Any]:
    names = (member.name for member in fields(value))
    return {name: plain(getattr(value, name)) for name in names if name not in _LEFT_OUT}


def _bytes(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
