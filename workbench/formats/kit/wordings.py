"""A pattern as a table of its alternatives, each with an example that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Wording(NamedTuple):
    """One of the alternatives of a pattern."""

    regex: str
    example: str
    """What this alternative finds, and no other one of its table."""


def any_wording(wordings: Iterable[Wording]) -> str:
    """Return a regex for any of them."""
    return "|".join(f"(?:{wording.regex})" for wording in wordings)
