"""Rows of a long history, straight into the tables of either database: what `history.py` measures."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import make_url

from tests.kit import runs
from workbench.core.events import StepFinished
from workbench.store import Store
from workbench.store.codec import encode_event
from workbench.store.postgres_search import word_rows
from workbench.store.schema import metadata
from workbench.store.search import SearchTexts

MODELS = ("qwen-hasty", "gemma-tiny", "mistral-steady", "llama-plain", "phi-mini")
FORMATS = ("qwen_xml", "gemma_function", "mistral_json", "react", "json_scaffold")
CODES = (
    "parse.truncated",
    "parse.bad_json",
    "loop.guidance_ignored",
    "schema.type",
    "decision.no_answer",
    "loop.iterations",
)
TOOLS = ("get_weather", "read_file", "write_file", "web_search")
WORDS = "weather rome oslo invoice delete folder search config billing report euro list largest file hello".split()


BATCH = 20_000


class Rows(NamedTuple):
    """One batch of runs: rows of each table, and what of each run can be searched."""

    tables: dict[str, list[tuple[Any, ...]]]
    """Parents first."""
    texts: list[tuple[int, str]]


def fill_file(path: Path, rows: int) -> None:
    """Make the history of a file in bulk; every run has one reply."""
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        numbered = dict(enumerate(_names(), 1))
        raw.executemany("INSERT INTO names VALUES (?,?,?)", [(number, *name) for number, name in numbered.items()])
        for batch in _batches(rows):
            for table, found in batch.tables.items():
                raw.executemany(f"INSERT INTO {_head(table, found)} VALUES ({','.join('?' * len(found[0]))})", found)
            texts = [(number, words, words) for number, words in batch.texts]
            raw.executemany("INSERT INTO run_text(rowid, prompt, raw) VALUES (?,?,?)", texts)
            raw.commit()


def fill_server(address: str, rows: int) -> None:
    """The same on a server of PostgreSQL, which gathers its statistics at the end as it does by itself every minute."""
    Store.open(address).close()
    with psycopg.connect(make_url(address).set(drivername="postgresql").render_as_string(False)) as raw:
        numbered = [(number, *name) for number, name in enumerate(_names(), 1)]
        raw.cursor().executemany("INSERT INTO names VALUES (%s,%s,%s)", numbered)
        for batch in _batches(rows):
            for table, found in batch.tables.items():
                _copy(raw, _head(table, found), found)
            words = [row for number, text in batch.texts for row in word_rows(number, SearchTexts(text, raw=text))]
            _copy(raw, "run_text", words)
            raw.commit()
        raw.execute("SELECT setval(pg_get_serial_sequence('runs', 'number'), %s)", (rows,))
        raw.execute("SELECT setval(pg_get_serial_sequence('names', 'id'), %s)", (len(numbered),))
        raw.commit()
        raw.autocommit = True
        raw.execute("VACUUM ANALYZE")


def _head(table: str, rows: list[tuple[Any, ...]]) -> str:
    """A table with the columns that the rows have; later columns keep their default."""
    return f"{table}({','.join(column.name for column in list(metadata.tables[table].columns)[: len(rows[0])])})"


def _copy(raw: psycopg.Connection[Any], head: str, rows: list[tuple[Any, ...]]) -> None:
    with raw.cursor().copy(f"COPY {head} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _names() -> list[tuple[str, str]]:
    kinds = {"model": MODELS, "format": FORMATS, "code": (*CODES, "rare.code"), "tool": TOOLS}
    kinds |= {"provider": ("Simulator",), "wire": ("openai_chat",), "origin": ("try",)}
    return [(kind, name) for kind, names in kinds.items() for name in names]


def _batches(rows: int) -> Iterator[Rows]:
    chance = random.Random(7)
    now = time.time_ns() // 1000
    numbered = {name: number for number, (_, name) in enumerate(_names(), 1)}
    kind, body = next(encode_event(event) for event in runs.make_run("x") if isinstance(event, StepFinished))
    for start in range(1, rows + 1, BATCH):
        made = [_run(chance, number, rows, now, numbered) for number in range(start, min(start + BATCH, rows + 1))]
        numbers = [run[0] for run, _, _ in made]
        tables = {
            "runs": [run for run, _, _ in made],
            "run_details": [details for _, details, _ in made],
            "events": [(number, 5, kind, body, None) for number in numbers],
            "steps": [(number, 0, 5, "executor", "qwen_xml", False, False) for number in numbers],
        }
        yield Rows(tables, [(number, words) for number, (_, _, words) in zip(numbers, made, strict=True)])


def _run(
    chance: random.Random, number: int, rows: int, now: int, numbered: dict[str, int]
) -> tuple[tuple[Any, ...], tuple[Any, ...], str]:
    started = now - (rows - number) * 8_000_000
    verdict = chance.choices(("pass", "fail", "error", "cancelled"), (75, 20, 4, 1))[0]
    codes = f",{numbered[chance.choice(CODES)]}," if verdict in ("fail", "error") else ""
    if number == 17:
        codes = f",{numbered['rare.code']},"
    tools = f",{numbered[chance.choice(TOOLS)]},"
    row = (number, started, None, verdict, "intrinsic", "direct", "answer", numbered["Simulator"])
    row += (numbered[chance.choice(MODELS)], None, numbered[chance.choice(FORMATS)], numbered["openai_chat"])
    row += (numbered["try"], True, codes, tools, chance.randrange(9_000_000), chance.randrange(1, 6), 1, 900, 90)
    words = " ".join(chance.choices(WORDS, k=12)) + (" needle" if number == 23 else "")
    ident = f"0198{number:012x}-0000-7000-8000"
    details = (number, ident, None, "Weather", words, "because", "Simulator/m", "abc", "tolerant", "1", None)
    return row, details, words
