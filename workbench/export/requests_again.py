"""What of a recorded request can be sent again by others: headers without the client's own, keys from the environment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.secret_values import KEY_HEADERS

if TYPE_CHECKING:
    from workbench.core.exchange import WireRequest

_OWN = frozenset({"host", "content-length", "connection", "accept-encoding", "user-agent"})
_STARS = re.compile(r"(?<==)\*{4,}(?=&|$)")


class Sendable(NamedTuple):
    """A request to be sent again."""

    method: str
    url: tuple[str, ...]
    """Pieces of the address; between two of them stands the key."""
    headers: tuple[tuple[str, str, bool], ...]
    """Name, value, and whether the key comes after the value."""
    body: bytes


def sendable(request: WireRequest) -> Sendable:
    """Take the masked keys out of a request."""
    headers = []
    for name, value in request.headers:
        lower = name.lower()
        if lower in KEY_HEADERS:
            headers.append((name, KEY_HEADERS[lower], True))
        elif lower not in _OWN:
            headers.append((name, value, False))
    return Sendable(request.method, tuple(_STARS.split(request.url)), tuple(headers), request.body)
