from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit import runs
from workbench.core.events import RunEvent
from workbench.store import Store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "workbench.db"


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    opened = Store.open(database)
    yield opened
    opened.close()


@pytest.fixture
def add(store: Store) -> Callable[..., int]:
    """Record a made-up run and return its number."""

    def record(events: list[RunEvent] | None = None, **wanted: object) -> int:
        made = events or runs.make_run(**wanted)  # type: ignore[arg-type]
        return store.record(runs.run_id_of(made), made)

    return record
