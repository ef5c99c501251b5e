"""Runs of another history: whole or not at all, together or alone. How they get here is tested in `test_copying.py`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.kit import runs
from workbench.core.errors import StoreError
from workbench.core.verdict import VerdictState
from workbench.store import Store
from workbench.store.opinions import HAND, Opinion


def test_one_run_that_cannot_be_written_takes_none_of_its_neighbours_along(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store.open(tmp_path / "elsewhere.db")) as source:
        for name in ("one", "two", "three"):
            source.record(name, runs.make_run(name))
        taken = [(source.load(name), ()) for name in ("one", "two", "three")]
    append = store._journal.append

    def refuse(connection: Connection, run_id: str, *rest: object) -> int:
        if run_id == "two":
            raise StoreError("The disk is full.")
        return append(connection, run_id, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(store._journal, "append", refuse)
        with pytest.raises(StoreError, match="full"):
            store.intake.take(taken)

    store.intake.take([])
    assert set(store.held(["one", "two", "three"])) == {"one", "three"}
    store.intake.take(taken[1:2])
    assert store.recorded() == 3
    assert store.check().problems == ()


def test_a_run_in_the_bin_stays_there_and_says_since_when(store: Store, tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "elsewhere.db")) as source:
        for name in ("kept", "binned"):
            source.record(name, runs.make_run(name))
        source.delete(["binned"])
        then = source.find("binned").deleted_us
        store.intake.take([(source.load(name), ()) for name in ("kept", "binned")])
    assert (store.find("kept").deleted_us, store.find("binned").deleted_us) == (None, then)


def test_a_run_without_an_end_is_closed(store: Store, tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "elsewhere.db")) as source:
        source.record("cut", runs.make_run("cut", verdict=None)[:-1])
        source.close_run("cut")
        store.intake.take([(source.load("cut"), ())])
    assert store.find("cut").verdict.state is not VerdictState.RUNNING
    assert store.check().problems == ()


def test_what_was_said_of_a_run_and_who_recorded_it_come_along(store: Store, tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "elsewhere.db")) as source:
        for name, user in (("one", "ada"), ("two", "")):
            source.record(name, runs.make_run(name), user)
        said = [Opinion("two", at, HAND, "me", VerdictState.FAIL, f"wrong {at}") for at in (1, 2)]
        store.intake.take([(source.load("one"), ()), (source.load("two"), said)])
    assert store.opinions.of_runs(["one", "two"]) == tuple(said)
    assert [store.find(name).user for name in ("one", "two")] == ["ada", ""]


def test_a_run_that_is_over_is_not_closed_again(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    with closing(Store.open(tmp_path / "elsewhere.db")) as source:
        source.record("whole", runs.make_run("whole"))
        source.record("cut", runs.make_run("cut", verdict=None)[:-1])
        source.close_run("cut")
        close = store._journal.close_run

        def noted(connection: Connection, run_id: str) -> int:
            closed.append(run_id)
            return close(connection, run_id)

        monkeypatch.setattr(store._journal, "close_run", noted)
        store.intake.take([(source.load(name), ()) for name in ("whole", "cut")])
    assert closed == ["cut"]
    assert store.find("whole").verdict == runs.PASSED
