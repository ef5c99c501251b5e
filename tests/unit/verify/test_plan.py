from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.target import ModelRef, Sampling, Target
from workbench.verify.plan import (
    Streams,
    asked_target,
    endpoint_plans,
    label_of,
    pairs_within,
    plan_pairs,
    planned_pair,
)
from workbench.verify.request_sets import Asks, built_in_requests

REQUESTS = built_in_requests()
CASES = tuple(request.case for request in REQUESTS[:6])
TARGET = Target(ModelRef("P", "m"))


def test_half_of_the_pairs_are_streamed_and_each_request_both_ways() -> None:
    pairs = [planned_pair(place, 6, Streams.BOTH) for place in range(12)]
    assert [pair.streamed for pair in pairs[:3]] == [True, False, True]
    assert Counter(pair.streamed for pair in pairs) == {True: 6, False: 6}
    assert all({pairs[at].streamed, pairs[at + 6].streamed} == {True, False} for at in range(6))
    assert [pair.number for pair in pairs] == list(range(1, 13))
    odd = [planned_pair(place, 5, Streams.BOTH) for place in range(10)]
    assert all({odd[at].streamed, odd[at + 5].streamed} == {True, False} for at in range(5))
    assert {planned_pair(at, 6, Streams.ON).streamed for at in range(6)} == {True}
    assert {planned_pair(at, 6, Streams.OFF).streamed for at in range(6)} == {False}


def test_a_pair_is_sent_to_all_before_the_next_and_the_first_turns() -> None:
    items = plan_pairs(CASES, 3, range(4), Streams.BOTH, 7)
    assert [item.position for item in items] == list(range(12))
    assert [item.target for item in items] == [0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]
    assert [item.case_id for item in items[:6]] == [CASES[0].id] * 3 + [CASES[1].id] * 3


def test_every_reply_has_a_seed_of_its_own_that_can_be_derived_again() -> None:
    items = plan_pairs(CASES, 3, range(12), Streams.BOTH, 7)
    assert len({item.seed for item in items}) == len(items)
    assert plan_pairs(CASES, 3, range(6, 12), Streams.BOTH, 7) == items[18:]
    assert plan_pairs(CASES, 3, range(12), Streams.BOTH, 8)[0].seed != items[0].seed


def test_a_budget_buys_whole_pairs() -> None:
    assert pairs_within(10, 3) == 3
    with pytest.raises(InvalidInput, match="less than one pair"):
        pairs_within(2, 3)


def test_what_the_user_set_wins_over_what_the_request_brings() -> None:
    asks = Asks(temperature=0.6, max_tokens=100, parallel_tool_calls=False)
    plain = asked_target(TARGET, asks, stream=False, seed=5)
    assert (plain.sampling.temperature, plain.sampling.max_tokens, plain.sampling.seed) == (0.6, 100, 5)
    assert plain.sampling.parallel_tool_calls is False
    assert not plain.stream
    own = asked_target(replace(TARGET, sampling=Sampling(temperature=0.0)), asks, stream=True, seed=5)
    assert (own.sampling.temperature, own.stream) == (0.0, True)


def test_one_reply_is_asked_for_and_no_fault_is_told_to_the_model() -> None:
    limits = asked_target(TARGET, Asks(), stream=True, seed=1).limits
    assert (limits.iterations, limits.feedback_per_iteration) == (1, 0)


def test_a_plan_counts_requests_tokens_and_money() -> None:
    paid = Target(ModelRef("Q", "m"))
    prices = {"Q": (1.0, 10.0)}
    plans = endpoint_plans(REQUESTS[:6], (TARGET, paid), 9, lambda ref: prices.get(ref.provider))
    assert [(plan.role, plan.requests) for plan in plans] == [("reference", 18), ("candidate", 9)]
    assert plans[0].input_tokens == 2 * plans[1].input_tokens > 0
    assert plans[0].cost is None
    assert plans[1].cost == pytest.approx((plans[1].input_tokens + 10 * plans[1].output_tokens) / 1e6)


def test_a_label_names_a_format_that_was_chosen() -> None:
    assert label_of(TARGET) == "P/m"
    assert label_of(replace(TARGET, format="qwen_xml")) == "P/m · qwen_xml"
