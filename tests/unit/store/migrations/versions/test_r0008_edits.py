"""What a person wrote in place of a reply stands under the run whose reply it was, also where an older version recorded it."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy import text

from tests.kit import runs
from tests.kit.tree import ROOT
from workbench.store import Store
from workbench.store.choose_database import database_at

SAMPLES = ROOT / "tests" / "data" / "databases"


def test_edited_replies_of_before_are_found_in_the_records(tmp_path: Path) -> None:
    file = tmp_path / "workbench.db"
    store = Store.open(file)
    store.record("model", runs.make_run("model"))
    store.record("given", runs.edit_of("given", "model"))
    store.record("orphan", runs.edit_of("orphan", "removed before"))
    store.close()
    engine = database_at(file).writing_engine()
    with engine.begin() as connection:
        for step in ("DROP INDEX ix_runs_edit_of", "ALTER TABLE runs DROP COLUMN edit_of",
                     "UPDATE alembic_version SET version_num = 'r0007'"):  # fmt: skip
            connection.execute(text(step))
    engine.dispose()

    store = Store.open(file)
    try:
        assert [(row.id, row.edited) for row in store.list_runs()] == [("orphan", None), ("model", 2)]
        assert store.find("given").edit_of == 1
        assert store.check().problems == ()
    finally:
        store.close()


def test_the_sample_of_this_revision_opens_unchanged(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0008.db", tmp_path / "workbench.db")
    store = Store.open(tmp_path / "workbench.db")
    try:
        assert len(store.list_runs()) == 2
        assert not (tmp_path / "backups").exists()
    finally:
        store.close()
