from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Engine

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.store import Store, sqlite, upgrade
from workbench.store.schema import metadata

NOW = upgrade.HEAD
SECOND_STEP = f'''"""A later step."""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "r9999", "{NOW}"


def upgrade() -> None:
    op.add_column("runs", sa.Column("stars", sa.Integer(), nullable=False, server_default="0"))
'''
SAMPLES = Path(__file__).parents[2] / "data" / "databases"


def test_the_newest_step_is_known() -> None:
    assert ScriptDirectory.from_config(upgrade.alembic_config()).get_current_head() == upgrade.HEAD


def test_a_new_database_without_room_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def small(path: Path) -> Engine:
        return sqlite._engine(path, "BEGIN IMMEDIATE", "PRAGMA journal_mode = WAL", "PRAGMA max_page_count = 3")

    monkeypatch.setattr(sqlite, "writing_engine", small)
    with pytest.raises(StoreError, match="disk is full"):
        Store.open(tmp_path / "new.db")
    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == []

    (tmp_path / "mine.db").touch()
    with pytest.raises(StoreError, match="disk is full"):
        Store.open(tmp_path / "mine.db")
    assert (tmp_path / "mine.db").exists()


def test_the_steps_make_the_tables_of_the_schema(store: Store, database: Path) -> None:
    engine = sqlite.reading_engine(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_object": _ours, "compare_server_default": _other_default}
        )
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def _other_default(_context: object, _there: object, wanted: Column[Any], there: str | None, *_: object) -> bool:
    """The file has it in quotes and brackets."""
    told = None if wanted.server_default is None else str(getattr(wanted.server_default, "arg", ""))
    return told != (None if there is None else there.strip("()'"))


def _ours(_object: object, name: str | None, kind: str, *_: object) -> bool:
    return not (kind == "table" and name is not None and name.startswith("run_text"))


def test_a_second_opening_changes_nothing(store: Store, database: Path) -> None:
    store.close()
    before = database.read_bytes()

    Store.open(database).close()

    assert database.read_bytes()[100:] == before[100:]  # the header counts openings
    assert not (database.parent / "backups").exists()


