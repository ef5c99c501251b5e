from __future__ import annotations

from dataclasses import replace

from tests.kit import runs
from workbench.core.events import ChunkReceived
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store import Store
from workbench.store.rows import RunRow


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


ROW = RunRow(
    number=7, id="r", started_us=1_790_000_000_999_999, title="T", prompt="P", provider="p", model="m", format="f", mode="boost",
    planner="pl", wire="w", origin="o", simulated=True, verdict=Verdict(VerdictState.FAIL, Basis.EXPECTATION, "why", ("a.b", "c.d")),
    duration_us=1_234_567, steps=3, calls=2, input_tokens=5, output_tokens=6, stop="answer", target="t", target_id="h",
    parser_version="v", tools=("x", "y"), deleted_us=4, user="u", edited=8, edit_of=9,
)  # fmt: skip
PRINTED = {
    "id": "r", "number": 7, "started": "2026-09-21T14:13:20Z", "target": "t", "verdict": "fail", "basis": "expectation", "reason": "why",
    "codes": ["a.b", "c.d"], "title": "T", "prompt": "P", "provider": "p", "model": "m", "format": "f", "mode": "boost", "planner": "pl",
    "wire": "w", "origin": "o", "user": "u", "edited": 8, "edit_of": 9, "simulated": True, "stop": "answer", "seconds": 1.235, "steps": 3,
    "calls": 2, "tools": ["x", "y"], "tokens": {"input": 5, "output": 6}, "target_id": "h", "parser_version": "v",
}  # fmt: skip


def test_a_row_is_printed_with_all_that_it_holds() -> None:
    assert ROW.to_json() == PRINTED
    bare = replace(ROW, planner="", user="", stop="", edited=None, edit_of=None)
    none = dict.fromkeys(("planner", "user", "stop", "edited", "edit_of"))
    assert bare.to_json() == {**PRINTED, **none}


def test_the_verdict_of_the_history_goes_before_that_of_the_events(store: Store, database: object) -> None:
    store.record("r", runs.make_run("r"))
    stored = store.load("r")
    other = replace(stored, run=replace(stored.run, verdict=runs.failed("parse.x")))
    assert other.summary().verdict == other.verdict == runs.failed("parse.x")
    assert stored.summary().verdict == runs.PASSED
