"""Who may ask: a token in any of the places where clients put a key, compared in constant time."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from workbench.core.secret_values import KEY_HEADERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.loopback import LoopbackRequest

TOKEN_VARIABLE = "WORKBENCH_GATEWAY_TOKEN"
PLACES = "authorization: Bearer …, x-api-key, x-goog-api-key or ?key=…"


def new_token() -> str:
    """Return a token that nobody guesses."""
    return f"wb-{secrets.token_urlsafe(24)}"


def allowed(request: LoopbackRequest, token: str) -> bool:
    """Whether the request carries the token; every request may pass where there is none."""
    if not token:
        return True
    return any(hmac.compare_digest(given.encode(), token.encode()) for given in _given(request))


def _given(request: LoopbackRequest) -> Iterator[str]:
    for name, before in KEY_HEADERS.items():
        given = request.header(name)
        if given[: len(before)].lower() == before.lower():
            yield given[len(before) :].strip()
    yield from parse_qs(request.query).get("key", ())
