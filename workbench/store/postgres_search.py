"""What only PostgreSQL can do, part two of two: the search index is a table of word lists (`tsvector`) under a GIN index.

The words are cut here, not by the server's parser, which takes paths and addresses for one word: a phrase finds the same runs
as in SQLite. A word list holds at most 1 MiB and 16,383 positions, so that a long text is several rows that overlap.

The index gives all matches or none, in no order: quick for rare words, slow for those that half of the runs have. So the newest
runs are looked at one by one; what is found there says whether the index or a walk down the runs is the shorter way to a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, and_, any_, cast, column, exists, false, func, literal, select, table, text
from sqlalchemy.dialects.postgresql import TSQUERY

from workbench.store.schema import runs
from workbench.store.search import COLUMNS, LONGEST, Phrase, SearchTexts, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Engine, Select

PART = 2_000
"""Words of one row: the server remembers 256 places of a word."""
OVERLAP = 32
"""Words that stand in two rows: longer phrases are cut to it."""
LONGEST_WORD = 100
NEWEST = 1_000
"""Runs that are looked at before a way is chosen."""
COMMON = 10
"""Matches among the newest from which a phrase is common: a page of them is 25,000 runs down at most, if they are spread evenly."""

_INDEX = table("run_text", column("number"), column("field"), column("words"))
_WORD = re.compile(r"[^\W_]+")


class PostgresSearch:
    """Implements `search.SearchIndex`."""

    def create(self, connection: Connection) -> None:
        """Make the table and its index."""
        connection.execute(
            text(
                "CREATE TABLE run_text (number integer NOT NULL,"
                " field smallint NOT NULL, part integer NOT NULL, words tsvector NOT NULL,"
                " PRIMARY KEY (number, field, part))"
            )
        )
        connection.execute(text("CREATE INDEX ix_run_text_words ON run_text USING gin (words)"))

    def add(self, connection: Connection, number: int, texts: SearchTexts) -> None:
        """Put a run into the index."""
        names = ("number", "field", "part", "words")
        rows = [dict(zip(names, row, strict=True)) for row in word_rows(number, texts)]
        if rows:
            query = "INSERT INTO run_text VALUES (:number, :field, :part, CAST(:words AS tsvector))"
            connection.execute(text(query), rows)

    def remove(self, connection: Connection, number: int, texts: SearchTexts) -> None:  # noqa: ARG002  as SQLite needs it
        """Take a run out of the index."""
        connection.execute(text("DELETE FROM run_text WHERE number = :number"), {"number": number})

    def matching(self, phrases: Sequence[Phrase]) -> Select[tuple[int]]:
        """Numbers of the runs that have all phrases."""
        first, *others = phrases
        query = select(_INDEX.c.number).where(_has(first)).distinct()
        for phrase in others:
            query = query.where(_INDEX.c.number.in_(select(_INDEX.c.number).where(_has(phrase))))
        return query

    def over(self, columns: Sequence[Any], phrases: Sequence[Phrase]) -> tuple[Select[Any], ColumnElement[int]]:
        """Runs whose number is among the matches."""
        return select(*columns).select_from(runs).where(runs.c.number.in_(self.matching(phrases))), runs.c.number

    def lacking(self, phrase: Phrase) -> ColumnElement[bool]:
        """No row of the run has it."""
        return ~_holds(phrase)

    def ways(
        self, engine: Engine, phrases: Sequence[Phrase], before: int | None
    ) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """One that leaves nothing out: by what the newest have, a walk or the index."""
        newest = select(func.max(runs.c.number))
        with engine.connect() as connection:
            top = connection.execute(newest if before is None else newest.where(runs.c.number < before)).scalar() or 0
            common = all(_is_common(connection, phrase, top) for phrase in phrases)
        if common:
            yield select(runs).where(*map(_holds, phrases)), runs.c.number
        else:  # as one list: the server thinks of any beginning of a word as common, and would walk through all runs
            numbers = self.matching(phrases).scalar_subquery()
            yield select(runs).where(runs.c.number == any_(func.array(numbers))), runs.c.number


def word_rows(number: int, texts: SearchTexts) -> Iterator[tuple[int, int, int, str]]:
    """Rows of a run: its number, the text's place in COLUMNS, the part of the text, the word list."""
    for field, value in enumerate(texts):
        for part, words in enumerate(_word_lists(value[:LONGEST])):
            yield number, field, part, words


def _has(phrase: Phrase) -> ColumnElement[bool]:
    words = _words(phrase.text)[:OVERLAP]
    if not words:
        return false()
    mark = " <-> ".join(f"'{word}'" for word in words) + (":*" if phrase.text.rstrip()[-1:].isalnum() else "")
    found: ColumnElement[bool] = _INDEX.c.words.op("@@", is_comparison=True)(cast(literal(mark), TSQUERY))
    return and_(found, _INDEX.c.field == COLUMNS.index(phrase.column)) if phrase.column else found


def _holds(phrase: Phrase) -> ColumnElement[bool]:
    """Condition on a row of `runs`, looked at run by run: the server would ask the index for all runs there are."""
    inside = select(_INDEX.c.number).where(_INDEX.c.number == runs.c.number, _has(phrase)).correlate(runs)
    return exists(inside.offset(0))


def _is_common(connection: Connection, phrase: Phrase, top: int) -> bool:
    newest = (
        select(runs.c.number).where(runs.c.number > top - NEWEST, runs.c.number <= top, _holds(phrase)).limit(COMMON)
    )
    return connection.execute(select(func.count()).select_from(newest.subquery())).scalar_one() == COMMON


def _words(value: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", spaced(value)).casefold()
    bare = "".join(char for char in plain if not unicodedata.combining(char)) if not plain.isascii() else plain
    return [word[:LONGEST_WORD] for word in _WORD.findall(bare)]


def _word_lists(value: str) -> Iterator[str]:
    """Word lists in the server's own writing: each word with its places."""
    words = _words(value)
    for start in range(0, len(words), PART - OVERLAP):
        places: defaultdict[str, list[str]] = defaultdict(list)
        for place, word in enumerate(words[start : start + PART], 1):
            places[word].append(str(place))
        yield " ".join(f"'{word}':{','.join(found[:256])}" for word, found in places.items())
        if start + PART >= len(words):
            return
