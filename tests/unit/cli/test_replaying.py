"""Which runs an order means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.batches import case
from tests.kit.history import record
from tests.kit.playback import CALL, play, reply
from workbench.cases.files import save_case
from workbench.cli.replaying import MODES, Order, perform, selection
from workbench.core.errors import InvalidInput
from workbench.replay.passes import size
from workbench.replay.result import Replayed
from workbench.store import Store

IDS = [f"01890000-0000-7000-8000-00000000000{number}" for number in range(1, 4)]


@pytest.fixture
def store(home: Path):
    record(*(play(reply(CALL), reply("Done."), run_id=run_id) for run_id in IDS))
    opened = Store.open(home / "workbench.db")
    yield opened
    opened.close()


def test_runs_by_name_by_filter_and_all(store: Store) -> None:
    assert size(store, selection(store, Order(refs=("1", "3")))) == 2
    assert size(store, selection(store, Order(filter="id:2"))) == 1
    assert size(store, selection(store, Order())) == 3
    with pytest.raises(InvalidInput):
        selection(store, Order(refs=("9",)))


def test_a_suites_cases_judge_the_runs_that_they_were_made_from(store: Store, home: Path) -> None:
    save_case(replace(case("rome"), source_run=IDS[1]), home / "suites" / "mine")
    wanted = selection(store, Order(suite="mine"))
    assert size(store, wanted) == 1
    kept = wanted.cases(IDS[1])
    assert kept is not None
    assert kept.id == "rome"
    assert wanted.cases(IDS[0]) is None


def test_every_run_is_told_of_in_every_mode(store: Store) -> None:
    for mode in MODES:
        told: list[Replayed] = []
        assert perform(Order(mode), told.append) == 3
        assert [item.mode for item in told] == [mode] * 3
