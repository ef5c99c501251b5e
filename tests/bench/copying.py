"""Copying a long history: a file to a server of PostgreSQL and back into a file, interrupted on the way; times and memory.

    .venv/bin/python tests/bench/copying.py [--runs 100000] [--check 200] [--at ADDRESS] [--keep FILE.db]

Each copy is `workbench db copy`, a process of its own. The copy to the server is interrupted as by Ctrl+C after a third of the
runs, told again and killed after two thirds, then told once more. In the end the counts must be equal, `db check` must find both sound, and a sample of runs must be the
same byte by byte. Memory is to be flat: the table shows the most that each process held.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.history_rows import MODELS, WORDS  # noqa: E402
from tests.kit import runs  # noqa: E402
from tests.kit.postgres import postgres_cluster  # noqa: E402
from workbench.store import Store  # noqa: E402

STOPS = ((1 / 3, signal.SIGINT, 130), (2 / 3, signal.SIGKILL, -signal.SIGKILL))
"""Share of the runs after which a copy to the server is stopped, how, and the exit code of that."""


class Told(NamedTuple):
    """What one process took."""

    seconds: float
    cpu: float
    megabytes: float
    code: int
    output: str


def fill(path: Path, count: int) -> None:
    """Record runs of various lengths, as the program does."""
    chance = random.Random(5)
    with closing(Store.open(path)) as store:
        for number in range(count):
            words = " ".join(chance.choices(WORDS, k=chance.randrange(8, 200)))
            run = runs.make_run(
                None, prompt=words[:400], model=chance.choice(MODELS), answer=words, at_us=runs.STARTED_US + number
            )
            store.record(runs.run_id_of(run), run)
        store.delete([row.id for row in store.list_runs("", None, 10)])


def copied(home: Path, source: str, target: str, stop_at: int = 0, how: signal.Signals = signal.SIGINT) -> Told:
    """Run the command; send it a signal when the target has so many runs."""
    command = [sys.executable, "-m", "workbench", "--home", str(home), "db", "copy", source, target, "--json"]
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        while stop_at and process.poll() is None:
            if _counted(target) >= stop_at:
                process.send_signal(how)
                break
            time.sleep(0.5)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        told = output.read().strip()
    taken = time.perf_counter() - begun
    return Told(taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, told)


def _counted(place: str) -> int:
    try:
        with closing(Store.look(_place(place))) as store:
            return store.count("")
    except Exception:  # the copy makes the database just now
        return 0


def _place(text: str) -> Path | str:
    return text if "://" in text else Path(text)


def differing(one: Path | str, other: Path | str, sample: int) -> list[str]:
    """What of two histories is not the same."""
    found = []
    with closing(Store.look(one)) as first, closing(Store.look(other)) as second:
        for wanted in ("", "is:binned", "weather", "verdict:pass"):
            counts = first.count(wanted), second.count(wanted)
            if counts[0] != counts[1]:
                found.append(f"{wanted or 'all'}: {counts}")
        ids = list(_ids(first))
        others = list(_ids(second))
        if ids != others:
            found.append(f"ids: {len(ids)} and {len(others)}, {len(set(ids) ^ set(others))} in one alone")
        for ident in random.Random(3).sample(ids, min(sample, len(ids))):
            if first.load(ident).events != second.load(ident).events:
                found.append(f"run {ident}")
    return found


def _ids(store: Store) -> Iterator[str]:
    last = None
    while page := store.list_runs("", last, 1000):
        yield from (row.id for row in page)
        last = page[-1].id


def show(what: str, told: Told, count: int) -> None:
    rate = f"{count / told.seconds:8,.0f} runs/s" if count else ""
    print(f"{what:28} {told.seconds:8.1f} s {told.cpu:8.1f} s CPU {told.megabytes:7.0f} MB  {rate}  exit {told.code}")


def measure(home: Path, source: Path, address: str, count: int, sample: int) -> bool:
    """Copy there and back; True if nothing was lost or doubled."""
    back = str(home / "back.db")
    stood, well = 0, True
    for share, how, code in STOPS:
        stopped = copied(home, str(source), address, int(count * share), how)
        before, stood = stood, _counted(address)
        show(f"to the server, {how.name} at {share:.0%}", stopped, stood - before)
        print(f"    {stopped.output.splitlines()[-1] if stopped.output else ''}")
        well &= stopped.code == code and before < stood < count
    second = copied(home, str(source), address)
    show("to the server, the rest", second, count - stood)
    third = copied(home, address, back)
    show("to a file", third, count)
    again = copied(home, address, back)
    show("to the file, again", again, count)
    for told in (second, third, again):
        print(f"    {told.output}")
    problems = differing(source, address, sample) + differing(source, Path(back), sample)
    for place in (address, back):
        with closing(Store.look(_place(place))) as store:
            report = store.check()
            problems += report.problems
            print(f"{place[-40:]}: {report.runs:,} runs, {report.chain.links:,} links of the chain")
    print("\n".join(problems) or "the same")
    done = json.loads(third.output)
    return not problems and done["runs"] == count and well


@contextmanager
def server(address: str) -> Iterator[str]:
    """An own server's address, or a server for this alone."""
    if address:
        yield address
    else:
        with postgres_cluster() as cluster:
            yield cluster.address()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=100_000)
    options.add_argument("--check", type=int, default=200, help="runs that are held against each other byte by byte")
    options.add_argument("--at", default="", help="address of an own server's empty database")
    options.add_argument("--keep", type=Path, help="a file to fill once and copy again")
    given = options.parse_args()
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's background jobs do not hear it, nor their children
    with tempfile.TemporaryDirectory() as folder, server(given.at) as address:
        source = given.keep or Path(folder) / "source.db"
        if not source.exists():
            begun = time.perf_counter()
            fill(source, given.runs)
            print(f"filled in {time.perf_counter() - begun:.0f} s, {source.stat().st_size / 1e6:.0f} MB")
        return not measure(Path(folder), source, address, given.runs, given.check)


if __name__ == "__main__":
    sys.exit(main())
