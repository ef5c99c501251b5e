"""A killed process loses nothing that was acknowledged (requirement W5)."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.core.events import ChunkReceived
from workbench.core.verdict import VerdictState
from workbench.store import Store

CHILD = """
import asyncio, sys
from pathlib import Path
from tests.kit import runs
from workbench.core.events import ChunkReceived
from workbench.store import Store

async def main():
    store = Store.open(Path(sys.argv[1]))
    print("open", flush=True)
    for run in range(1000):
        run_id = f"{sys.argv[2]}-{run}"
        await store.recorder.commit(run_id, runs.make_run(run_id)[:5])
        for batch in range(20):
            chunks = [ChunkReceived(9, 0, batch * 5 + k, b"x" * (k * 400), batch) for k in range(5)]
            await store.recorder.commit(run_id, chunks)
            print(run_id, batch * 5 + 5, flush=True)

asyncio.run(main())
"""
ROOT = Path(__file__).resolve().parents[2]


def kill_at(database: Path, name: str, seconds: float) -> dict[str, int]:
    """Let a child write, kill it, and return how many chunks of each run it was told are on disk."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(database), name], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    time.sleep(seconds)
    child.kill()
    told = child.communicate()[0]
    whole = told[: told.rfind("\n") + 1].split()
    return {run_id: int(count) for run_id, count in zip(whole[::2], whole[1::2], strict=True)}


def assert_nothing_lost(database: Path, told: dict[str, int]) -> None:
    store = Store.open(database)
    try:
        assert store.check().problems == ()
        for run_id, count in told.items():
            stored = store.load(run_id)
            chunks = [event for event in stored.events if isinstance(event, ChunkReceived) and event.step == 9]
            assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
            assert len(chunks) >= count
            assert all(len(chunk.data) == chunk.index % 5 * 400 for chunk in chunks)
            assert stored.verdict.state is VerdictState.CANCELLED
    finally:
        store.close()


def kill_often(tmp_path: Path, times: int, seed: int) -> None:
    chance = random.Random(seed)
    database = tmp_path / "workbench.db"
    told: dict[str, int] = {}
    for index in range(times):
        told |= kill_at(database, f"k{index}", chance.uniform(0.0, 0.5))
        assert_nothing_lost(database, told)
    assert sum(told.values()) > 0


def test_killed_process_keeps_acknowledged_commits(tmp_path: Path) -> None:
    kill_often(tmp_path, 3, seed=1)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_process_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path, 40, seed=int(time.time()))
