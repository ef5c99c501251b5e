from __future__ import annotations

from tests.kit import runs
from workbench.core.events import ChunkReceived
from workbench.core.verdict import VerdictState
from workbench.store import Store


def test_run_row_json_fields(store: Store) -> None:
    store.record("r", runs.make_run("r", planner="plain", verdict=runs.failed("parse.truncated")))

    printed = store.find("r").to_json()

    assert printed["id"] == "r"
    assert printed["started"] == "2026-09-21T14:13:20Z"
    assert printed["target"] == "Simulator/qwen-hasty · qwen_xml · boost Simulator/plain"
    assert (printed["verdict"], printed["codes"]) == ("fail", ["parse.truncated"])
    assert (printed["seconds"], printed["tokens"]) == (2.5, {"input": 200, "output": 20})


def test_a_stored_run_knows_number_and_verdict(store: Store) -> None:
    number = store.record("r", runs.make_run("r"))

    stored = store.load("r")

    assert stored.number == number
    assert stored.verdict is stored.run.verdict


def test_a_stored_run_is_summed_up_with_the_verdict_of_the_history(store: Store) -> None:
    store.record("r", runs.make_run("r", verdict=None))
    found = store.load("r", chunks=False)

    assert found.summary().call_count == 1
    assert found.summary().state is VerdictState.RUNNING
    assert not [event for event in found.events if isinstance(event, ChunkReceived)]
