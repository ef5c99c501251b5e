from __future__ import annotations

import json
import subprocess
import tomllib

import pytest

from workbench.core.events import ClientRequest
from workbench.gateway.client_settings import CLIENTS, last_seen, settings_text
from workbench.gateway.conversations import Conversation, ExchangeSeen

URL = "http://127.0.0.1:8000"


def environment(text: str) -> dict[str, str]:
    """What a shell makes of the lines."""
    lines = [line for line in text.splitlines() if line.startswith("export ")]
    done = subprocess.run(["sh", "-c", "; ".join([*lines, "env"])], capture_output=True, text=True, env={}, check=True)
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def test_claude_code_is_set_up_by_the_environment() -> None:
    found = environment(settings_text("claude_code", URL, "tok", "it's a model"))
    assert found["ANTHROPIC_BASE_URL"] == URL
    assert found["ANTHROPIC_AUTH_TOKEN"] == "tok"
    assert found["ANTHROPIC_MODEL"] == "it's a model"


def test_codex_is_set_up_by_its_configuration() -> None:
    found = tomllib.loads(settings_text("codex", URL, "tok", 'a "model"'))
    assert found["model"] == 'a "model"'
    provider = found["model_providers"][found["model_provider"]]
    assert (provider["base_url"], provider["wire_api"]) == (f"{URL}/v1", "responses")


def test_opencode_is_set_up_by_its_configuration() -> None:
    provider = json.loads(settings_text("opencode", URL, "", "m"))["provider"]["workbench"]
    assert provider["options"] == {"baseURL": f"{URL}/v1", "apiKey": "none-needed"}
    assert "m" in provider["models"]


def test_sdks_are_set_up_by_the_environment() -> None:
    found = environment(settings_text("sdk", URL, "tok", "m"))
    assert (found["OPENAI_BASE_URL"], found["ANTHROPIC_BASE_URL"]) == (f"{URL}/v1", URL)


@pytest.mark.parametrize("model", ["m", "it's"])
def test_curl_sends_one_request(model: str) -> None:
    text = settings_text("curl", URL, "tok", model).replace("curl ", "printf '%s\\n' ", 1)
    words = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True).stdout.splitlines()
    assert words[0] == f"{URL}/v1/chat/completions"
    assert json.loads(words[-1])["model"] == model


def test_a_client_is_seen_by_the_name_of_its_requests() -> None:
    conversation = Conversation("a")
    for at, name in enumerate(("Claude Code 2.1", "OpenAI SDK 1", "Anthropic SDK 1", "unknown 1")):
        conversation.add(ExchangeSeen("", ClientRequest("anthropic_messages", "m", client=name), "P/m", "x", at))
    found = {kind.key: last_seen(kind.key, [conversation]) for kind in CLIENTS}
    assert {key: seen and seen.client.client for key, seen in found.items()} == {
        "claude_code": "Claude Code 2.1", "codex": None, "opencode": None, "sdk": "Anthropic SDK 1", "curl": None,
    }  # fmt: skip
