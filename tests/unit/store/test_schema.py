from __future__ import annotations

from workbench.store.schema import metadata, runs


def test_lines_of_the_history_stay_narrow() -> None:
    wide = {"title", "prompt", "reason", "target", "id"}

    assert not wide & set(runs.c.keys())


def test_everything_of_a_run_goes_with_it() -> None:
    for name in ("run_details", "events", "chunks", "blobs", "steps"):
        (key,) = [key for key in metadata.tables[name].foreign_keys if key.column is runs.c.number]
        assert key.ondelete == "CASCADE"


def test_what_an_event_is_found_by_is_never_empty() -> None:
    for name, needed in (
        ("events", {"number", "seq", "kind"}),
        ("chunks", {"number", "seq"}),
        ("blobs", {"number", "data"}),
    ):
        assert needed <= {column.name for column in metadata.tables[name].columns if not column.nullable}, name
