"""A provider's own headers and body fields go out with every request; a secret among them stays out of the record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.wire_server import WireServer, answer, head, served, sse

TOKEN = "tok-5512-qTzW88-9fX2"
HEADERS = {"X-Project": "alpha", "X-Api-Token": TOKEN, "HTTP-Referer": "https://example.org/app"}
REPLY = json.dumps({"choices": [{"index": 0, "delta": {"content": "Hello."}, "finish_reason": "stop"}]})
MODELS = json.dumps({"data": [{"id": "m"}]}).encode()


@pytest.fixture
def server(home: Path):
    """A server of one sentence, configured with headers of its own."""

    def script(request, number):
        return answer(200, MODELS) if request.target.endswith("/models") else [head() + sse(REPLY, "[DONE]")]

    with served(script) as made:
        lines = [
            "[providers.own]",
            f'base_url = "{made.url}"',
            'key = "none"',
            "extra = {service_tier = 'flex'}",
            "[providers.own.headers]",
            *(f'"{name}" = "{value}"' for name, value in HEADERS.items()),
        ]
        home.mkdir()
        (home / "settings.toml").write_text("\n".join(lines) + "\n")
        yield made


def test_headers_of_a_provider_are_sent_and_its_secrets_not_kept(server: WireServer, home: Path) -> None:
    done = workbench("run", "--provider", "own", "--model", "m", "--json", "-q", "hello")
    assert done.code == 0, done.err
    listed = workbench("providers", "models", "own", "--json")
    assert listed.code == 0, listed.err
    asked, models = server.requests
    for request in (asked, models):
        assert {name: request.headers[name.lower()] for name in HEADERS} == HEADERS
    assert json.loads(asked.body)["service_tier"] == "flex"

    shown = workbench("show", "1", "--wire")
    assert "X-Project: alpha" in shown.out
    assert TOKEN not in shown.out + shown.err + done.out + done.err
    for path in home.rglob("*"):
        if path.is_file() and path.name != "settings.toml":
            assert TOKEN.encode() not in path.read_bytes(), path
