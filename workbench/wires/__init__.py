"""Wire protocols, pure: requests to bytes and bytes to deltas.

A wire is one file with one class that meets `core.protocols.Wire`, and one line in `_WIRES`. It may use `wires.kit`, never another wire.
What a provider wants back unchanged with an assistant turn (signatures, reasoning items) comes as a notice `send_back`
whose data is keyed by the wire's id; put into `Message.extra`, the same wire sends it and all others ignore it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from workbench.core.errors import UnknownName

if TYPE_CHECKING:
    from workbench.core.protocols import Wire

_WIRES = {
    "openai_chat": "OpenAIChat",
    "openai_responses": "OpenAIResponses",
    "anthropic_messages": "AnthropicMessages",
    "gemini_generate": "GeminiGenerate",
    "ollama_chat": "OllamaChat",
    "straico": "Straico",
    "completion": "Completion",
}
_loaded: dict[str, Wire] = {}


def list_wires() -> tuple[Wire, ...]:
    """Return all wires, in the order of the table."""
    return tuple(get_wire(name) for name in _WIRES)


def wire_ids() -> tuple[str, ...]:
    """Return the ids of all wires, without loading them."""
    return tuple(_WIRES)


def get_wire(id_: str) -> Wire:
    """Return a wire by its id; raise UnknownName."""
    if id_ not in _WIRES:
        raise UnknownName("protocol", id_, _WIRES)
    if id_ not in _loaded:
        module = import_module(f"workbench.wires.{id_}")
        wire: Wire = getattr(module, _WIRES[id_])()
        _loaded[id_] = wire
    return _loaded[id_]
