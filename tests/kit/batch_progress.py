"""How far a batch of another process has come: read from its file at once, so that a test can end it in the middle."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from subprocess import Popen

from tests.kit.waiting import wait_until


def wait_for_done(home: Path, count: int, process: Popen[bytes]) -> None:
    """Wait until so many runs of the home's batches have ended."""
    wait_until(lambda: done_in(home / "workbench.db") >= count or process.poll() is not None)
    done = done_in(home / "workbench.db")
    assert done >= count, f"{done} runs ended; the process with {process.poll()}"


def done_in(database: Path) -> int:
    """Return how many runs of all batches have ended; 0 where there is no table yet."""
    if not database.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
            return int(raw.execute("SELECT count(*) FROM batch_items WHERE state = 'done'").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
