"""Several programs make and write one database at the same moment."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.kit.waiting import LIMIT_S
from workbench.store import Store, sqlite

CHILD = """
import sys
from pathlib import Path
from tests.kit import runs
from workbench.store import Store

print("ready", flush=True)
sys.stdin.readline()
store = Store.open(Path(sys.argv[1]))
for number in range(10):
    run_id = f"{sys.argv[2]}-{number}"
    events = runs.make_run(run_id)
    for start in range(0, len(events), 5):
        store.record(run_id, events[start : start + 5])
store.close()
"""
ROOT = Path(__file__).resolve().parents[2]
OLD = ROOT / "tests" / "data" / "databases" / "r0001.db"


def begin(database: Path, name: str) -> subprocess.Popen[str]:
    """Start a program that waits for `go`."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(database), name],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(children: Sequence[subprocess.Popen[str]]) -> None:
    """Let them go at the same moment, and wait until all have ended well."""
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, errors = child.communicate(timeout=LIMIT_S)
        assert (child.returncode, errors) == (0, "")


def test_two_programs_start_on_one_database(tmp_path: Path) -> None:
    database = tmp_path / "a folder with # ? and %20" / "workbench.db"
    finish([begin(database, f"c{number}") for number in range(3)])

    store = Store.open(database)
    try:
        assert store.count("verdict:pass") == 30
        assert store.check().problems == ()
        assert len({row.number for row in store.list_runs()}) == 30
    finally:
        store.close()
    assert [path.name for path in database.parent.iterdir()] == ["workbench.db"]


def test_concurrent_upgrades_make_one_backup(tmp_path: Path) -> None:
    database = tmp_path / "workbench.db"
    shutil.copy(OLD, database)
    finish([begin(database, f"c{number}") for number in range(3)])

    store = Store.open(database)
    try:
        assert store.check().problems == ()
        assert store.count() >= 30
    finally:
        store.close()
    (copy,) = (tmp_path / "backups").iterdir()
    assert sqlite.examine(copy).revision == "r0001"
