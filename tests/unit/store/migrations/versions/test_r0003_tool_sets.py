"""A database that had no tool sets yet gets them, and keeps everything else."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit.fakes import WEATHER
from tests.kit.tree import ROOT
from workbench.core.tools import ToolSetup
from workbench.store import Store

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_tool_sets_are_added_and_runs_stay(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0002.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert [row.number for row in store.list_runs()] == [2, 1]
        assert store.tool_sets.rows() == []
        assert store.tool_sets.save("mine", (ToolSetup(WEATHER),)).version == 1
        assert store.check().problems == ()
    finally:
        store.close()


def test_the_sample_of_this_revision_opens(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0003.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert len(store.list_runs()) == 2
    finally:
        store.close()
