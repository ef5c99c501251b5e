"""What a file of others gives, one after the other: cases, recorded replies, rows that are bad, and what has no place here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.imports.recorded import RecordedReply
from workbench.imports.rows import BadRow

if TYPE_CHECKING:
    from workbench.core.case import Case


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case for a suite."""

    case: Case
    suite: str
    """The suite that it belongs to, if nobody says another."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that cannot be carried, in words; the same words are counted."""

    what: str


Item = NewCase | RecordedReply | BadRow | LeftOut
Advance = Callable[[int], object]
"""Told of bytes as they are read."""


def _nothing_known(_suite: str) -> Mapping[str, Case]:
    return {}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user says beside the files."""

    suite: str = ""
    """Suite of the cases; empty: what the file says."""
    model: str = ""
    """Model of the replies; empty: what the file says."""
    format: str = ""
    """Format of the replies; empty: what the row says, else chosen by what they look like."""
    known: Callable[[str], Mapping[str, Case]] = field(default=_nothing_known)
    """Cases of the user's suites by id, for results that do not bring their own."""
