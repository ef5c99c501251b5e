"""What only SQLite can do, part two of two: the search index is a table of FTS5.

It keeps no copy of the texts. A row's id is the run's number, so the newest matches come first without sorting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, column, select, table, text

from workbench.store.schema import runs
from workbench.store.search import COLUMNS, LONGEST, Phrase, SearchTexts, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Engine, Select

_INDEX = table("run_text", column("rowid"), column("run_text"))
_BINDS = ", ".join(f":{name}" for name in COLUMNS)


class SqliteSearch:
    """Implements `search.SearchIndex`."""

    counts_together = False
    """Several columns would be sorted; one is counted along its index."""

    def create(self, connection: Connection) -> None:
        """Make the virtual table."""
        connection.execute(text(f"CREATE VIRTUAL TABLE run_text USING fts5({', '.join(COLUMNS)}, content = '')"))

    def add(self, connection: Connection, number: int, texts: SearchTexts) -> None:
        """Put a run into the index."""
        connection.execute(
            text(f"INSERT INTO run_text(rowid, {', '.join(COLUMNS)}) VALUES (:number, {_BINDS})"),
            _values(number, texts),
        )

    def remove(self, connection: Connection, number: int, texts: SearchTexts) -> None:
        """Take a run out of the index, word by word."""
        connection.execute(
            text(f"INSERT INTO run_text(run_text, rowid, {', '.join(COLUMNS)}) VALUES ('delete', :number, {_BINDS})"),
            _values(number, texts),
        )

    def matching(self, phrases: Sequence[Phrase]) -> Select[tuple[int]]:
        """Numbers of the runs that have all phrases."""
        return select(_INDEX.c.rowid).where(_matches(phrases))

    def over(
        self,
        engine: Engine,  # noqa: ARG002  as PostgreSQL needs it
        columns: Sequence[Any],
        phrases: Sequence[Phrase],
        where: ColumnElement[bool],  # noqa: ARG002
    ) -> tuple[Select[Any], ColumnElement[int]]:
        """The index comes first: its rows are in order, and the page is found without sorting."""
        hits = _INDEX.join(runs, runs.c.number == _INDEX.c.rowid)
        return select(*columns).select_from(hits).where(_matches(phrases)), _INDEX.c.rowid

    def lacking(self, phrase: Phrase, *, counted: bool = False) -> ColumnElement[bool]:  # noqa: ARG002
        """Not among the matches."""
        return runs.c.number.not_in(self.matching([phrase]))

    def ways(
        self,
        engine: Engine,
        phrases: Sequence[Phrase],
        before: int | None,  # noqa: ARG002
        where: ColumnElement[bool],
    ) -> Iterator[tuple[Select[Any], ColumnElement[int]]]:
        """One way: the newest matches come first by themselves."""
        yield self.over(engine, [runs], phrases, where) if phrases else (select(runs), runs.c.number)

    def among(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """They are gathered once, and runs are held against them: looking up each of many takes longer than a walk."""
        return (runs.c.number + 0).in_(numbers)

    def outside(self, numbers: Select[tuple[int]]) -> ColumnElement[bool]:
        """They are gathered once."""
        return runs.c.number.not_in(numbers)


def _values(number: int, texts: SearchTexts) -> dict[str, object]:
    return {"number": number} | {name: spaced(value[:LONGEST]) for name, value in texts._asdict().items()}


def _matches(phrases: Sequence[Phrase]) -> ColumnElement[bool]:
    question: BindParameter[str] = bindparam(None, " AND ".join(map(_quoted, phrases)))
    return _INDEX.c.run_text.op("MATCH", is_comparison=True)(question)


def _quoted(phrase: Phrase) -> str:
    marks = []
    for value in phrase.texts:
        words = spaced(value).replace('"', '""').strip()
        mark = f'"{words}" *' if words[-1:].isalnum() else f'"{words}"'
        marks.append(f"{phrase.column} : {mark}" if phrase.column else mark)
    return f"({' OR '.join(marks)})" if phrase.others else marks[0]
