"""Runs from before keep their place without a name; new ones say who recorded them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit import runs
from tests.kit.tree import ROOT
from workbench.store import Store

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_older_runs_are_nobodys_and_new_ones_have_a_name(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0006.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db", "ada")
    try:
        store.record("new", runs.make_run("new"))
        assert [row.user for row in store.list_runs()] == ["ada", "", ""]
        assert [row.id for row in store.list_runs("user:ada")] == ["new"]
        assert len(store.list_runs("-user:ada")) == 2
        assert store.names("user") == ["ada"]
        assert store.find("new").to_json()["user"] == "ada"
        assert store.check().problems == ()
    finally:
        store.close()


def test_the_sample_of_this_revision_is_whole(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0007.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert [row.user for row in store.list_runs()] == ["", ""]
        assert store.check().problems == ()
    finally:
        store.close()
