"""What a file of others gives, one after the other: cases, recorded replies, rows that are bad, and what has no place here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.imports.recorded import RecordedReply
from workbench.imports.rows import BadRow, FileRow, read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.case import Case


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case for a suite."""

    case: Case
    suite: str
    """The suite that it belongs to, if nobody says another."""


@dataclass(frozen=True, slots=True)
class NotCarried:
    """Something that cannot be carried, in words; the same words are counted."""

    what: str


Item = NewCase | RecordedReply | BadRow | NotCarried
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


def items_of_rows(
    paths: Sequence[Path], items: Callable[[FileRow, str], Iterable[Item]], advance: Advance
) -> Iterator[Item]:
    """Yield what `items` makes of each row and its file's name; a row that it refuses with InvalidInput is a bad one."""
    for path in paths:
        for row in read_rows(path, advance):
            if isinstance(row, BadRow):
                yield row
                continue
            try:
                yield from items(row, path.stem)
            except InvalidInput as error:
                yield BadRow(row.place, str(error))
