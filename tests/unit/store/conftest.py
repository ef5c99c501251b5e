from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.postgres import PostgresCluster, postgres_cluster, program
from workbench.core.events import RunEvent
from workbench.store import Store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "workbench.db"


@pytest.fixture(scope="session")
def cluster() -> Iterator[PostgresCluster]:
    if not program("initdb"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgres_cluster() as running:
        yield running


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of the store runs on both kinds of database, but for those that look into the file itself."""
    if "records" in metafunc.fixturenames:
        kinds = ["sqlite"] if "database" in metafunc.fixturenames else ["sqlite", "postgresql"]
        metafunc.parametrize("records", kinds, indirect=True)


@pytest.fixture
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where the records are: a path or an address."""
    return (
        tmp_path / "home" / "workbench.db"
        if request.param == "sqlite"
        else request.getfixturevalue("cluster").history()
    )


@pytest.fixture
def store(records: Path | str) -> Iterator[Store]:
    opened = Store.open(records)
    yield opened
    opened.close()


@pytest.fixture
def add(store: Store) -> Callable[..., int]:
    """Record a made-up run and return its number."""

    def record(events: list[RunEvent] | None = None, **wanted: object) -> int:
        made = events or runs.make_run(**wanted)  # type: ignore[arg-type]
        return store.record(runs.run_id_of(made), made)

    return record
