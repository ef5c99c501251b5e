"""Frames of AWS's event stream, as a server writes them; `tests/unit/wires/kit/test_event_frames.py` lets AWS's own library read them."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any


def frame(kind: str, value: Any, *, exception: bool = False) -> bytes:
    """One event with a JSON payload, or an exception."""
    named = ":exception-type" if exception else ":event-type"
    told = {named: kind, ":content-type": "application/json", ":message-type": "exception" if exception else "event"}
    head = b"".join(
        struct.pack(">B", len(name)) + name.encode() + struct.pack(">BH", 7, len(text)) + text.encode()
        for name, text in told.items()
    )
    payload = json.dumps(value).encode()
    prelude = struct.pack(">II", 16 + len(head) + len(payload), len(head))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + head + payload
    return body + struct.pack(">I", zlib.crc32(body))


def invoked(*events: dict[str, Any]) -> bytes:
    """A stream of InvokeModel: the model's own events, wrapped."""
    wrapped = ({"bytes": base64.b64encode(json.dumps(event).encode()).decode(), "p": "abc"} for event in events)
    return b"".join(frame("chunk", value) for value in wrapped)


def converse(*events: tuple[str, dict[str, Any]]) -> bytes:
    """A stream of events."""
    return b"".join(frame(kind, value) for kind, value in events)
