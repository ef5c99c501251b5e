"""A database of before gets stopping rules and opinions, and keeps everything else."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from tests.kit.batches import batch
from tests.kit.tree import ROOT
from workbench.core.batch import StoppingRule
from workbench.core.verdict import VerdictState
from workbench.store import Store
from workbench.store.opinions import HAND, Opinion

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_rules_and_opinions_are_added_and_runs_stay(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0004.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        first = store.list_runs()[0]
        assert [row.number for row in store.list_runs()] == [2, 1]
        made = batch({"one": ["s", "f"]})
        store.batches.add(replace(made, spec=replace(made.spec, stopping=StoppingRule(every=2))))
        assert store.batches.load("b1").spec.stopping == StoppingRule(every=2)
        store.opinions.add(Opinion(first.id, 1, HAND, "me", VerdictState.PASS, "right all the same"))
        assert len(store.opinions.of_run(first.id)) == 1
        assert store.check().problems == ()
    finally:
        store.close()


def test_the_sample_of_this_revision_opens(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0005.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert len(store.list_runs()) == 2
    finally:
        store.close()
