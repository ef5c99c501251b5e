from __future__ import annotations

import math
from dataclasses import replace

import pytest

from workbench.verify.intervals import PairShare, Share, share_difference
from workbench.verify.judgement import Judgement, Result
from workbench.verify.limit_comparison import MetricComparison, further_pairs, noise_width
from workbench.verify.metrics import METRICS, Better
from workbench.verify.policy import Limit

LEAK = METRICS["leaked_as_text"]
TOKENS = next(metric for metric in METRICS.values() if metric.better is Better.SAME)


def parts(faults: int, start: int = 0, of: int = 100) -> list[PairShare]:
    return [PairShare(f"c{at}", float((at - start) % of < faults), 1.0) for at in range(of)]


def compared(before: int, after: int, limit: Limit, *, same: bool = False, turn: float = 1.0) -> MetricComparison:
    test = share_difference(parts(before), parts(after, 50))
    assert test is not None
    return MetricComparison(Result(TOKENS if same else LEAK, 0, None, pairs=100), test, None, limit, before / 100, turn)


def test_worse_by_more_than_the_limit_fails() -> None:
    one = compared(0, 30, Limit(drop=0.05))
    assert one.worse == pytest.approx(0.3)
    assert one.judge(0.05, 0.05) is Judgement.FAIL
    assert one.p() < 0.001


def test_no_worse_passes_and_its_p_value_is_one() -> None:
    one = compared(10, 10, Limit(drop=0.2))
    assert (one.judge(0.05, 0.05), one.p()) == (Judgement.PASS, 1.0)


def test_better_by_much_fails_only_where_less_is_as_bad_as_more() -> None:
    better, other = compared(40, 0, Limit(drop=0.05)), compared(40, 0, Limit(drop=0.05), same=True)
    assert (better.judge(0.05, 0.05), other.judge(0.05, 0.05)) == (Judgement.PASS, Judgement.FAIL)
    assert (better.p(), other.p() < 0.001) == (1.0, True)


def test_where_more_is_better_the_difference_is_turned() -> None:
    one = compared(90, 60, Limit(drop=0.05), turn=-1.0)
    low, high = one.interval(0.05)
    assert low < one.worse < high
    assert one.worse == pytest.approx(0.3)
    assert one.judge(0.05, 0.05) is Judgement.FAIL


def test_a_share_by_itself_is_held_against_the_value_that_a_policy_names() -> None:
    one = MetricComparison(
        Result(LEAK, 0, None, pairs=50), Share(0.3, 50.0, 50), None, Limit(at_most=0.05), 0.3, 1.0, -0.05
    )
    assert one.worse == pytest.approx(0.25)
    assert (one.allowed(), one.judge(0.05, 0.05)) == (0.0, Judgement.FAIL)
    assert one.p() < 0.01
    alone = replace(one, test=Share(0.3, 1.0, 1))
    assert (alone.p(), alone.judge(0.05, 0.05)) == (1.0, Judgement.INCONCLUSIVE)


def test_noise_is_the_wider_end_and_shrinks_with_further_pairs() -> None:
    noise = share_difference(parts(10), parts(14))
    low, high = noise.interval(0.05) if noise else (math.nan, math.nan)
    assert noise_width(noise) == max(abs(low), abs(high))
    assert noise_width(noise, 4.0) < noise_width(noise)
    assert noise_width(None) == 0.0
    share = Share(0.9, 50.0, 50)
    assert noise_width(share) == pytest.approx(0.9 - share.interval(0.05)[0])


def test_further_pairs_grow_as_the_difference_nears_its_limit() -> None:
    near, far = compared(10, 12, Limit(drop=0.06)), compared(10, 10, Limit(drop=0.06))
    assert near.judge(0.05, 0.05) is far.judge(0.05, 0.05) is Judgement.INCONCLUSIVE
    wanted = further_pairs(far, 0.05, 0.05, 100)
    assert wanted is not None
    assert 10 < wanted < (further_pairs(near, 0.05, 0.05, 100) or math.inf)
