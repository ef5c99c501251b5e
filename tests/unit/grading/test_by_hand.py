from __future__ import annotations

import pytest

from tests.kit.batches import batch
from tests.kit.timing import growth
from workbench.core.verdict import VerdictState
from workbench.grading.by_hand import Agreement, agreement, recount, recount_line
from workbench.grading.matrix import matrix
from workbench.grading.rates import Rate

PASS, FAIL = VerdictState.PASS, VerdictState.FAIL
MADE = batch({"a": ["ssff", "ssss"], "b": ["ffen", "ssss"]})


def test_verdicts_by_hand_are_counted_beside_the_machines() -> None:
    states = {"run-a-0-2": PASS, "run-a-0-0": PASS, "run-b-0-2": FAIL}

    (found,) = recount(MADE, states)

    assert (found.target, found.set_by_hand, found.changed) == (0, 3, 2)
    assert (found.machine, found.by_hand) == (Rate(2, 6), Rate(3, 7))
    assert matrix(MADE).columns[0].rate == found.machine
    assert recount_line([found], ["A"]) == "3 verdicts set by hand, counted apart: A 3/7 instead of 2/6 (2 changed)."
    assert recount(MADE, {}) == ()
    assert recount_line((), ()) == ""


def test_counting_again_is_linear_in_targets() -> None:
    made = {targets: batch({"a": ["ss"] * targets}) for targets in (100, 400)}

    assert growth(lambda targets: [recount(made[targets], {"run-a-0-0": FAIL}) for _ in range(20)], 100) < 10


def test_kappa_is_agreement_beyond_chance() -> None:
    # sklearn.metrics.cohen_kappa_score of 20/5/10/15, the table of Cohen's own example: 0.4
    found = Agreement(20, 15, 5, 10)

    assert found.kappa == pytest.approx(0.4, abs=1e-12)
    assert found.observed == 0.7
    assert found.sentence("hand", "judge") == "hand and judge agree on 35 of 50 runs (κ = 0.40)."
    assert Agreement(4, 0, 0, 0).kappa is None
    assert "κ is not defined" in Agreement(4, 0, 0, 0).sentence("hand", "judge")
    assert "Fewer than 20 runs" in Agreement(4, 1, 0, 0).sentence("hand", "judge")


def test_only_what_both_called_pass_or_fail_is_compared() -> None:
    found = agreement({"1": PASS, "2": FAIL, "3": PASS, "4": VerdictState.ERROR}, {"1": PASS, "2": PASS, "4": PASS})

    assert found == Agreement(1, 0, 0, 1)
    assert agreement({}, {}).sentence("hand", "judge") == "hand and judge have no run in common."
    assert agreement({}, {}).kappa is None
