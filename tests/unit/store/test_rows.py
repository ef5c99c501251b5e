from __future__ import annotations

from tests.kit import runs
from workbench.store import Store


def test_a_line_is_printed_with_the_fields_that_scripts_rely_on(store: Store) -> None:
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
