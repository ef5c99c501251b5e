"""Replies of a Parquet file read again: throughput per core of processes against one process alone (budget: 0.9).

python tests/bench/jobs.py [ROWS]

Processor time is measured inside of each piece, wall time around all of them: on a machine that others use too, the
first one is the answer.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyarrow as arrow
from pyarrow import parquet

from workbench.cli.parse_parquet import RowGroup, answer_piece
from workbench.cli.parse_rows import RowDefaults
from workbench.jobs import executor_on

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'
PROSE = "It is clear in Rome, with a light wind from the west and about nineteen degrees in the afternoon. " * 4
GROUP = 5_000


class Taken(NamedTuple):
    """One piece."""

    rows: int
    cpu_s: float


def timed_piece(piece: RowGroup) -> Taken:
    """Do a piece and measure it; called in whichever process."""
    begun = time.process_time()
    found = answer_piece(RowDefaults("qwen_xml"), piece)
    return Taken(found.rows, time.process_time() - begun)


def write_replies(path: Path, rows: int) -> None:
    """Every third one is plain text, the others hold a call. One row group is held at a time, however many there are."""
    with parquet.ParquetWriter(path, arrow.schema([("raw", arrow.string())])) as file:
        for start in range(0, rows, GROUP):
            numbers = range(start, min(start + GROUP, rows))
            raw = [PROSE if number % 3 == 0 else f"{PROSE}{CALL}" for number in numbers]
            file.write_table(arrow.table({"raw": raw}))


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "in.parquet"
        write_replies(source, rows)
        pieces = [RowGroup(str(source), group, str(folder / f"{group}.parquet")) for group in range(-(-rows // GROUP))]
        walls, cpus = [], []
        for place in ("", f"local:{cores}"):
            with executor_on(place) as executor:
                list(executor.map(timed_piece, pieces[: executor.workers]))  # processes start and import
                begun = time.perf_counter()
                taken = list(executor.map(timed_piece, pieces))
                walls.append(rows / (time.perf_counter() - begun) / executor.workers)
                cpus.append(rows / sum(piece.cpu_s for piece in taken))
    print(f"{rows:,} replies, {cores} cores, {os.getloadavg()[0]:.1f} programs want them")
    for title, (alone, each) in {"wall": walls, "processor": cpus}.items():
        print(
            f"{title:>9} time: {alone:9,.0f}/s alone {each:9,.0f}/s a core with {cores} processes, ratio {each / alone:.2f}"
        )
    print("budget: ratio ≥ 0.9")


if __name__ == "__main__":
    main()
