"""What a known client must be told to ask the gateway, ready to be pasted; and when it was last seen.

Claude Code   variables of the environment, Anthropic Messages
Codex         a provider in ~/.codex/config.toml, Responses
opencode      a provider in opencode.json, Chat Completions
SDK           variables that the OpenAI and Anthropic SDKs read
curl          one request
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.gateway.conversations import Conversation, ExchangeSeen


class ClientKind(NamedTuple):
    """A client that settings are known for."""

    key: str
    title: str
    signs: tuple[str, ...]
    """How the names of its requests begin."""


CLIENTS = (
    ClientKind("claude_code", "Claude Code", ("Claude Code",)),
    ClientKind("codex", "Codex", ("Codex",)),
    ClientKind("opencode", "opencode", ("opencode",)),
    ClientKind("sdk", "SDK", ("OpenAI SDK", "Anthropic SDK", "AI SDK", "Google SDK")),
    ClientKind("curl", "curl", ("curl",)),
)


def settings_text(key: str, url: str, token: str, model: str) -> str:
    """Return the settings of a client; without a token any word will do as its key."""
    key_text = token or "none-needed"
    lines: tuple[str, ...]
    match key:
        case "claude_code":
            lines = (
                f"export ANTHROPIC_BASE_URL={url}",
                f"export ANTHROPIC_AUTH_TOKEN={key_text}",
                f"export ANTHROPIC_MODEL={_shell(model)}",
                "claude",
            )
        case "codex":
            lines = (
                f"# ~/.codex/config.toml, then: export WB_KEY={key_text}",
                f"model = {json.dumps(model)}",
                'model_provider = "workbench"',
                "[model_providers.workbench]",
                'name = "Workbench"',
                f'base_url = "{url}/v1"',
                'env_key = "WB_KEY"',
                'wire_api = "responses"',
            )
        case "opencode":
            options = {"baseURL": f"{url}/v1", "apiKey": key_text}
            provider = {
                "npm": "@ai-sdk/openai-compatible", "name": "Workbench", "options": options, "models": {model: {}},
            }  # fmt: skip
            return json.dumps({"provider": {"workbench": provider}}, ensure_ascii=False, indent=1)
        case "sdk":
            lines = (
                f"export OPENAI_BASE_URL={url}/v1",
                f"export OPENAI_API_KEY={key_text}",
                f"export ANTHROPIC_BASE_URL={url}",
                f"export ANTHROPIC_API_KEY={key_text}",
                "# the header x-workbench-run: NAME names a test's runs",
            )
        case _:
            body = json.dumps({"model": model, "messages": [{"role": "user", "content": "Hello"}]}, ensure_ascii=False)
            lines = (
                f"curl {url}/v1/chat/completions \\",
                f"  -H 'authorization: Bearer {key_text}' -H 'content-type: application/json' \\",
                f"  -d {_shell(body, always=True)}",
            )
    return "\n".join(lines)


def _shell(text: str, *, always: bool = False) -> str:
    """A word of a shell."""
    plain = not always and text and all(sign.isalnum() or sign in "-_./:@+" for sign in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def last_seen(key: str, conversations: Iterable[Conversation]) -> ExchangeSeen | None:
    """The newest exchange of a client; None where it was not seen."""
    signs = next(kind.signs for kind in CLIENTS if kind.key == key)
    found = (
        one for conversation in conversations for one in conversation.exchanges if one.client.client.startswith(signs)
    )
    return max(found, key=lambda seen: seen.begun, default=None)
