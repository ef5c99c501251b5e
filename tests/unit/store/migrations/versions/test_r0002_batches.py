from __future__ import annotations

import shutil
from pathlib import Path

from workbench.core.batch import BatchState, ItemState
from workbench.store import Store

DONE = ItemState.DONE
WANTED = [DONE, DONE, ItemState.WAITING, DONE, ItemState.TRIMMED, DONE]
SAMPLES = Path(__file__).parents[4] / "data" / "databases"


def test_a_file_from_before_gets_an_empty_list(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0001.db", tmp_path / "workbench.db")

    opened = Store.open(tmp_path / "workbench.db")
    try:
        assert opened.batches.list() == []
        assert opened.count() == 2
    finally:
        opened.close()


def test_a_batch_of_this_version_is_read(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0002.db", tmp_path / "workbench.db")

    opened = Store.open(tmp_path / "workbench.db")
    try:
        batch = opened.batches.load("last")
        assert batch.state is BatchState.STOPPED
        assert [item.state for item in batch.items] == WANTED
        assert batch.spec.cases[0].expectation is not None
        assert opened.batches.list()[0].done == 4
    finally:
        opened.close()
