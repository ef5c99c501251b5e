from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from tests.kit.verifying import BREAKS, TOUCHES, virtual_pairs
from workbench.verify.judgement import Judgement, Result, Verdicts
from workbench.verify.observation import Observation
from workbench.verify.pairs import Pair
from workbench.verify.policy import Limit, VerifyPolicy, load_policy, policy_from_document
from workbench.verify.verdicts import verdicts

CALLED = Observation(finish="tool_calls", honest=True, calls=1, valid=1, joined=1, offered=True, agreement="a", streamed=True,
                     input_tokens=100, first_token_us=400_000, total_us=900_000, cost=0.002)  # fmt: skip
LEAKED = replace(CALLED, calls=0, valid=0, joined=0, agreement="", leaked=True, honest=False, finish="stop")
FAILED = Observation(error="server")


def made(
    candidate: list[Observation | None], reference: Observation = CALLED, second: Observation | None = CALLED
) -> list[Pair]:
    return [
        Pair(at + 1, f"r{at}", "f", at % 2 == 0, (reference, second) if second else (reference,), (own,))
        for at, own in enumerate(candidate)
    ]


def judged(pairs: list[Pair], policy: VerifyPolicy | None = None) -> dict[str, Result]:
    found = verdicts(pairs, 1, policy or load_policy())
    return {result.metric.id: result for result in found.results[0]}


def test_the_same_passes_everywhere() -> None:
    found = verdicts(made([CALLED] * 200), 1, load_policy())
    assert not found.failed
    words = {result.judgement for result in found.results[0]}
    assert words == {Judgement.PASS, None}
    assert found.counts(0)[Judgement.FAIL] == 0
    assert found.further(0) is None


def test_a_leak_fails_with_its_interval_above_the_limit() -> None:
    found = judged(made([LEAKED if at % 4 == 0 else CALLED for at in range(200)]))["leaked_as_text"]
    assert found.judgement is Judgement.FAIL
    assert found.value == pytest.approx(0.25)
    assert found.limit is not None
    assert found.limit < found.low < found.difference < found.high  # type: ignore[operator]
    assert (found.faults, found.replies) == (50, 200)
    assert found.threshold == pytest.approx(found.limit)


def test_few_pairs_are_inconclusive_and_say_how_many_would_decide() -> None:
    found = judged(made([LEAKED if at % 4 == 0 else CALLED for at in range(24)]))["leaked_as_text"]
    assert found.judgement is Judgement.INCONCLUSIVE
    assert found.further is not None
    assert 10 < found.further < 400
    again = judged(made([LEAKED if at % 4 == 0 else CALLED for at in range(24 + found.further)]))["leaked_as_text"]
    assert again.judgement is Judgement.FAIL


def test_the_interval_never_says_anything_else_than_the_word() -> None:
    dice = random.Random(3)
    seen = set()
    for _ in range(60):
        rate, count = dice.choice([0, 0.02, 0.05, 0.1, 0.2]), dice.choice([30, 90, 200])
        pairs = made([LEAKED if dice.random() < rate else CALLED for _ in range(count)])
        for result in judged(pairs).values():
            if result.judgement is None or result.limit is None or result.reason:
                continue
            seen.add(result.judgement)
            match result.judgement:
                case Judgement.FAIL:
                    assert result.low > result.limit
                case Judgement.PASS:
                    assert result.high <= result.limit
                case Judgement.INCONCLUSIVE:
                    assert result.low <= result.limit < result.high
    assert seen == set(Judgement)


def test_errors_leave_all_rates_but_success() -> None:
    found = judged(made([FAILED if at % 2 else CALLED for at in range(200)]))
    assert found["request_success"].judgement is Judgement.FAIL
    assert found["request_success"].value == 0.5
    assert found["schema_accuracy"].judgement is Judgement.PASS
    assert found["schema_accuracy"].replies == 100


def test_a_reference_measured_once_has_no_noise() -> None:
    pairs = made([CALLED] * 50, second=None)
    assert judged(pairs)["schema_accuracy"].reason == "the reference was measured once, so its noise is not known"
    assert judged(pairs)["schema_accuracy"].judgement is Judgement.INCONCLUSIVE
    fixed = VerifyPolicy("fixed", default=Limit(drop=0.1))
    assert judged(pairs, fixed)["schema_accuracy"].judgement is Judgement.PASS


def test_another_count_of_tokens_fails_whichever_way() -> None:
    for tokens in (40, 187):
        found = judged(made([replace(CALLED, input_tokens=tokens)] * 40))["prompt_tokens"]
        assert found.judgement is Judgement.FAIL
        assert found.difference == tokens - 100
    assert judged(made([replace(CALLED, input_tokens=103)] * 40))["prompt_tokens"].judgement is Judgement.PASS


def test_times_may_differ_by_half_of_the_references() -> None:
    dice = random.Random(1)
    for seconds, judgement in ((1.1, Judgement.PASS), (2.5, Judgement.FAIL)):
        own = [replace(CALLED, total_us=int(seconds * 1e6 * dice.uniform(0.9, 1.1))) for _ in range(60)]
        found = judged(made(list(own)))["total_time"]
        assert (found.judgement, found.limit) == (judgement, pytest.approx(0.45))


