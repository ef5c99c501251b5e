"""How quickly a long history opens, answers filters and is re-read, beside a yardstick measured in the same run.

    .venv/bin/python tests/bench/history.py [--rows 100000] [--keep FILE.db]

The yardstick is SQLite alone walking once over the narrow table of runs. Budgets are for 1,000,000 runs: the list and
the first page of any filter or search within 300 ms; 5,000 stored replies a second for a re-parse, reading included.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.kit import runs  # noqa: E402
from workbench.core.events import StepFinished  # noqa: E402
from workbench.store import Store  # noqa: E402
from workbench.store.codec import encode_event  # noqa: E402

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
)


def fill(path: Path, rows: int) -> None:
    """Make the history in bulk, straight in SQL; every run has one reply."""
    Store.open(path).close()
    chance = random.Random(7)
    now = time.time_ns() // 1000
    kind, body = next(encode_event(event) for event in runs.make_run("x") if isinstance(event, StepFinished))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        numbered = _fill_names(raw)
        for start in range(1, rows + 1, 20_000):
            batch = [
                _run(chance, number, rows, now, numbered) for number in range(start, min(start + 20_000, rows + 1))
            ]
            raw.executemany(f"INSERT INTO runs VALUES ({','.join('?' * 21)})", [row[0] for row in batch])
            raw.executemany(
                "INSERT INTO run_details VALUES (?,?,NULL,'Weather',?,'because','Simulator/m','abc','tolerant','1',NULL)",
                [row[1] for row in batch],
            )
            raw.executemany("INSERT INTO run_text(rowid, prompt, raw) VALUES (?,?,?)", [row[2] for row in batch])
            numbers = [row[0][0] for row in batch]
            raw.executemany("INSERT INTO events VALUES (?,5,?,?,NULL)", [(number, kind, body) for number in numbers])
            raw.executemany("INSERT INTO steps VALUES (?,0,5,'executor','qwen_xml',0,0)", [(n,) for n in numbers])
            raw.commit()


def _fill_names(raw: sqlite3.Connection) -> dict[str, int]:
    kinds = {
        "model": MODELS,
        "format": FORMATS,
        "code": (*CODES, "rare.code"),
        "tool": TOOLS,
        "provider": ("Simulator",),
    }
    kinds |= {"wire": ("openai_chat",), "origin": ("try",)}
    for kind, names in kinds.items():
        raw.executemany("INSERT INTO names(kind, name) VALUES (?,?)", [(kind, name) for name in names])
    return {name: number for number, name in raw.execute("SELECT id, name FROM names")}


def _run(
    chance: random.Random, number: int, rows: int, now: int, numbered: dict[str, int]
) -> tuple[tuple[object, ...], ...]:
    started = now - (rows - number) * 8_000_000
    verdict = chance.choices(("pass", "fail", "error", "cancelled"), (75, 20, 4, 1))[0]
    codes = f",{numbered[chance.choice(CODES)]}," if verdict in ("fail", "error") else ""
    if number == 17:
        codes = f",{numbered['rare.code']},"
    tools = f",{numbered[chance.choice(TOOLS)]},"
    row = (number, started, None, verdict, "intrinsic", "direct", "answer", numbered["Simulator"])
    row += (numbered[chance.choice(MODELS)], None, numbered[chance.choice(FORMATS)], numbered["openai_chat"])
    row += (numbered["try"], 1, codes, tools, chance.randrange(9_000_000), chance.randrange(1, 6), 1, 900, 90)
    words = " ".join(chance.choices(WORDS, k=12)) + (" needle" if number == 23 else "")
    return row, (number, f"0198{number:012x}-0000-7000-8000", words), (number, words, words)


def median_ms(action: Callable[[], object], times: int = 5) -> float:
    """Middle of several measurements, the first one left out."""
    action()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        action()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def walk(path: Path) -> None:
    """The yardstick."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("SELECT count(*) FROM runs WHERE model_id + format_id < 0").fetchone()


def measure(path: Path, rows: int) -> None:
    """Print everything."""
    yardstick = median_ms(lambda: walk(path))
    print(
        f"{rows:,} runs, {path.stat().st_size / 1e6:,.0f} MB; walking once over the narrow rows: {yardstick:.1f} ms\n"
    )
    begun = time.perf_counter()
    store = Store.open(path)
    opened = time.perf_counter()
    store.list_runs()
    print(f"open {1000 * (opened - begun):.1f} ms, then first list {1000 * (time.perf_counter() - opened):.1f} ms")
    print(f"\n{'first page':>12} {'ratio':>6} {'count':>10}  filter")
    for text in FILTERS:
        page = median_ms(lambda text=text: store.list_runs(text))
        count = median_ms(lambda text=text: store.count(text), 2)
        print(f"{page:9.1f} ms {page / yardstick:6.2f} {count:7.1f} ms  {text or '(all)'}")
    middle = store.find(rows // 2).id
    print(f"{median_ms(lambda: store.list_runs('', middle)):9.1f} ms {'':24} page in the middle")
    print(f"{median_ms(lambda: store.facets('verdict:fail'), 2):9.1f} ms {'':24} all facets of verdict:fail")
    print(f"{median_ms(store.histogram, 2):9.1f} ms {'':24} days")
    begun, replies = time.perf_counter(), 0
    for replies, _ in enumerate(store.runs_for_reparse(), 1):
        if replies == 50_000:
            break
    print(f"\n{replies / (time.perf_counter() - begun):,.0f} stored replies a second for a re-parse (reading alone)")
    store.close()


def main() -> None:
    """Fill a file and measure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--keep", type=Path, help="a file to fill once and measure again")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "workbench.db"
        if not path.exists():
            begun = time.perf_counter()
            fill(path, given.rows)
            print(f"filled in {time.perf_counter() - begun:.0f} s")
        measure(path, given.rows)


if __name__ == "__main__":
    main()
