"""The table of wires: one row says all that others need to know of a wire without loading it.

Who offers wires (the providers page, `workbench send`, the simulator, the gateway) and who looks for a wire's native
format asks this table. A new wire is its file, its server side where it has one, and a row here (docs/new-wire.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class OfferedIn(StrEnum):
    """Where a wire can be chosen."""

    WINDOW = "window"
    CLI = "cli"
    SIMULATOR = "simulator"
    """Served by the simulated models and by the gateway: needs a server side."""


_CHOSEN = frozenset({OfferedIn.WINDOW, OfferedIn.CLI})
_SERVED = _CHOSEN | {OfferedIn.SIMULATOR}


@dataclass(frozen=True, slots=True)
class WireRow:
    """One wire."""

    id: str
    title: str
    """What people read where they choose."""
    client: str
    """The client side as `module:Class`."""
    offered: frozenset[OfferedIn] = _CHOSEN
    native: str = ""
    """The format in which it carries structured calls; empty where calls can only stand in the text."""
    images: bool = False
    """Whether a user's message may hold pictures."""
    result_images: bool = False
    """Whether the result of a tool may hold pictures itself; else they follow it in a user's message."""
    server: str = ""
    """The server side as `module:Class`; empty where there is none."""
    paths: tuple[str, ...] = ()
    """Ends of the request paths that the server side answers."""
    counting: tuple[str, ...] = ()
    """Ends of the paths at which it counts a request's tokens; the request is the same but for the path."""
    strict: bool = False
    """Whether a tool may ask the server to hold its calls to the schema."""


_IMAGES_INSIDE = frozenset({"anthropic_messages", "openai_responses", "bedrock_converse"})
"""`tool_result` and `toolResult` hold image blocks, and the output of a call may be a list of parts."""

_STRICT = frozenset({"openai_chat", "openai_responses", "anthropic_messages", "bedrock_converse"})


_COUNTING = {
    "openai_responses": ("/responses/input_tokens",),
    "anthropic_messages": ("/messages/count_tokens",),
    "gemini_generate": (":countTokens",),
}


def _row(id_: str, title: str, name: str, *paths: str, native: str = "") -> WireRow:
    """A wire of this package: its classes bear one name, the server side with `Server` behind it."""
    module = f"workbench.wires.{id_}"
    client, images, inside = f"{module}:{name}", bool(native), id_ in _IMAGES_INSIDE
    if not paths:
        return WireRow(id_, title, client, native=native, images=images, result_images=inside, strict=id_ in _STRICT)
    server, counting = f"{module}_server:{name}Server", _COUNTING.get(id_, ())
    return WireRow(id_, title, client, _SERVED, native, images, inside, server, paths, counting, id_ in _STRICT)


WIRES: tuple[WireRow, ...] = (
    _row("openai_chat", "OpenAI Chat Completions", "OpenAIChat", "/chat/completions", native="native_openai"),
    _row("openai_responses", "OpenAI Responses", "OpenAIResponses", "/responses", native="native_openai"),
    _row("anthropic_messages", "Anthropic Messages", "AnthropicMessages", "/messages", native="native_anthropic"),
    _row(
        "gemini_generate", "Gemini generateContent", "GeminiGenerate", ":generateContent", ":streamGenerateContent",
        native="native_gemini",
    ),
    _row("ollama_chat", "Ollama chat", "OllamaChat", "/api/chat", native="native_openai"),
    _row("straico", "Straico", "Straico"),
    _row("bedrock_converse", "Bedrock Converse", "BedrockConverse", native="native_openai"),
    _row("completion", "Raw completion", "Completion", "/completion", "/completions"),
)  # fmt: skip
"""In the order in which they are offered, and in which a path is looked up: `/chat/completions` ends in `/completions` too."""
