from __future__ import annotations

from workbench.verify.judgement import Judgement, Result, Verdicts
from workbench.verify.metrics import METRICS

METRIC = next(iter(METRICS.values()))


def said(*rows: list[tuple[Judgement | None, int | None]]) -> Verdicts:
    results = tuple(
        tuple(Result(METRIC, at, None, judgement=judgement, further=further) for judgement, further in row)
        for at, row in enumerate(rows)
    )
    return Verdicts((), results, 0, 0.05)


def test_words() -> None:
    assert [judgement.word for judgement in Judgement] == ["PASS", "FAIL", "INCONCLUSIVE"]


def test_counts_are_of_one_candidate_and_leave_out_what_is_not_judged() -> None:
    found = said([(Judgement.PASS, None), (Judgement.PASS, None), (None, None)], [(Judgement.FAIL, None)])
    assert found.counts(0) == {Judgement.PASS: 2, Judgement.FAIL: 0, Judgement.INCONCLUSIVE: 0}
    assert found.counts(1)[Judgement.FAIL] == 1


def test_further_pairs_are_the_most_that_one_metric_wants() -> None:
    found = said([(Judgement.INCONCLUSIVE, 4), (Judgement.INCONCLUSIVE, 9), (Judgement.INCONCLUSIVE, None)], [])
    assert (found.further(0), found.further(1), found.open) == (9, None, 2)


def test_one_failed_metric_of_one_candidate_fails_the_verification() -> None:
    assert said([(Judgement.PASS, None)], [(Judgement.FAIL, None)]).failed
    assert not said([(Judgement.PASS, None)], [(Judgement.INCONCLUSIVE, 3), (None, None)]).failed
