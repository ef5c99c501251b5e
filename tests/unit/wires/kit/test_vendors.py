"""Deviations of known vendors, by host and model."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.kit.tree import PACKAGE
from workbench.core.exchange import Endpoint
from workbench.settings.presets import list_presets
from workbench.wires.kit.vendors import _vendor, host_of, resolved


def quirks(base: str, model: str = "m", wire: str = "openai_chat", **own: Any) -> dict[str, Any]:
    return resolved(Endpoint("p", wire, base, quirks=own), model).quirks


@pytest.mark.parametrize(
    ("base", "model", "wanted"),
    [
        ("https://api.openai.com/v1", "gpt-4.1", {"max_tokens_field": "max_completion_tokens", "call_id": "forty"}),
        ("https://RES.openai.azure.com/openai/v1", "o3", {"auth_header": "api-key", "no_stop": True, "no_temperature": True}),
        ("https://api.openai.com/v1", "GPT-5-mini", {"no_stop": True, "no_temperature": True}),
        ("https://api.mistral.ai/v1", "m", {"call_id": "nine", "seed_field": "random_seed", "no_stream_options": True}),
        ("https://api.x.ai/v1", "grok-4", {"no_stop": True, "reasoning_field": "reasoning_content"}),
        ("https://api.moonshot.cn/v1", "m", {"reasoning_field": "reasoning_content"}),
        ("https://openrouter.ai/api/v1", "m", {"reasoning_field": "reasoning"}),
        ("https://api.groq.com/openai/v1", "qwen/qwen3-32b", {"no_names": True, "efforts": ["none", "default"]}),
    ],
)  # fmt: skip
def test_host_and_model_tell_the_deviations(base: str, model: str, wanted: dict[str, Any]) -> None:
    assert wanted.items() <= quirks(base, model).items()


def test_other_models_and_hosts_have_none_of_them() -> None:
    assert "no_stop" not in quirks("https://api.openai.com/v1", "gpt-5-chat-latest")
    assert "no_stop" not in quirks("https://api.x.ai/v1", "grok-4-non-reasoning")
    for base in ("https://api.openai.com.evil.test/v1", "http://127.0.0.1:8000/v1", "http://[bad", ""):
        assert quirks(base, "gpt-5") == {}
    runtime, other = "https://bedrock-runtime.eu-west-1.amazonaws.com", "https://x.execute-api.eu-west-1.amazonaws.com"
    assert quirks(runtime, wire="anthropic_messages")["framed"] is True
    assert quirks(other, wire="anthropic_messages") == {}
    assert "max_tokens_field" not in quirks("https://api.openai.com/v1", "m", "openai_responses")
    assert host_of("http://[bad") == ""


def test_own_quirks_win() -> None:
    assert quirks("https://api.openai.com/v1", "gpt-5", no_stop=False)["no_stop"] is False


def test_no_wire_names_a_vendor_host() -> None:
    hosts = {host for preset in list_presets() for host in (*preset.hosts, host_of(preset.base_url)) if "." in host}
    hosts -= {"127.0.0.1"}
    found = [
        f"{path.name}: {host}"
        for path in sorted((PACKAGE / "wires").rglob("*.py"))
        for host in hosts
        if re.search(rf"[\"'][^\"'\n]*{re.escape(host)}[\"']", path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_a_vendor_without_deviations_has_none() -> None:
    plain = _vendor({"wire": "w", "base_url": "https://h.test/v1"})
    assert (plain.hosts, plain.quirks, plain.models) == (("h.test",), {}, ())
    assert _vendor({"wire": "w", "base_url": "https://{place}.test/v1"}).hosts == ()
    assert _vendor({"wire": "w", "base_url": "https://{place}.test/v1", "hosts": ["a", "b"]}).hosts == ("a", "b")
