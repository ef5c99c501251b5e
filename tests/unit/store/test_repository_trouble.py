"""What a store says when its database cannot be read, is held by somebody, or has to be looked at without writing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from tests.kit import runs
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.verdict import VerdictState
from workbench.store import Store, repository, upgrade
from workbench.store.sqlite import SqliteFile

SAMPLES = Path(__file__).parents[2] / "data" / "databases"
DAMAGED = "The database is damaged."


@pytest.fixture(scope="module")
def closed_book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with one run, whose database cannot be read any more."""
    store = Store.open(tmp_path_factory.mktemp("book") / "w.db")
    store.record("r", runs.make_run("r"))
    row = store.find("r")
    store._history.find = lambda _ref: row  # type: ignore[method-assign]

    def broken() -> None:
        raise OperationalError("SELECT", None, Exception("database disk image is malformed"))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store._reading, "connect", broken)
        yield store
    store.close()


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (lambda store: store.batches.is_known("b"), "The batches could not be read."),
        (lambda store: store.batches.is_going("b"), "The batches could not be read."),
        (lambda store: store.batches.list(), "The batches could not be read."),
        (lambda store: store.batches.models(["b"]), "The batches could not be read."),
        (lambda store: store.batches.case_of("r"), "The batches could not be read."),
        (lambda store: store.batches.result_of("r"), "The batches could not be read."),
        (lambda store: store.batches.load("b"), "The batches could not be read."),
        (lambda store: store.list_runs("rome"), "The history could not be read."),
        (lambda store: store.count("model:x"), "The history could not be read."),
        (lambda store: store.recorded(), "The history could not be read."),
        (lambda store: store.facets(), "The history could not be read."),
        (lambda store: store.names("model"), "The history could not be read."),
        (lambda store: store.names("suite"), "The history could not be read."),
        (lambda store: store.held(["r"]), "The history could not be read."),
        (lambda store: store.load("r"), "The run could not be read."),
        (lambda store: list(store.runs_for_reparse()), "The replies could not be read."),
        (lambda store: store.empty_bin(), "The bin could not be read."),
        (lambda store: store.room(), "The records could not be measured."),
        (lambda store: store.check(), "The check could not be finished."),
        (lambda store: store.holds("ab"), "The chain could not be read."),
        (lambda store: store.opinions.of_run("r"), "The opinions could not be read."),
        (lambda store: store.tool_sets.rows(), "The tool sets could not be read."),
        (lambda store: store.tool_sets.load("mine"), "The tool set could not be read."),
        (lambda store: store.verifications.load("b"), "The verification could not be read."),
        (lambda store: store.verifications.observations("b"), "The verification could not be read."),
        (lambda store: store.verifications.ids(), "The verifications could not be read."),
        (lambda store: store.verifications.find("b"), "The verifications could not be read."),
    ],
)
def test_what_could_not_be_read_is_named(closed_book: Store, read: Callable[[Store], object], what: str) -> None:
    with pytest.raises(StoreError) as caught:
        read(closed_book)
    assert caught.value.message == f"{what} {DAMAGED}"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Somebody keeps the write lock; how long was waited for it each time."""
    waited: list[float] = []

    def held_by(_file: SqliteFile, wait_s: float) -> str:
        waited.append(wait_s)
        return "another program keeps the database locked."

    monkeypatch.setattr(SqliteFile, "held_by", held_by)
    return waited


def test_a_file_that_somebody_holds_is_not_opened(tmp_path: Path, held: list[float]) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path / "w.db")
    assert caught.value.message == (
        f"The database {str(tmp_path / 'w.db')!r} cannot be written: another program keeps the database locked."
    )
    assert caught.value.hint == "Close it, then try again."
    assert held == [0.8]


def test_who_looks_asks_for_the_lock_before_the_first_write_alone(tmp_path: Path, held: list[float]) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert held == [0.1], "a run was left behind"
        assert store.find(2).verdict.state is VerdictState.RUNNING, "it cannot be closed"
        with pytest.raises(StoreError, match="cannot be written"):
            store.record("r", runs.make_run("r"))
        assert held == [0.1, 0.8]


def test_who_looks_closes_what_was_left_behind(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / f"{upgrade.HEAD}.db", tmp_path / "w.db")
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert store.left_behind() == []
        assert store.find(2).verdict.codes == ("execution.process_ended",)


def test_who_looks_asks_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path / "w.db").close()
    asked: list[str] = []
    monkeypatch.setattr(repository, "_refuse_where_held", lambda database: asked.append(database.name))
    with closing(Store.look(tmp_path / "w.db")) as store:
        assert asked == []
        for name in ("a", "b"):
            store.record(name, runs.make_run(name))
    assert asked == [str(tmp_path / "w.db")]


def test_a_file_of_a_newer_version_is_not_looked_at_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path / "w.db").close()
    monkeypatch.setattr(upgrade, "HEAD", "r0000")
    monkeypatch.setattr(upgrade, "is_known", lambda _revision: False)
    with pytest.raises(StoreError, match="was written by a newer version") as caught:
        Store.look(tmp_path / "w.db")
    assert caught.value.hint == "Install that version, or give another data folder."


def test_where_no_copy_fits_the_room_that_it_takes_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("The disk is full.")

    shutil.copy(SAMPLES / "r0001.db", tmp_path / "w.db")
    monkeypatch.setattr(SqliteFile, "keep_copy", refuse)
    monkeypatch.setattr(SqliteFile, "copy_elsewhere", refuse)
    monkeypatch.setattr(SqliteFile, "size", lambda _file: 2_000_000_000)
    with pytest.raises(StoreError) as caught:
        Store.look(tmp_path / "w.db")
    assert caught.value.message == (
        "The disk is full. It is of an older version, and no copy could be made to read it: The disk is full."
    )
    assert caught.value.hint == (
        "Set TMPDIR to a folder on another disk with 4,001 MB free, or copy the data folder there."
    )
    monkeypatch.setattr(SqliteFile, "copy_elsewhere", lambda _file: None)
    with pytest.raises(StoreError, match=r"^The disk is full\.$"):
        Store.look(tmp_path / "w.db")


def test_a_run_under_way_is_named_by_its_number(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "w.db")) as store:
        store.record("open", [runs.started("open")])
        with pytest.raises(InvalidInput) as caught:
            store.remove(["open"])
        assert (caught.value.message, caught.value.hint) == (
            "Run 1 is under way.",
            "Stop it, or wait for its end.",
        )
        store.record("whole", runs.make_run("whole"))
        store.close_run("whole")
        assert store.find("whole").verdict == runs.PASSED
        store.close_run("open")
        assert store.find("open").verdict.codes == ("execution.process_ended",)


def test_a_chain_is_known_by_the_beginning_of_a_hash(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "w.db")) as store:
        store.record("r", runs.make_run("r"))
        head = store.check().chain.head
        assert store.holds(head)
        assert store.holds(head[:12].upper())
        assert not store.holds("zz")
        assert not store.holds("%")
        assert not store.holds("")


def test_the_bin_is_emptied_in_pieces_that_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.store.retention._AT_ONCE", 2)
    told: list[int] = []
    with closing(Store.open(tmp_path / "w.db")) as store:
        names = [f"r{number}" for number in range(4)]
        for name in names:
            store.record(name, runs.make_run(name))
        store.delete(names[:3])
        assert store.empty_bin(told.append) == 3
        assert (told, store.recorded()) == ([2, 1], 1)
        assert store.empty_bin(told.append) == 0
