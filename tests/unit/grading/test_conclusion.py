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
    assert "; which is best is not shown: A is not told apart from B and C." in found.which
    assert found.settle.startswith("To settle ")
    assert "more cases like these, " in found.settle
    assert "runs of each of the two, 0 tokens." in found.settle
    assert found.lines == (found.which, found.why, found.settle)


def test_of_a_rival_without_failures_the_next_one_that_fails_is_told() -> None:
    found = concluded(batch({f"c{at}": ["sss", "sss", "sff"] for at in range(4)}))
    assert found.rival == 1
    assert found.why.startswith("C fails in 8 runs: ")
    assert concluded(batch({"c": ["sss", "sss"]})).why == "B did not fail."


def test_few_cases_are_settled_by_repeats() -> None:
    assert "more runs of each case" in concluded(batch({"a": ["ssf", "sff"], "b": ["sss", "sss"]})).settle


def test_many_names_are_cut() -> None:
    found = concluded(alike("sf", "sf", "sf", "sf", "sf", "sf"))

    assert found.which.startswith("A, B, C and 3 more are in front with 50 % each (A ")
    assert found.which.endswith("; which is best is not shown: A is not told apart from B, C, D and 2 more.")


def test_equal_scores_are_tied_however_they_were_added_up() -> None:
    made = batch({"a": ["sffsss", "sssfff"], "b": ["ff", "sf"], "c": ["ssfsff", "sfffff"]})
    assert len({column.score.value for column in matrix(made).columns if column.score}) == 2
    assert "are in front with 39 % each (" in concluded(made).which


def test_nothing_judged_concludes_nothing() -> None:
    assert concluded(batch({"a": [".", "."]})) == Conclusion(None, False, None, "", "", "")
    found = concluded(batch({"a": ["ee", "nc"]}))
    assert (found.best, found.lines) == (None, ("No run could be judged, so nothing is known of any target.",))


def test_one_target_alone_is_not_called_best() -> None:
    found = concluded(batch({f"c{at}": ["ssf"] for at in range(4)}))

    assert (found.rival, found.why, found.settle) == (None, "", "")
    assert found.which == "A passes 67 % (25–92); a second target would say how good that is."
    assert why_fails(pareto(batch({"a": ["s"]}), 0), "A") == "A did not fail."


def test_targets_that_are_asked_otherwise_are_no_candidates() -> None:
    targets = (target("m"), replace(target("m"), variation="tools=shuffled"))

    found = concluded(batch({f"c{at}": ["sff", "sss"] for at in range(12)}, targets=targets))

    assert (found.best, found.rival) == (0, None)


def test_who_was_not_judged_is_said() -> None:
    assert concluded(batch({"a": ["sf", ".."], "b": ["ss", "ee"]})).which == "A passes 75 % (1–100); B was not judged."
    found = concluded(batch({"a": ["ss", "..", "ff", "ec"]}))
    assert found.which.endswith("not told apart from C. B and D were not judged.")


def test_errors_are_no_failures() -> None:
    def why(*words: str) -> str:
        return why_fails(pareto(batch({"a": words}), 0), "A")

    assert why("ssfe").startswith("A fails in 1 run, 1 more ended in an error: decision 50 % (no_call)")
    assert why("ee").startswith("A: 2 runs ended in an error: ")
    assert why("fe", "s").startswith("A fails in 1 run, 1 more ended")


def test_one_in_front_that_does_worse_where_both_were_judged_is_not_called_equal() -> None:
    words = {f"c{at:02}": ["fff", "sss"] for at in range(6)} | {f"d{at:02}": ["sss", "eee"] for at in range(40)}
    words |= {f"e{at:02}": ["eee", "fff"] for at in range(8)}
    found = concluded(batch(words))

    assert (found.best, found.rival, found.shown) == (0, 1, False)
    assert found.which.endswith("; not shown to be best: worse than B on the cases that both were judged on.")
