from __future__ import annotations

import pytest

from workbench.gateway.access import allowed, new_token
from workbench.loopback import LoopbackRequest


@pytest.mark.parametrize(
    ("headers", "query", "passes"),
    [
        ({"authorization": "Bearer secret"}, "", True),
        ({"authorization": "bearer  secret "}, "", True),
        ({"x-api-key": "secret"}, "", True),
        ({"api-key": "secret"}, "", True),
        ({"x-goog-api-key": "secret"}, "", True),
        ({}, "alt=sse&key=secret", True),
        ({"authorization": "Basic secret"}, "", False),
        ({"authorization": "Bearer secret2"}, "", False),
        ({"x-api-key": "sécret"}, "", False),
        ({}, "", False),
    ],
)
def test_token_places(headers: dict[str, str], query: str, passes: bool) -> None:
    assert allowed(LoopbackRequest("GET", "/", query, headers), "secret") is passes


def test_no_token_allows_all_requests() -> None:
    assert allowed(LoopbackRequest("GET", "/"), "")


def test_tokens_are_new_every_time() -> None:
    made = {new_token() for _ in range(50)}
    assert len(made) == 50
    assert min(map(len, made)) >= 32
