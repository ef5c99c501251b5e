"""What only PostgreSQL can do, part two of two: the search index is a table of word lists (`tsvector`) under a GIN index.

The words are cut here, not by the server's parser, which takes paths and addresses for one word: a phrase finds the same runs
as in SQLite. A word list holds at most 1 MiB and 16,383 positions, so that a long text is several rows that overlap.

The index gives all matches or none, in no order: quick for rare words, slow for those that half of the runs have. So the newest
runs are looked at one by one; what is found there says whether the index or a walk down the runs is the shorter way to a page.
Of a rare phrase of frequent words the index knows only the words, and leads to nearly every word list. So it is not asked: where the
filter leaves many runs, the lists themselves are read, which workers share.

The server guesses how many runs a filter leaves, and where the guess is too high it walks down a million runs by their numbers, one
by one, for a page that is never filled. So it is asked in steps: for the newest runs, where most pages are full at once, and last for
the rest, in a way that workers share.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    any_,
    case,
    cast,
    column,
    exists,
    false,
    func,
    literal,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY, array

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
NEAR = (20_000, 200_000)
"""So many of the newest runs are looked at by their numbers, one by one, before the rest."""
FEW = 30_000
"""Runs that a filter leaves, up to which all of them are looked at one by one."""
SAMPLE = 4_000
"""Runs from which is guessed how far down a page of a rare phrase reaches."""
REACH = (0.7, 1.0, 1.4)
"""How far down the word lists are read for a page, as a multiple of where the sample lets it end."""
WORTH = 0.6
"""Of all runs: up to this part steps are shorter than reading all lists."""
PAGE = 256
"""Runs that are asked for at once."""
FREQUENT = 50
"""Matches among the newest from which all word lists are looked at for a count: one in twenty."""

_INDEX = table("run_text", column("number"), column("field"), column("words"))
_WORD = re.compile(r"[^\W_]+")


class PostgresSearch:
    """Implements `search.SearchIndex`."""

    counts_together = True
    """Workers share the walk, and there are far fewer combinations than runs."""

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

    def over(
        self, engine: Engine, columns: Sequence[Any], phrases: Sequence[Phrase], where: ColumnElement[bool]
    ) -> tuple[Select[Any], ColumnElement[int]]:
        """Runs whose number is among the matches. What many runs have is quicker found in the word lists themselves, by several
        workers, than by an index that knows no order."""
        with engine.connect() as connection:
            top = connection.execute(select(func.max(runs.c.number))).scalar() or 0
            frequent = [phrase for phrase in phrases if _is_frequent(connection, phrase, top)]
            common = [phrase for phrase in frequent if _is_common(connection, phrase, top)]
            rare = [phrase for phrase in phrases if phrase not in frequent]
            seldom = [phrase for phrase in frequent if phrase not in common]
            few = _few(connection, where, top) if seldom and not rare else None
        query = select(*columns).select_from(runs)
        for phrase in common:
            query = query.where(runs.c.number.in_(select(_INDEX.c.number).where(_looked_at(phrase))))
        if rare:
            query = query.where(runs.c.number == self._any_of(rare), *map(_holds, seldom))
        elif few is not None:
            query = query.where(_one_of(few), *map(_holds, seldom))
        elif seldom:
            query = query.where(*_found_in_lists(seldom))
        return query, runs.c.number

    def _any_of(self, phrases: Sequence[Phrase]) -> ColumnElement[Any]:
        """As one list: the server thinks of any beginning of a word as common, and would walk through all runs."""
        return any_(func.array(self.matching(phrases).scalar_subquery()))

    def lacking(self, phrase: Phrase, *, counted: bool = False) -> ColumnElement[bool]:
        """No row of the run has it. Where runs are counted, they come in any order, and the lists of each one would be read from
        another place of the disk: there the server weighs that against reading all lists once."""
        if not counted:
            return ~_holds(phrase)
        return ~exists(select(1).where(_INDEX.c.number == runs.c.number, _looked_at(phrase)).correlate(runs))

    def ways(
        self, engine: Engine, phrases: Sequence[Phrase], before: int | None, where: ColumnElement[bool]
    ) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """By the index where a phrase is rare, by what the newest have; else down the runs."""
        newest = select(func.max(runs.c.number))
        with engine.connect() as connection:
            top = connection.execute(newest if before is None else newest.where(runs.c.number < before)).scalar() or 0
            common = [phrase for phrase in phrases if _is_common(connection, phrase, top)]
            others = [phrase for phrase in phrases if phrase not in common]
            frequent = [phrase for phrase in others if _is_frequent(connection, phrase, top)]
        query = select(runs).where(*map(_holds, common))
        if rare := [phrase for phrase in others if phrase not in frequent]:
            yield query.where(*map(_holds, frequent), runs.c.number == self._any_of(rare)), runs.c.number
        elif frequent:
            yield from self._ways_of_frequent(engine, query, frequent, top, where)
        elif phrases:  # no worker shares what looks at each run
            yield query, runs.c.number
        else:
            yield from _ways_down(query, top)

    def _ways_of_frequent(
        self, engine: Engine, query: Select[Any], frequent: Sequence[Phrase], top: int, where: ColumnElement[bool]
    ) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """Phrases that few runs have, of words that many have."""
        with engine.connect() as connection:
            few = _few(connection, where, top)
            likely = few is None and _share(connection, and_(*map(_holds, frequent)), top) * _share(
                connection, where, top
            )
        if few is not None:
            yield query.where(_one_of(few), *map(_holds, frequent)), runs.c.number
            return
        left = top
        for near in [int(PAGE * reach / likely) for reach in REACH] if likely else ():
            if near > top * WORTH:
                break
            first, *more = frequent
            place = _INDEX.c.number > top - near, _INDEX.c.number <= left
            yield query.where(_listed(_looked_at(first), *place), *map(_holds, more)), runs.c.number
            left = top - near
        if left > 0:
            yield query.where(*_found_in_lists(frequent, _INDEX.c.number <= left)), runs.c.number

    def among(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """The server knows how many there are."""
        return runs.c.number.in_(numbers)

    def outside(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """As a join: more numbers than its memory holds would be looked through for each run."""
        found = numbers.subquery()
        (number,) = found.columns
        return ~exists(select(number).where(number == runs.c.number).correlate(runs))


def _ways_down(query: Select[Any], top: int) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
    """Without a phrase."""
    left = top
    for near in NEAR:
        yield query.where(runs.c.number > top - near, runs.c.number <= left), runs.c.number
        left = top - near
    if left > 0:  # ordered by a sum, which has no index to walk down
        yield query.where(runs.c.number <= left), runs.c.number + 0


def word_rows(number: int, texts: SearchTexts) -> Iterator[tuple[int, int, int, str]]:
    """Rows of a run: its number, the text's place in COLUMNS, the part of the text, the word list."""
    for field, value in enumerate(texts):
        for part, words in enumerate(_word_lists(value[:LONGEST])):
            yield number, field, part, words


