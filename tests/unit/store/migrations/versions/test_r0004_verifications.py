"""A database that had no verifications yet gets them, and keeps everything else."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit.batches import batch
from tests.kit.tree import ROOT
from workbench.store import Store

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_verifications_are_added_and_runs_stay(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0003.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert [row.number for row in store.list_runs()] == [2, 1]
        store.batches.add(batch({"one": ["s"]}))
        store.verifications.keep("b1", {"model": "m"})
        assert store.verifications.ids() == {"b1"}
        assert store.check().problems == ()
    finally:
        store.close()
