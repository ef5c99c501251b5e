from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, result
from workbench.core.batch import BatchRow, BatchState, CallRow, CallState, FieldRow, FieldState, StoppingRule


def test_remaining_items_wait_or_run() -> None:
    assert batch({"a": ["p.-", ".."]}).left == 3
    assert batch({"a": ["pf"]}).left == 0


def test_stopped_batch_without_owner_is_resumable() -> None:
    row = BatchRow("b", "t", "s", 0, BatchState.STOPPED, 1, 1, 2, total=2, done=1)

    assert row.resumable
    assert not replace(row, done=2).resumable
    assert not replace(row, alive=True).resumable


def test_folded_values_are_in_the_field_table() -> None:
    folded = FieldRow(("n",), FieldState.FOLDED, 3, 3.0, "numeric spelling")
    wrong = FieldRow(("m",), FieldState.WRONG_VALUE, 1, 2)
    call = CallRow(CallState.MISMATCH, "t", "t", 0, 0, 0, (folded, wrong), 2)

    assert replace(result("f"), calls=(call,)).folded == ((call, folded),)


def test_a_batch_runs_all_repeats_unless_a_rule_was_fixed() -> None:
    rule = StoppingRule()

    assert batch({"a": ["p"]}).spec.stopping is None
    assert (rule.level, rule.margin, rule.every, rule.max_cost) == (0.05, 0.05, 1, None)
