from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.core.batch import Batch
from workbench.grading.attribution import pareto
from workbench.grading.comparison import compare_all
from workbench.grading.conclusion import Conclusion, conclude, why_fails
from workbench.grading.matrix import matrix

NAMES = ("A", "B", "C", "D", "E", "F")


def concluded(made: Batch) -> Conclusion:
    return conclude(made, matrix(made).columns, compare_all(made), NAMES)


def alike(*words: str, cases: int = 12) -> Batch:
    """Every other case goes the other way."""
    other = str.maketrans("sf", "fs")
    return batch({f"c{at}": [word.translate(other) if at % 2 else word for word in words] for at in range(cases)})


def test_a_shown_winner_is_called_so() -> None:
    found = concluded(batch({f"c{at}": ["fsf", "sss", "fff"] for at in range(12)}))

    assert (found.best, found.shown, found.rival) == (1, True, 0)
    assert found.which.startswith("B is in front with 100 % (")
    assert found.which.endswith("and shown to be best: all 2 others are worse.")
    assert found.why == "A fails in 24 runs: decision 100 % (no_call); decision most often in c0."
    assert found.settle == ""


def test_what_is_not_shown_is_told_with_what_would_settle_it() -> None:
    found = concluded(alike("ssf", "fss", "ffs"))

    assert not found.shown
    assert "not shown to be best: not told apart from" in found.which
    assert found.settle.startswith("To settle ")
    assert "more cases like these, " in found.settle
    assert "runs of each of the two, 0 tokens." in found.settle
    assert found.lines == (found.which, found.why, found.settle)


def test_few_cases_are_settled_by_repeats() -> None:
    assert "more runs of each case" in concluded(batch({"a": ["ssf", "sff"], "b": ["sss", "sss"]})).settle


def test_many_names_are_cut() -> None:
    found = concluded(alike("sf", "sf", "sf", "sf", "sf", "sf"))

    assert found.which.endswith("not told apart from B, C, D and 2 more.")


def test_nothing_judged_concludes_nothing() -> None:
    assert concluded(batch({"a": [".", "."]})) == Conclusion(None, False, None, "", "", "")


def test_one_target_alone_is_not_called_best() -> None:
    found = concluded(batch({f"c{at}": ["ssf"] for at in range(4)}))

    assert (found.rival, found.why, found.settle) == (None, "", "")
    assert found.which == "A passes 67 % (25–92); a second target would say how good that is."
    assert why_fails(pareto(batch({"a": ["s"]}), 0), "A") == "A did not fail."


def test_targets_that_are_asked_otherwise_are_no_candidates() -> None:
    targets = (target("m"), replace(target("m"), variation="tools=shuffled"))

    found = concluded(batch({f"c{at}": ["sff", "sss"] for at in range(12)}, targets=targets))

    assert (found.best, found.rival) == (0, None)
