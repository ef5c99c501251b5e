"""Programs that are killed in the middle of runs, suites, imports, settings writes, scans and copies: nothing shown is lost.

A few kills of each kind in every test run, 1,200 altogether with `--long`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kit.command import command, workbench
from tests.kit.scanning import lost_calls
from workbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")
FEW, MANY = 2, 200
"""Kills of each kind."""
LOST = 40
"""Findings of a scan."""
FAST = json.dumps({"simulate": {"tokens_per_second": 60, "first_token_s": 0}})


_lasted: dict[str, float] = {}
"""Seconds that a command of a kind takes here and now, undisturbed."""


def killed(argv: list[str], chance: random.Random) -> list[str]:
    """Start a command, kill it anywhere in its life, half of them once a line was there, and return the whole lines it printed."""
    if argv[0] not in _lasted:
        begun = time.monotonic()
        subprocess.run(command(argv), stdin=subprocess.DEVNULL, capture_output=True, check=True)
        _lasted[argv[0]] = time.monotonic() - begun
    process = subprocess.Popen(
        command(argv), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    first = process.stdout.readline() if chance.random() < 0.5 else b""
    try:
        process.wait(_lasted[argv[0]] * (chance.uniform(0, 0.3) if first else chance.uniform(0.3, 1.05)))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    out = (first + process.stdout.read()).decode()
    process.wait()
    process.stdout.close()
    return out.splitlines()[: out.count("\n")]


def kill_a_run(home: Path, chance: random.Random) -> None:
    """Each event that `run --events` printed is on disk."""
    argv = [
        "run",
        "--model",
        "qwen-hasty",
        "--events",
        "--extra",
        FAST,
        "--seed",
        str(chance.randrange(99)),
        "Say something long.",
    ]
    shown = [json.loads(line) for line in killed(argv, chance)]
    if not shown:
        return
    store = Store.open(home / "workbench.db")
    try:
        kept = store.load(shown[0]["run_id"]).events
        assert store.check().problems == ()
    finally:
        store.close()
    assert len(kept) >= len(shown), f"{len(shown)} events were shown, {len(kept)} are kept"


def kill_a_suite(home: Path, chance: random.Random) -> None:
    """The database stays whole, and what had run is still there."""
    before = _runs(home)
    killed(
        ["suite", "run", "demo", "--repeat", "1", "--target", "model=mistral-steady", "--json", "-q"],
        chance,
    )
    assert _runs(home) >= before


def _runs(home: Path) -> int:
    if not (home / "workbench.db").exists():
        return 0
    store = Store.open(home / "workbench.db")
    try:
        assert store.check().problems == ()
        return store.count("")
    finally:
        store.close()


def kill_an_import(home: Path, chance: random.Random) -> None:
    """Of an import, each file is there whole or not at all."""
    rows = [
        {"id": f"case-{number}", "messages": [{"role": "user", "content": f"question {number}"}]}
        for number in range(40)
    ]
    source = home.parent / "rows.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    killed(["import", str(source), "--suite", f"s{chance.randrange(10**9)}", "--json"], chance)
    for path in (home / "suites").rglob("*.json"):
        json.loads(path.read_text(encoding="utf-8"))
    for path in (home / "suites").rglob("*.y*ml"):
        assert path.read_text(encoding="utf-8").endswith("\n")


def kill_a_settings_write(home: Path, chance: random.Random) -> None:
    """The settings are whole after it, and hold every provider that was told to be saved."""
    told = home.parent / "told.txt"
    name = f"p{chance.randrange(10**9)}"
    argv = ["providers", "add", name, "--base-url", "http://127.0.0.1:9/v1", "--no-key"]
    if any(name in line for line in killed(argv, chance)):
        with told.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
    path = home / "settings.toml"
    saved = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    wanted = told.read_text(encoding="utf-8").split() if told.exists() else []
    assert set(wanted) <= set(saved.get("providers", {}))


def kill_a_scan(home: Path, chance: random.Random) -> None:
    """Findings that a scan told as recorded are runs, the last one with all that belongs to it."""
    source = lost_calls(home.parent / "lost.jsonl", LOST)
    before = _runs(home) + (0 if "scan" in _lasted else LOST)  # the first is also run undisturbed
    shown = killed(["scan", str(source), "--record", "--json"], chance)
    found = len(json.loads(shown[-1])["findings"]) if shown else 0
    assert _runs(home) - before in ((LOST,) if found else range(LOST + 1))
    store = Store.open(home / "workbench.db")
    try:
        unfinished = [row.id for row in store.list_runs("", None, 10_000) if row.stop is None]
    finally:
        store.close()
    assert not unfinished


def kill_a_copy(home: Path, chance: random.Random) -> None:
    """A copy that was killed is whole as far as it came, its source too, and goes on to the end."""
    source, target = home / "workbench.db", home.parent / f"copies{chance.randrange(10**9)}" / "workbench.db"
    if not source.exists():
        done = workbench("scan", str(lost_calls(home.parent / "lost.jsonl", LOST)), "--record")
        assert done.code == 0
    target.parent.mkdir()
    killed(["db", "copy", str(source), str(target)], chance)
    so_far = _runs(target.parent)
    assert workbench("db", "copy", str(source), str(target)).code == 0
    assert so_far <= _runs(target.parent) == _runs(home) == LOST


KINDS: dict[str, Callable[[Path, random.Random], None]] = {
    "run": kill_a_run,
    "suite": kill_a_suite,
    "import": kill_an_import,
    "settings": kill_a_settings_write,
    "scan": kill_a_scan,
    "copy": kill_a_copy,
}


@pytest.mark.timeout(4 * 3600)  # with `--long`; a few kills take seconds
@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_loses_nothing_that_was_shown(kind: str, home: Path, request: pytest.FixtureRequest) -> None:
    home.mkdir(parents=True, exist_ok=True)
    long = bool(request.config.getoption("--long"))
    chance = random.Random(time.time_ns() if long else 7)
    for _ in range(MANY if long else FEW):
        KINDS[kind](home, chance)
    print(f"{MANY if long else FEW} kills of {kind}: nothing lost", file=sys.stderr)
