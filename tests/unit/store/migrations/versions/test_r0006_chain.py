"""A history that had no hashes yet begins its chain; what is older is unhashed, never altered."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit import runs
from tests.kit.tree import ROOT
from workbench.store import Store

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_older_runs_have_no_hash_and_new_ones_do(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0005.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        store.record("new", runs.make_run("new"))
        found = store.check()
        assert found.problems == ()
        assert found.chain.unhashed == 1, "the run that was left behind is hashed when it is closed"
        assert found.chain.links > 2
    finally:
        store.close()


def test_the_sample_of_this_revision_is_whole(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0006.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        found = store.check()
        assert (found.problems, found.chain.unhashed) == ((), 0)
    finally:
        store.close()