@pytest.fixture
def later_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program as a later version, with one step more."""
    folder = tmp_path / "migrations"
    shutil.copytree(upgrade.MIGRATIONS, folder)
    (folder / "versions" / "r9999_second.py").write_text(SECOND_STEP)
    monkeypatch.setattr(upgrade, "MIGRATIONS", folder)
    monkeypatch.setattr(upgrade, "HEAD", "r9999")
    return folder


def test_a_step_keeps_all_data_and_a_copy_of_the_file(
    store: Store, database: Path, request: pytest.FixtureRequest
) -> None:
    events = runs.make_run()
    store.record(runs.run_id_of(events), events)
    store.close()
    request.getfixturevalue("later_version")

    opened = Store.open(database)
    assert opened.load(1).events == tuple(events)
    opened.close()

    (copy,) = (database.parent / "backups").iterdir()
    assert f"from-{NOW}" in copy.name
    assert sqlite.examine(copy).revision == NOW
    assert sqlite.examine(database).revision == "r9999"


def test_failed_migration_changes_nothing(store: Store, database: Path, later_version: Path) -> None:
    store.close()
    database.unlink()
    (later_version / "versions" / "r9999_second.py").write_text(SECOND_STEP.replace("runs", "no_such_table"))

    with pytest.raises(StoreError, match="could not be opened"):
        Store.open(database)

    assert sqlite.examine(database) == sqlite.DatabaseState(True, None)


def test_a_file_of_a_newer_version_is_refused_and_untouched(store: Store, database: Path) -> None:
    store.close()
    with closing(sqlite3.connect(database)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = 'r0099'")
        raw.commit()
    before = database.read_bytes()

    with pytest.raises(StoreError, match="newer version") as caught:
        Store.open(database)

    assert "Install" in caught.value.hint
    assert database.read_bytes() == before


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.db")), ids=lambda path: path.stem)
def test_a_file_of_every_released_version_opens(sample: Path, tmp_path: Path) -> None:
    """Each sample holds run 1 with every kind of event, and run 2, which its process left unfinished."""
    copy = tmp_path / "workbench.db"
    shutil.copy(sample, copy)

    opened = Store.open(copy)
    try:
        whole, cut = opened.load(1), opened.load(2)
        assert whole.opaque == cut.opaque == ()
        assert {type(event).__name__ for event in whole.events} >= {"RunStarted", "StepFinished", "VerdictGiven"}
        assert cut.verdict.codes == ("execution.process_ended",)
        assert [row.number for row in opened.list_runs("rome")] == [2, 1]
        assert [reply.number for reply in opened.runs_for_reparse()]
        assert opened.check().problems == ()
    finally:
        opened.close()


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be kept beside the file."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(sqlite.SqliteFile, "keep_copy", full)


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.db"))[:-1], ids=lambda path: path.stem)
def test_an_older_file_that_cannot_be_upgraded_is_read_from_a_copy(sample: Path, tmp_path: Path, no_room: None) -> None:
    there = tmp_path / "older.db"
    shutil.copy(sample, there)
    before = there.read_bytes()

    with closing(Store.look(there)) as looked:
        assert [row.number for row in looked.list_runs()] == [2, 1]
        assert looked.load(1).opaque == ()
        assert looked.check().problems == ()
        assert looked.name == str(there)
        with pytest.raises(StoreError, match="cannot be written"):  # what is recorded into a copy would be lost
            looked.delete([1])

    assert there.read_bytes()[100:] == before[100:]  # the header may tell how it was opened


def test_where_no_copy_can_be_made_what_to_do_is_said(
    tmp_path: Path, no_room: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "older.db"
    shutil.copy(SAMPLES / "r0001.db", there)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))

    with pytest.raises(StoreError, match=r"The disk is full.*older version.*no folder for a copy") as caught:
        Store.look(there)

    assert "TMPDIR" in caught.value.hint
    assert "1 MB" in caught.value.hint


def test_there_is_a_sample_of_this_version() -> None:
    assert (SAMPLES / f"{upgrade.HEAD}.db").exists()


def test_an_empty_file_is_made_and_an_older_one_is_brought_up(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    Store.open(tmp_path / "empty.db").close()
    assert sqlite.examine(tmp_path / "empty.db").revision == NOW
    assert not (tmp_path / "backups").exists()
    shutil.copy(SAMPLES / "r0001.db", tmp_path / "old.db")
    Store.open(tmp_path / "old.db").close()
    (kept,) = (tmp_path / "backups").iterdir()
    assert kept.name.startswith(f"old-before-{NOW}-from-r0001-")
    assert kept.name.endswith("Z.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as raw:
        assert raw.execute("PRAGMA application_id").fetchone() == (sqlite.APPLICATION_ID,)


def test_revisions_that_are_known() -> None:
    assert upgrade.is_known(NOW)
    assert upgrade.is_known("r0001")
    assert not upgrade.is_known("r0099")
    assert not upgrade.is_known(None)


def test_what_another_program_has_just_brought_up_is_left_alone(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "r0001.db", tmp_path / "old.db")
    file = sqlite.SqliteFile(tmp_path / "old.db")
    states = iter([sqlite.examine(file.path), sqlite.DatabaseState(False, NOW)])
    file.examine = lambda: next(states)  # type: ignore[method-assign]
    engine = file.writing_engine()
    upgrade.bring_up_to_date(file, engine)
    engine.dispose()
    assert sqlite.examine(file.path).revision == "r0001"
    assert not (tmp_path / "backups").exists()


def test_a_newer_version_is_named_with_what_to_do(tmp_path: Path) -> None:
    Store.open(tmp_path / "w.db").close()
    with closing(sqlite3.connect(tmp_path / "w.db")) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = 'r0099'")
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path / "w.db")
    assert (caught.value.message, caught.value.hint) == (
        f"The database {str(tmp_path / 'w.db')!r} was written by a newer version (schema r0099).",
        "Install that version, or give another data folder.",
    )


def test_a_folder_with_a_per_cent_sign_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade, "MIGRATIONS", Path("/a%20b/migrations"))
    assert upgrade.alembic_config().get_main_option("script_location") == "/a%20b/migrations"
