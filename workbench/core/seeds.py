"""Seeds that any machine derives again from what they belong to."""

from __future__ import annotations

import hashlib


def seed_of(*parts: object) -> int:
    """A seed of one thing among many; positive, 31 bits, as most providers take it. Ids may hold halves of surrogate pairs."""
    text = "|".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big") >> 1
