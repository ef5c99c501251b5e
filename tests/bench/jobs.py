"""Replies of a Parquet file read again: throughput per core of processes against one process alone (budget: 0.9).

python tests/bench/jobs.py [ROWS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyarrow as arrow
from pyarrow import parquet

from workbench.cli.parse_parquet import Piece, answer_piece
from workbench.cli.parse_rows import RowDefaults
from workbench.jobs import executor_on

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'
PROSE = "It is clear in Rome, with a light wind from the west and about nineteen degrees in the afternoon. " * 4
GROUP = 5_000


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "in.parquet"
        raw = [PROSE if number % 3 == 0 else f"{PROSE}{CALL}" for number in range(rows)]
        parquet.write_table(arrow.table({"raw": raw}), source, row_group_size=GROUP)
        pieces = [Piece(str(source), group, str(folder / f"{group}.parquet")) for group in range(-(-rows // GROUP))]
        rates = {}
        for place in ("", f"local:{cores}"):
            with executor_on(place) as executor:
                work = partial(answer_piece, RowDefaults("qwen_xml"))
                list(executor.map(work, pieces[: executor.workers]))  # processes start and import
                begun = time.perf_counter()
                found = sum(result.rows for result in executor.map(work, pieces))
                rates[place] = found / (time.perf_counter() - begun) / executor.workers
    alone, each = rates.values()
    print(f"{rows:,} replies, {cores} cores: {alone:,.0f}/s alone, {each:,.0f}/s a core with {cores} processes")
    print(f"ratio {each / alone:.2f}, budget ≥ 0.9")


if __name__ == "__main__":
    main()
