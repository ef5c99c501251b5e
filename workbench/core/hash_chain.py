"""A chain of hashes: each link's hash covers its record and the hash before, so that what was altered or taken out is found.

Evidence of verifications and the records of the history are chained by this one rule. Whoever makes a whole chain anew
cannot be found out by the chain itself, only by its end, noted elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

START = "0" * 64
"""What stands in the place of a hash before the first link."""


def canonical(value: Any) -> str:
    """The one way in which a JSON value is written here."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def digest(text: str) -> str:
    """SHA-256 of a text, 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def short(whole: str) -> str:
    """The beginning of a digest for people: `7c41 9e02`."""
    return f"{whole[:4]} {whole[4:8]}"


def link_hash(number: int, previous: str, record: Any) -> str:
    """The hash of a link, numbered from 1."""
    return digest(canonical({"n": number, "prev": previous, "record": record}))


class Break(StrEnum):
    """What is wrong with a link."""

    ALTERED = "altered"
    """Its hash is not that of its content."""
    OUT_OF_PLACE = "out of place"
    """Another number is due: links were removed, added or moved before it."""
    NO_FOLLOWER = "no follower"
    """It is whole, and follows from another link than the one before: one of the two was made anew."""


@dataclass(slots=True)
class ChainWalk:
    """How far a chain was followed."""

    head: str = START
    """The hash that the next link must follow."""
    due: int = 1
    """The number that the next link must have."""

    def take(self, number: int, previous: str, record: Any, claimed: str) -> Break | None:
        """Take the next link with the hash that it claims; say what is wrong with it."""
        due, head = self.due, self.head
        self.due, self.head = number + 1, claimed
        if link_hash(number, previous, record) != claimed:
            return Break.ALTERED
        if number != due:
            return Break.OUT_OF_PLACE
        return None if previous == head else Break.NO_FOLLOWER
