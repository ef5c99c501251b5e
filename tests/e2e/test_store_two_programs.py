"""Several programs make and write one database at the same moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from workbench.store import Store

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


def test_programs_that_begin_together_do_not_disturb_each_other(tmp_path: Path) -> None:
    database = tmp_path / "a folder with # ? and %20" / "workbench.db"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(database), f"c{number}"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, errors = child.communicate(timeout=60)
        assert (child.returncode, errors) == (0, "")

    store = Store.open(database)
    try:
        assert store.count("verdict:pass") == 30
        assert store.check().problems == ()
        assert len({row.number for row in store.list_runs()}) == 30
    finally:
        store.close()
    assert [path.name for path in database.parent.iterdir()] == ["workbench.db"]