def test_a_price_is_of_successes() -> None:
    found = judged(made([replace(CALLED, cost=0.006)] * 60))["price_per_success"]
    assert found.value == pytest.approx(6)
    assert found.judgement is Judgement.FAIL
    without = judged(made([replace(CALLED, cost=None)] * 60))["price_per_success"]
    assert (without.judgement, without.value) == (None, None)


def test_what_no_reply_says_is_not_judged() -> None:
    found = judged(made([CALLED] * 50))["language_followed"]
    assert (found.judgement, found.value, found.reason) == (None, None, "no reply says anything about it")


def test_what_the_reference_does_not_say_is_not_judged() -> None:
    found = judged(made([CALLED] * 50, replace(CALLED, input_tokens=None), replace(CALLED, input_tokens=None)))
    assert found["prompt_tokens"].reason == "the reference says nothing about it"


def test_limits_of_publishers_are_held_against_the_candidates_own_value() -> None:
    policy = policy_from_document({"only": ["trigger_f1"], "metrics": {"trigger_f1": {"at_least": 0.73}}}, "p")
    silent = replace(CALLED, calls=0, valid=0, agreement="", finish="stop")
    for share, judgement in ((0.05, Judgement.PASS), (0.7, Judgement.FAIL), (0.42, Judgement.INCONCLUSIVE)):
        pairs = made([silent if at < share * 100 else CALLED for at in range(100)])
        found = judged(pairs, policy)["trigger_f1"]
        assert found.judgement is judgement, share
        assert found.threshold == 0.73
        assert found.value == pytest.approx(2 * (1 - share) / (2 - share), abs=0.01)
    assert judged(pairs, policy)["schema_accuracy"].judgement is None


def test_a_limit_of_a_hundred_per_cent_is_decided_by_the_value() -> None:
    policy = load_policy("minimax-m2")
    assert judged(made([CALLED] * 50), policy)["request_success"].judgement is Judgement.PASS
    one = judged(made([FAILED, *[CALLED] * 49]), policy)["request_success"]
    assert one.judgement is Judgement.FAIL
    assert "as published" in one.reason
    assert (
        judged(made([replace(CALLED, only_reasoning=True), *[CALLED] * 49]), policy)["reasoning_only"].judgement
        is Judgement.FAIL
    )


def test_two_pairs_are_too_few() -> None:
    found = judged(made([CALLED] * 2))["prompt_tokens"]
    assert (found.judgement, found.reason) == (
        Judgement.INCONCLUSIVE,
        "only 2 pairs say anything about it, too few to judge",
    )


def test_a_limit_without_bounds_lets_nobody_pass() -> None:
    found = verdicts(virtual_pairs(["main-70b+late"], 10), 1, load_policy()).results[0]
    unbounded = [result for result in found if result.limit is not None and math.isinf(result.limit)]
    assert "first_token" in {result.metric.id for result in unbounded}
    assert {result.judgement for result in unbounded} == {Judgement.INCONCLUSIVE}
    assert all(result.further for result in unbounded)


def test_the_reference_is_held_against_itself() -> None:
    found = verdicts(made([CALLED] * 100), 1, load_policy())
    leaked = next(one for one in found.references if one.metric.id == "leaked_as_text")
    assert leaked.judgement is Judgement.PASS
    assert leaked.noise is not None
    assert leaked.noise == pytest.approx(max(-leaked.low, leaked.high))
    assert (leaked.faults, leaked.replies, leaked.pairs) == (0, 200, 100)


def test_more_candidates_want_clearer_failures() -> None:
    leaks = [LEAKED if at % 4 == 0 else CALLED for at in range(200)]
    one = verdicts(made(list(leaks)), 1, load_policy())
    pairs = [replace(pair, candidates=pair.candidates * 5) for pair in made(list(leaks))]
    five = verdicts(pairs, 5, load_policy())
    assert five.comparisons == 5 * one.comparisons
    name = "leaked_as_text"
    alone, among = (next(r for r in found.results[0] if r.metric.id == name) for found in (one, five))
    assert among.level < alone.level
    assert among.low < alone.low


def test_nothing_has_come_yet() -> None:
    found = verdicts(made([None] * 5), 1, load_policy())
    assert {result.judgement for result in found.results[0]} == {None}
    assert verdicts([], 1, load_policy()).results[0][0].value is None
    assert math.isinf(found.results[0][0].low)


@pytest.mark.parametrize("kind", ["", *BREAKS])
def test_a_planted_fault_is_found_and_nothing_else(kind: str) -> None:
    pairs = virtual_pairs([f"main-70b+{kind}" if kind else "main-70b"], seed=7)
    found: Verdicts = verdicts(pairs, 1, load_policy())
    failed = {result.metric.id for result in found.results[0] if result.judgement is Judgement.FAIL}
    if not kind:
        assert not failed
    else:
        assert failed & BREAKS[kind]
        assert failed <= BREAKS[kind] | TOUCHES[kind]
