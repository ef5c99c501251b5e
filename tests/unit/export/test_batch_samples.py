from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, result
from workbench.core.verdict import Basis, VerdictState
from workbench.export.batch_samples import COLUMNS, exclusion, exclusions, sample_rows

MADE = batch({"good": ["ss", "ff"], "trouble": ["ec", ".-"]})


def test_every_planned_run_is_a_row_with_what_makes_it_comparable() -> None:
    rows = list(sample_rows(MADE))
    assert len(rows) == len(MADE.items)
    assert all(tuple(row) == COLUMNS for row in rows)
    first = rows[0]
    assert (first["case"], first["repeat"], first["seed_asked"], first["counted"]) == ("good", 1, 1000, True)
    assert (first["served_model"], first["parser"], first["grader"], first["verdict"]) == ("m", "1", "1", "pass")
    assert first["target_id"] == MADE.spec.targets[0].identity()
    waiting = next(row for row in rows if row["excluded"] == "not run")
    assert (waiting["verdict"], waiting["counted"]) == (None, False)


def test_what_is_left_out_of_the_rates_is_counted_by_reason() -> None:
    assert dict(exclusions(MADE)) == {
        "error of provider or network": 1, "cancelled": 1, "not run": 1, "taken out by hand": 1,
    }  # fmt: skip


def test_run_without_an_expectation_enters_no_rate() -> None:
    item = replace(MADE.items[0], result=result("s", basis=Basis.INTRINSIC))
    assert exclusion(item) == "no expectation"
    assert exclusion(MADE.items[0]) == ""


def test_a_verdict_set_by_hand_stands_beside_the_machines() -> None:
    rows = list(sample_rows(MADE, {"run-good-1-0": VerdictState.PASS}))
    told = [(row["run"], row["verdict"], row["by_hand"]) for row in rows if row["by_hand"]]
    assert told == [("run-good-1-0", "fail", "pass")]
    assert next(row["counted"] for row in rows if row["by_hand"])
