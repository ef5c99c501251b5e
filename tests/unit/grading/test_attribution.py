from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch
from workbench.core.batch import Batch, BatchItem
from workbench.grading.attribution import layer_of, pareto

MADE = batch({"rome": ["ffffs", "eess"], "oslo": ["ff.s", "ssss"]})


def coded(made: Batch, *codes: str) -> Batch:
    """The failures of the first target get these codes, in order; the last one is for all others."""
    left = list(codes)

    def one(item: BatchItem) -> BatchItem:
        if item.result is None or item.target or item.result.verdict.state != "fail":
            return item
        code = left.pop(0) if len(left) > 1 else left[0]
        verdict = replace(item.result.verdict, codes=(code,) if code else ())
        return replace(item, result=replace(item.result, verdict=verdict))

    return replace(made, items=tuple(map(one, made.items)))


def test_every_failure_counts_once_and_the_largest_layer_comes_first() -> None:
    made = coded(
        MADE, "decision.no_call", "argument.wrong_value", "argument.missing", "argument.wrong_value", "parse.lost_call"
    )

    found = pareto(made, 0)

    assert [(one.layer, one.failed, one.failures) for one in found] == [
        ("argument", 3, 6),
        ("parse", 2, 6),
        ("decision", 1, 6),
    ]
    assert found[0].codes == (("argument.wrong_value", 2), ("argument.missing", 1))
    assert found[0].share == 0.5
    assert found[0].cases == (("rome", 3),)
    assert found[1].runs == ("run-oslo-0-0", "run-oslo-0-1")
    assert sum(one.failed for one in found) == 6


def test_errors_are_laid_to_a_layer_too_and_passes_to_none() -> None:
    (found,) = pareto(MADE, 1)

    assert (found.layer, found.failed, found.codes) == ("grader", 2, (("grader.no_code", 2),))
    assert layer_of(MADE.items[4]) is None
    assert layer_of(MADE.items[11]) is None


def test_an_unknown_layer_is_the_judges_to_explain() -> None:
    (found,) = pareto(coded(batch({"a": ["f"]}), "strange.code"), 0)

    assert (found.layer, found.codes) == ("grader", (("strange.code", 1),))
