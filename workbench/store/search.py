"""Full-text search over prompts, answers, calls, results and raw text: what is looked for, whoever keeps the index.

How the index is kept differs between the databases: `sqlite_search.py` and `postgres_search.py`. Both cut texts into the same
words: letters and digits without accents and case; scripts without spaces (Chinese, Japanese, Thai) into single characters, so that a
phrase of them is found anywhere in a text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Engine, Select

COLUMNS = ("prompt", "answer", "tools", "arguments", "results", "raw")
LONGEST = 262_144
"""Characters of one text that are indexed."""
UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")


class SearchTexts(NamedTuple):
    """What of a run can be searched."""

    prompt: str = ""
    answer: str = ""
    tools: str = ""
    arguments: str = ""
    results: str = ""
    raw: str = ""


class Phrase(NamedTuple):
    """Words that must stand beside each other; the last one may go on."""

    text: str
    column: str = ""
    """One of COLUMNS, or any."""
    others: tuple[str, ...] = ()
    """Further texts, each as good as the first: one question to the index, not one a text."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return (self.text, *self.others)


class SearchIndex(Protocol):
    """The index of one kind of database."""

    counts_together: bool
    """Whether one walk that counts by several columns is quicker than one for each."""

    def create(self, connection: Connection) -> None:
        """Make the index of revision 1. A different one is another function and another migration."""

    def add(self, connection: Connection, number: int, texts: SearchTexts) -> None:
        """Put a run into the index, once."""

    def remove(self, connection: Connection, number: int, texts: SearchTexts) -> None:
        """Take a run out of the index; the texts must be those that went in."""

    def matching(self, phrases: Sequence[Phrase]) -> Select[tuple[int]]:
        """Numbers of the runs that have all phrases."""

    def lacking(self, phrase: Phrase, *, counted: bool = False) -> ColumnElement[bool]:
        """Condition on a row of `runs`: it does not have the phrase. `counted`: all runs are looked at, not a page of them."""

    def over(
        self, engine: Engine, columns: Sequence[Any], phrases: Sequence[Phrase], where: ColumnElement[bool]
    ) -> tuple[Select[Any], ColumnElement[int]]:
        """A query for columns of all runs that have all phrases, and the number to order it by. `where` is what else a run must
        meet; whoever asks adds it."""

    def ways(
        self, engine: Engine, phrases: Sequence[Phrase], before: int | None, where: ColumnElement[bool]
    ) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """The same for the newest runs before a number, also without a phrase: queries for older and older runs, to be asked until
        a page is full; together they leave nothing out. `where` as in `over`."""

    def among(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """Condition on a row of `runs`: its number is one of these, of which there may be many."""

    def outside(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """Condition on a row of `runs`: its number is none of these, of which there may be many."""


def spaced(value: str) -> str:
    """A text with its characters of unspaced scripts as words of their own."""
    return UNSPACED.sub(r" \1 ", storable(value))