def _has(phrase: Phrase, joint: str = " <-> ") -> ColumnElement[bool]:
    marks = [mark for value in phrase.texts if (mark := _mark(value, joint))]
    if not marks:
        return false()
    found: ColumnElement[bool] = _INDEX.c.words.op("@@", is_comparison=True)(cast(literal(" | ".join(marks)), TSQUERY))
    return and_(found, _INDEX.c.field == COLUMNS.index(phrase.column)) if phrase.column else found


def _mark(value: str, joint: str) -> str:
    words = _words(value)[:OVERLAP]
    mark = joint.join(f"'{word}'" for word in words) + (":*" if words and value.rstrip()[-1:].isalnum() else "")
    return f"({mark})" if mark else ""


def _looked_at(phrase: Phrase) -> ColumnElement[bool]:
    """`_has`, hidden from the index; the server takes it for something that every second list has."""
    return func.coalesce(_has(phrase), false())


def _found_in_lists(phrases: Sequence[Phrase], *place: ColumnElement[bool]) -> Iterator[ColumnElement[bool]]:
    """Conditions on a row of `runs`: it is among those that the word lists of a place give for phrases that few have."""
    first, *more = phrases
    # hidden, too, but taken for one list in 200: workers share the reading
    yield _listed(case((_has(first), 1), else_=0) == 1, *place)
    yield from map(_holds, more)


def _listed(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Condition on a row of `runs`: it is one of those whose word lists meet all."""
    return runs.c.number == any_(func.array(select(_INDEX.c.number).where(*conditions).scalar_subquery()))


def _one_of(numbers: Sequence[int]) -> ColumnElement[bool]:
    """Condition on a row of `runs`."""
    return runs.c.number == any_(cast(numbers, ARRAY(Integer)))


def _holds(phrase: Phrase, joint: str = " <-> ") -> ColumnElement[bool]:
    """Condition on a row of `runs`, looked at run by run: the server would ask the index for all runs there are."""
    inside = select(_INDEX.c.number).where(_INDEX.c.number == runs.c.number, _has(phrase, joint)).correlate(runs)
    return exists(inside.offset(0))


def _is_common(connection: Connection, phrase: Phrase, top: int) -> bool:
    return _among_newest(connection, _holds(phrase), top, COMMON)


def _is_frequent(connection: Connection, phrase: Phrase, top: int) -> bool:
    """By its words in any order: the index knows no more of a phrase."""
    return _among_newest(connection, _holds(phrase, " & "), top, FREQUENT)


def _few(connection: Connection, where: ColumnElement[bool], top: int) -> list[int] | None:
    """Numbers of the runs that a filter leaves, whatever their words; None where there are many."""
    left = select(runs.c.number).where(where, runs.c.number <= top).limit(FEW + 1).subquery()
    numbers = func.coalesce(func.array_agg(left.c.number), cast(array([]), ARRAY(Integer)))
    query = select(case((func.count() <= FEW, numbers))).select_from(left)
    return connection.execute(query).scalar_one()  # type: ignore[no-any-return]


def _among_newest(connection: Connection, holds: ColumnElement[bool], top: int, least: int) -> bool:
    """Whether so many have it."""
    newest = select(runs.c.number).where(runs.c.number > top - NEWEST, runs.c.number <= top, holds).limit(least)
    return connection.execute(select(func.count()).select_from(newest.subquery())).scalar_one() == least


def _share(connection: Connection, holds: ColumnElement[bool], top: int) -> float:
    """Which part of the newest has it."""
    query = select(func.count()).select_from(runs)
    found = connection.execute(query.where(runs.c.number > top - SAMPLE, runs.c.number <= top, holds)).scalar_one()
    return float(found / SAMPLE)


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
