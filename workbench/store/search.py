"""What only SQLite can do, part two of two: full-text search (FTS5) over prompts, answers, calls, results and raw text.

The index keeps no copy of the texts. A row's id is the run's number, so the newest matches come first without sorting.
Scripts without spaces (Chinese, Japanese, Thai) are cut into single characters, in the index and in the question alike:
a phrase of them is found anywhere in a text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, bindparam, column, select, table, text

from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Select

COLUMNS = ("prompt", "answer", "tools", "arguments", "results", "raw")
LONGEST = 262_144
"""Characters of one text that are indexed."""
UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")

index = table("run_text", column("rowid"), column("run_text"))


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


def create_index(connection: Connection) -> None:
    """Make the index of revision 1. A different one is another function and another migration."""
    connection.execute(text(f"CREATE VIRTUAL TABLE run_text USING fts5({', '.join(COLUMNS)}, content = '')"))


def add_texts(connection: Connection, number: int, texts: SearchTexts) -> None:
    """Put a run into the index, once."""
    connection.execute(
        text(f"INSERT INTO run_text(rowid, {', '.join(COLUMNS)}) VALUES (:number, {_binds()})"), _values(number, texts)
    )


def remove_texts(connection: Connection, number: int, texts: SearchTexts) -> None:
    """Take a run out of the index; the texts must be those that went in."""
    connection.execute(
        text(f"INSERT INTO run_text(run_text, rowid, {', '.join(COLUMNS)}) VALUES ('delete', :number, {_binds()})"),
        _values(number, texts),
    )


def _binds() -> str:
    return ", ".join(f":{name}" for name in COLUMNS)


def _values(number: int, texts: SearchTexts) -> dict[str, object]:
    return {"number": number} | {name: _spaced(value[:LONGEST]) for name, value in texts._asdict().items()}


def _spaced(value: str) -> str:
    return UNSPACED.sub(r" \1 ", storable(value))


def matches(phrases: Sequence[Phrase]) -> ColumnElement[bool]:
    """Whether a row of the index has all phrases."""
    question: BindParameter[str] = bindparam(None, " AND ".join(map(_quoted, phrases)))
    return index.c.run_text.op("MATCH", is_comparison=True)(question)


def matching(phrases: Sequence[Phrase]) -> Select[tuple[int]]:
    """Numbers of the runs that have all phrases."""
    return select(index.c.rowid).where(matches(phrases))


def _quoted(phrase: Phrase) -> str:
    words = _spaced(phrase.text).replace('"', '""').replace("\0", " ").strip()
    mark = f'"{words}" *' if words[-1:].isalnum() else f'"{words}"'
    return f"{phrase.column} : {mark}" if phrase.column else mark
