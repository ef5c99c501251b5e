"""The scanner's budget: 10,000 sessions or a gigabyte of logs in a minute on one core, with memory that does not grow.

    python -m tests.bench.scan [--sessions 10000] [--log-mb 1000] [--folder DIR]

Sessions of Claude Code, Codex and opencode and a log of vLLM are made up in a folder (`tests/kit/scan_sessions.py`), each planted
fault on a list; what is found is held against it. The yardstick is the time that `json.loads` takes for the same lines, or that
reading the log's lines takes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from tests.kit.scan_sessions import Claude, Corpus, Planted, Session, make_sessions, score, written_call
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source
from workbench.schema import JsonSchemaChecker

BUDGET_S = 60.0


def make_log(path: Path, megabytes: int, rng: random.Random) -> Corpus:
    """Write a log of vLLM: requests, replies of some kilobytes, statistics; some replies hold a call."""
    planted: list[Planted] = []
    size, number = 0, 0
    maker: Session = Claude(rng)
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            lines = []
            for _ in range(200):
                number += 1
                stamp = f"INFO 11-{1 + number % 28:02} 10:{number // 60 % 60:02}:{number % 60:02}"
                text = "\n\n".join(maker.prose() for _ in range(rng.randint(1, 12)))
                if rng.random() < 0.02:
                    text = f"{text}\n{written_call(rng)}"
                    planted.append(Planted(path.name, "tool_markup_in_content"))
                lines.append(
                    f"{stamp} [logger.py:43] Received request chatcmpl-{number}: prompt: {maker.result()!r}, params: SamplingParams(n=1)\n"
                )
                lines.append(
                    f"{stamp} [logger.py:71] Generated response chatcmpl-{number}: output: {text!r}, output_token_ids: None, finish_reason: stop\n"
                )
                lines.append(
                    f"{stamp} [loggers.py:127] Engine 000: Avg prompt throughput: {number % 900}.1 tokens/s, Running: 3 reqs\n"
                )
            block = "".join(lines)
            size += len(block.encode())
            file.write(block)
    return Corpus(path, planted, number, size)


def measured(corpus: Corpus) -> tuple[Scan, float, float]:
    """Scan, with the seconds of CPU that it took and the megabytes that the process grew to."""
    scan = Scan([Source(str(corpus.folder), corpus.folder)], JsonSchemaChecker())
    begun = time.process_time()
    scan.run()
    return scan, time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def told(name: str, corpus: Corpus, work: Callable[[Path], float]) -> None:
    """Print how a scan did."""
    scan, seconds, peak = measured(corpus)
    got = score(corpus, scan.findings)
    yardstick = work(corpus.folder)
    print(f"{name}: {corpus.size / 1e6:,.0f} MB, {corpus.units:,} units, {scan.tally.replies:,} replies")
    print(
        f"  {seconds:.1f} s of one core ({corpus.size / 1e6 / seconds:.0f} MB/s), budget {BUDGET_S:.0f} s; {seconds / yardstick:.1f} x the yardstick ({yardstick:.1f} s)"
    )
    print(f"  peak of the process {peak:.0f} MB")
    print(f"  planted {got.planted:,}, found {got.found:,} ({got.found / max(got.planted, 1):.2%})")
    wrong = got.false.total()
    print(f"  false on clean ones {wrong:,} of {got.clean:,} ({wrong / max(got.clean, 1):.3%})")
    for title, counts in (("missed", got.missed), ("not planted", got.false)):
        for one, count in counts.most_common(5):
            print(f"  {title}: {one.kind} in {one.session} x {count}")


def lines_of(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*.jsonl")):
        yield from path.read_bytes().splitlines()
    for path in sorted(folder.rglob("*.db")):
        with closing(sqlite3.connect(path)) as database:
            for table in ("message", "part"):
                yield from (data.encode() for (data,) in database.execute(f"SELECT data FROM {table}"))


def loads_all(folder: Path) -> float:
    begun = time.process_time()
    for line in lines_of(folder):
        json.loads(line)
    return time.process_time() - begun


def reads_lines(path: Path) -> float:
    begun = time.process_time()
    with path.open("rb") as file:
        for line in file:
            line.find(b"output")
    return time.process_time() - begun


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sessions", type=int, default=10_000)
    asked.add_argument("--log-mb", type=int, default=1_000)
    asked.add_argument("--folder", type=Path)
    options = asked.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="scan-bench-"))
    rng = random.Random(15)
    try:
        if options.sessions:
            (folder / "sessions").mkdir(parents=True)
            told("sessions", make_sessions(folder / "sessions", options.sessions, rng), loads_all)
        if options.log_mb:
            told("log", make_log(folder / "server.log", options.log_mb, rng), reads_lines)
    finally:
        if options.folder is None:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
