"""The last runs of each model, summed up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit import runs
from workbench.app.performances import newest, performances
from workbench.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store.open(tmp_path / "workbench.db")
    yield found
    found.close()


def _add(store: Store, model: str) -> None:
    made = runs.make_run(model=model)
    store.record(runs.run_id_of(made), made)


def test_each_model_has_its_own_last_runs(store: Store) -> None:
    for _ in range(5):
        _add(store, "often")
    _add(store, "seldom")
    found = [(one.model, one.format, one.performance.runs) for one in performances(store, last=3)]
    assert found == [("often", "qwen_xml", 3), ("seldom", "qwen_xml", 1)]
    assert [one.model for one in performances(store, "model:seldom")] == ["seldom"]
    assert list(performances(store, "model:nobody")) == []
    assert len(newest(store, limit=4)) == 4


def test_it_can_be_stopped(store: Store) -> None:
    _add(store, "often")
    assert list(performances(store, stop=lambda: True)) == []
