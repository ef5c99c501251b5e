"""`workbench parse --batch FILE.parquet --out DIR`: millions of replies, piece by piece, here or on a cluster.

Columns in: `raw` (text), and if wanted `id`, `format`, `tools` (JSON text), `finish_reason`, `policy`. Columns out: `id`, `format`, `text`,
`reasoning`, `calls` and `problems` (JSON text, as in the rows of a batch), `error`. A piece is a row group of the file; it becomes
one file of the folder, written whole. What stands there already is not done again, so that an interrupted job goes on.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.cli.parse_rows import WHO, RowDefaults, answer_row, plugin_faults
from workbench.core.errors import InvalidInput, MissingLibrary, WorkbenchError, cause_of
from workbench.core.json_text import parse_json
from workbench.core.whole_files import opened_file
from workbench.jobs import executor_on

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = ("id", "format", "tools", "finish_reason", "policy", "raw")


class RowGroup(NamedTuple):
    """One row group of a file."""

    source: str
    group: int
    target: str
    """The file that it becomes."""


class Sum(NamedTuple):
    """What pieces came to."""

    rows: int = 0
    calls: int = 0
    problems: int = 0
    errors: int = 0

    def __add__(self, other: Any) -> Sum:
        return Sum(*(one + more for one, more in zip(self, other, strict=True)))


def parse_parquet(source: str, out: str, defaults: RowDefaults, place: str) -> int:
    """Answer the rows of a Parquet file; return the exit code. Raise InvalidInput or MissingLibrary."""
    if not out:
        raise InvalidInput("Where do the answers go?", hint="Give --out DIR; Parquet does not go to the terminal.")
    pieces = _pieces(source, out)
    waiting = [piece for piece in pieces if not _exists(piece.target)]
    done, total = len(pieces) - len(waiting), Sum()
    try:
        with executor_on(place) as executor:
            for result in executor.map(partial(answer_piece, defaults), waiting):
                total, done = total + result, done + 1
                print(f"\r{WHO}: {done} of {len(pieces)} pieces", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)
    had = (
        f" ({len(pieces) - len(waiting)} of {len(pieces)} pieces were there already)"
        if len(waiting) < len(pieces)
        else ""
    )
    print(
        f"{total.rows} rows: {total.calls} calls, {total.problems} problems, {total.errors} unreadable rows; in {out}{had}"
    )
    return 0


def answer_piece(defaults: RowDefaults, piece: RowGroup) -> Sum:
    """Read a row group, answer its rows, write their file; done by whichever process."""
    plugin_faults(defaults.home)
    parquet, files = _library("pyarrow.parquet"), _library("fsspec")
    with files.open(piece.source, "rb") as opened:
        file = parquet.ParquetFile(opened)
        names = [name for name in COLUMNS if name in file.schema_arrow.names]
        rows = file.read_row_group(piece.group, columns=names).to_pylist()
    answers = [_answer(row, defaults) for row in rows]
    table = _library("pyarrow").Table.from_pylist(answers, schema=_schema())
    system, path = files.core.url_to_fs(piece.target)
    part = f"{path}.part"
    with system.open(part, "wb") as written:
        parquet.write_table(table, written, compression="zstd")
    system.mv(part, path)
    counts = [(row["calls"].count('"outcome"'), parse_json(row["problems"])) for row in answers]
    return Sum(
        len(rows),
        sum(calls for calls, _ in counts),
        sum(len(found) for _, found in counts),
        sum(bool(row["error"]) for row in answers),
    )


def _answer(row: dict[str, Any], defaults: RowDefaults) -> dict[str, Any]:
    told = {name: value for name, value in row.items() if value is not None}
    ident = told.get("id")
    try:
        if isinstance(told.get("tools"), str):
            told["tools"] = parse_json(told["tools"])
        if told.get("format", defaults.format) == "all":
            raise InvalidInput("'all' has no place in a table.", hint="Name a format, or auto.")
        found = answer_row(told, defaults)
    except (WorkbenchError, ValueError, RecursionError) as error:
        found = {
            "format": told.get("format"),
            "text": "",
            "reasoning": "",
            "calls": [],
            "problems": [],
            "error": str(error),
        }
    lists = {name: json.dumps(found[name], ensure_ascii=False) for name in ("calls", "problems")}
    return {**found, **lists, "id": None if ident is None else str(ident), "error": found.get("error")}


def _schema() -> Any:
    arrow = _library("pyarrow")
    return arrow.schema(
        [(name, arrow.string()) for name in ("id", "format", "text", "reasoning", "calls", "problems", "error")]
    )


def _pieces(source: str, out: str) -> Sequence[RowGroup]:
    parquet, files, arrow = _library("pyarrow.parquet"), _library("fsspec"), _library("pyarrow")
    try:
        if Path(source).exists():
            opened_file(Path(source)).close()  # places in a cloud are no files here
        with files.open(source, "rb") as opened:
            file = parquet.ParquetFile(opened)
            groups, names = file.num_row_groups, file.schema_arrow.names
        system, path = files.core.url_to_fs(out)
        system.makedirs(path, exist_ok=True)
    except (OSError, ValueError, arrow.ArrowException) as error:
        raise InvalidInput(
            f"{source!r} cannot be read into {out!r}: {cause_of(error)}.",
            hint="Is it a Parquet file, and the target a folder?",
        ) from error
    if "raw" not in names:
        raise InvalidInput(f"{source!r} has no column 'raw'.", hint=f"It has: {', '.join(names)}.")
    return [RowGroup(source, group, f"{out.rstrip('/')}/part-{group:06}.parquet") for group in range(groups)]


def _exists(target: str) -> bool:
    system, path = _library("fsspec").core.url_to_fs(target)
    return bool(system.exists(path))


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingLibrary.of_extra(f"The library {name.partition('.')[0]!r} is not installed.", "parquet") from error
