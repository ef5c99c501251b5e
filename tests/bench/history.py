"""How quickly a long history opens, answers filters and is re-read, beside a yardstick measured in the same run.

    .venv/bin/python tests/bench/history.py [--rows 100000] [--keep FILE.db | --postgres | --at ADDRESS]

The yardstick is the database alone walking once over the narrow table of runs. Processor time (this program's, and that of a
server of this Linux machine with all its workers) tells something also where others use the machine. Budgets are for 1,000,000 runs: the list and
the first page of any filter or search within 300 ms, twice as much on a server of PostgreSQL; 5,000 stored replies a second
for a re-parse, reading included.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.history_rows import fill_file, fill_server  # noqa: E402
from tests.kit.postgres import postgres_cluster  # noqa: E402
from workbench.store import Store  # noqa: E402
from workbench.store.choose_database import database_at  # noqa: E402

BUDGET_MS = 300
"""For a file."""
FILTERS = (
    "",
    "verdict:fail",
    "verdict:cancelled",
    "verdict:fail,error,cancelled since:7d",
    "model:qwen*",
    "model:nobody*",
    "code:parse.*",
    "code:rare.code",
    "tool:web_search verdict:error code:loop.*",
    "steps:>40",
    "-verdict:pass,fail,error,cancelled",
    "weather",
    "weather verdict:fail",
    "needle",
    '"oslo invoice" model:gemma*',
    "-weather verdict:fail",
    "before:2020-01-01",
    "before:90d",
    "verdict:running",
    "-origin:try",
    "id:0198",
    "-id:0198",
    "-target:abc",
    "prompt:weather,needle",
    "weather needle",
    "weather -oslo -invoice -rome -search -list",
    "weather since:1h",
    "weather before:90d",
    '"oslo invoice" before:90d',
    '"oslo invoice rome"',
    '"oslo invoice rome" since:2d',
    '"oslo invoice rome" verdict:fail',
    '"oslo invoice rome" verdict:cancelled',
    '"oslo invoice rome" before:80d',
)


class Taken(NamedTuple):
    """Milliseconds of one question."""

    wall: float
    processor: float


class Meter:
    """Measures questions to one store."""

    def __init__(self, store: Store) -> None:
        self._server = _server_process(store)

    def median(self, action: Callable[[], object], times: int = 5) -> Taken:
        """Middle of several measurements, the first one left out."""
        action()
        walls, processors = [], []
        for _ in range(times):
            begun, used = time.perf_counter(), self._processor_ms()
            action()
            walls.append((time.perf_counter() - begun) * 1000)
            processors.append(self._processor_ms() - used)
        return Taken(statistics.median(walls), statistics.median(processors))

    def _processor_ms(self) -> float:
        """Of this program, of the server's processes, and of its workers that have ended (to 10 ms)."""
        own = time.process_time() * 1000
        if not self._server:
            return own
        ended = sum(map(int, _stat(self._server)[13:15])) * 1000 / os.sysconf("SC_CLK_TCK")
        folders = [folder for folder in Path("/proc").iterdir() if folder.name.isdigit()]
        living = [folder for folder in folders if int(_stat(int(folder.name))[1]) == self._server]
        return own + ended + sum(_running_ms(folder) for folder in living)


def _server_process(store: Store) -> int:
    """The process whose children answer; 0 where the database is a file, or its server runs elsewhere."""
    if store._reading.dialect.name != "postgresql" or not Path("/proc/self/stat").exists():
        return 0
    with store._reading.connect() as connection:
        child = int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
    comm = Path(f"/proc/{child}/comm")
    return int(_stat(child)[1]) if comm.exists() and comm.read_text().startswith("postgres") else 0


def _stat(process: int) -> list[str]:
    """Fields of a process from its state on; zeroes if it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 20


def _running_ms(folder: Path) -> float:
    try:
        return int((folder / "schedstat").read_text().split()[0]) / 1e6
    except OSError:
        return 0.0


def walk(store: Store) -> None:
    """The yardstick."""
    with store._reading.connect() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM runs WHERE model_id + format_id < 0").fetchone()


def measure(place: Path | str, rows: int) -> bool:
    """Print everything; return whether all of it is within the budget."""
    begun = time.perf_counter()
    store = Store.open(place)
    opened = time.perf_counter()
    store.list_runs()
    first = time.perf_counter()
    meter = Meter(store)
    yardstick = meter.median(lambda: walk(store))
    budget = BUDGET_MS * (1 if isinstance(place, Path) else 2)
    print(f"{rows:,} runs, {store.size() / 1e6:,.0f} MB; walking once over the narrow rows: {yardstick.wall:.1f} ms")
    print(
        f"open {1000 * (opened - begun):.1f} ms, then first list {1000 * (first - opened):.1f} ms; budget {budget} ms"
    )
    print(f"\n{'first page':>12} {'ratio':>6} {'processor':>12} {'count':>12} {'processor':>12}  filter")
    late = [1000 * (first - opened)]
    for text in FILTERS:
        page = meter.median(lambda text=text: store.list_runs(text))
        count = meter.median(lambda text=text: store.count(text), 2)
        late.append(page.wall)
        print(
            f"{page.wall:9.1f} ms {page.wall / yardstick.wall:6.2f} {page.processor:9.1f} ms {count.wall:9.1f} ms"
            f" {count.processor:9.1f} ms  {text or '(all)'}{_mark(page.wall, budget)}"
        )
    middle = store.find(rows // 2).id
    print(f"{meter.median(lambda: store.list_runs('', middle)).wall:9.1f} ms {'':24} page in the middle")
    print(f"{meter.median(lambda: store.facets('verdict:fail'), 2).wall:9.1f} ms {'':24} all facets of verdict:fail")
    print(f"{meter.median(store.histogram, 2).wall:9.1f} ms {'':24} days")
    begun, replies = time.perf_counter(), 0
    for replies, _ in enumerate(store.runs_for_reparse(), 1):
        if replies == 50_000:
            break
    print(f"\n{replies / (time.perf_counter() - begun):,.0f} stored replies a second for a re-parse (reading alone)")
    store.close()
    return max(late) <= budget


def _mark(taken: float, budget: float) -> str:
    return "" if taken <= budget else "   OVER"


def fill_and_measure(place: Path | str, rows: int, filled: bool) -> bool:
    """Fill a place that is empty, then measure it."""
    if not filled:
        begun = time.perf_counter()
        if isinstance(place, Path):
            fill_file(place, rows)
        else:
            fill_server(place, rows)
        print(f"filled in {time.perf_counter() - begun:.0f} s")
    return measure(place, rows)


def main() -> int:
    """Fill a database and measure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--keep", type=Path, help="a file to fill once and measure again")
    options.add_argument("--postgres", action="store_true", help="measure a server of PostgreSQL, started for it")
    options.add_argument("--at", default="", help="address of an own server's database to fill once and measure again")
    given = options.parse_args()
    if given.at:
        return not fill_and_measure(given.at, given.rows, not database_at(given.at).examine().new)
    if given.postgres:
        with postgres_cluster() as cluster:
            return not fill_and_measure(cluster.address(), given.rows, False)
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "workbench.db"
        return not fill_and_measure(path, given.rows, path.exists())


if __name__ == "__main__":
    sys.exit(main())
