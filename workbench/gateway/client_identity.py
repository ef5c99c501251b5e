"""Who asks, and in which conversation, as far as a request's headers and messages tell.

Claude Code, Codex and opencode send an id of the conversation; for others the first words of it stand in, so that a
conversation stays one while it grows.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from workbench.core.events import ClientRequest

if TYPE_CHECKING:
    from workbench.gateway.routes import Way
    from workbench.loopback import LoopbackRequest
    from workbench.wires.kit.server import Served

SESSION_HEADERS = ("x-claude-code-session-id", "session-id", "x-session-id", "x-session-affinity", "conversation-id")
NAME_HEADER = "x-workbench-run"
"""Names the runs of a test."""
_KNOWN = {"claude-cli": "Claude Code", "codex": "Codex", "opencode": "opencode", "openai": "OpenAI SDK",
          "anthropic": "Anthropic SDK", "curl": "curl", "ai-sdk": "AI SDK", "google-genai-sdk": "Google SDK"}  # fmt: skip
_LONGEST = 200


def client_request(asked: LoopbackRequest, served: Served, way: Way) -> ClientRequest:
    """Return what is recorded of a request beside its messages."""
    return ClientRequest(
        wire=served.wire,
        model=served.request.model[:_LONGEST],
        way=way.value,
        client=client_name(asked),
        conversation=conversation(asked, served),
        name=asked.header(NAME_HEADER)[:_LONGEST],
        left_out=served.left_out,
    )


def client_name(asked: LoopbackRequest) -> str:
    """Return name and version from `originator` or `user-agent`: `Claude Code 2.1.197`."""
    agent = asked.header("user-agent")
    first = re.match(r"([\w.\- ]+?)/v?([\d.]+)", agent)
    name, version = (first.group(1), first.group(2)) if first else (agent.partition("/")[0], "")
    name = asked.header("originator") or name
    lowered = name.strip().lower()
    known = next((title for sign, title in _KNOWN.items() if lowered.startswith(sign)), name.strip())
    return f"{known} {version}".strip()[:_LONGEST]


def conversation(asked: LoopbackRequest, served: Served) -> str:
    """Return the client's own id, else a hash of the system text and the first message of the user."""
    for header in SESSION_HEADERS:
        if value := asked.header(header).strip():
            return value[:_LONGEST]
    messages = served.request.messages
    first = next((message.text for message in messages if message.role == "user"), "")
    system = next((message.text for message in messages if message.role == "system"), "")
    return hashlib.sha256(f"{system}\x00{first}".encode(errors="replace")).hexdigest()[:16]
