"""Which protocol a provider's reply is in, by its shape alone: whole JSON bodies and streams of events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.exchange import ModelDelta
from workbench.core.json_text import parse_json
from workbench.core.messages import NativeCall
from workbench.wires import get_wire
from workbench.wires.kit.server import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Delta


class ProviderBody(NamedTuple):
    """One HTTP answer."""

    wire: str
    body: bytes
    streamed: bool
    text: str
    """What it says beside structured calls."""
    calls: tuple[NativeCall, ...]
    model: str


def wire_of(value: Any) -> str:
    """The protocol of a whole reply's JSON; empty where it is none that is known."""
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("choices"), list):
        return "openai_chat"
    if isinstance(value.get("candidates"), list):
        return "gemini_generate"
    if value.get("object") == "response" or (isinstance(value.get("output"), list) and "id" in value):
        return "openai_responses"
    if isinstance(value.get("content"), list) and (value.get("type") == "message" or "stop_reason" in value):
        return "anthropic_messages"
    if isinstance(value.get("message"), dict) and "done" in value:
        return "ollama_chat"
    return ""


def stream_wire(text: str) -> str:
    """The protocol of a streamed reply's text, by its first readable event; empty where it is none that is known."""
    for line in text.splitlines()[:50]:
        data = line.removeprefix("data:").strip()
        if not data.startswith("{"):
            continue
        try:
            value = parse_json(data)
        except ValueError:
            continue
        kind = str(value.get("type") or "")
        if kind.startswith("response."):
            return "openai_responses"
        if kind in ("message_start", "content_block_start", "content_block_delta", "ping"):
            return "anthropic_messages"
        if wire := wire_of(value):
            return wire
    return ""


def provider_body(value: Any) -> ProviderBody | None:
    """Understand a reply as JSON or as the text of a stream; None where its protocol is not known."""
    if isinstance(value, str):
        wire = stream_wire(value)
        return _decoded(wire, value.encode("utf-8", "surrogatepass"), streamed=True) if wire else None
    wire = wire_of(value)
    if not wire:
        return None
    return _decoded(wire, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), streamed=False)


def _decoded(wire: str, body: bytes, *, streamed: bool) -> ProviderBody:
    kind = "application/x-ndjson" if wire == "ollama_chat" and streamed else "text/event-stream"
    headers = (("content-type", kind if streamed else "application/json"),)
    decoder = get_wire(wire).decoder(status=200, headers=headers, stream=streamed)
    deltas: Sequence[Delta] = [*decoder.feed(body), *decoder.close()]
    folded = fold(deltas)
    calls = tuple(NativeCall(call.number, call.id, call.name, call.arguments) for call in folded.calls)
    model = next((delta.model for delta in deltas if isinstance(delta, ModelDelta)), "")
    return ProviderBody(wire, body, streamed, folded.text, calls, model)
