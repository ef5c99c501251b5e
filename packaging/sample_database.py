"""Write tests/data/databases/<revision>.db: once for each released schema, never again afterwards.

    .venv/bin/python packaging/sample_database.py

Run 1 has every kind of event; run 2 was left unfinished by its process.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.kit import runs  # noqa: E402
from workbench.store import Store, upgrade  # noqa: E402


def main() -> None:
    target = ROOT / "tests" / "data" / "databases" / f"{upgrade.HEAD}.db"
    if target.exists():
        raise SystemExit(f"{target} exists. A released sample is never written again.")
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "workbench.db")
        whole = [*runs.make_run("0198aaaa-0000-7000-8000-000000000001", planner="plain"), *runs.boosted()]
        cut = runs.make_run("0198bbbb-0000-7000-8000-000000000002")[:12]
        store.record(runs.run_id_of(whole), whole)
        store.record(runs.run_id_of(cut), cut)
        target.parent.mkdir(parents=True, exist_ok=True)
        store.backup(target)
        store.close()
    with closing(sqlite3.connect(target)) as raw:
        raw.execute("VACUUM")
    target.chmod(0o644)
    print(target)


if __name__ == "__main__":
    main()
