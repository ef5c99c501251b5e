from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.errors import UnknownName
from workbench.verify.metrics import METRICS, NOTHING, Kind, faulty, find_metric
from workbench.verify.observation import Observation

CALLED = Observation(finish="tool_calls", honest=True, calls=2, valid=2, joined=2, offered=True, agreement="a", streamed=True,
                     input_tokens=100, first_token_us=400_000, total_us=900_000, cost=0.002)  # fmt: skip
SILENT = Observation(finish="stop", honest=True, offered=True)
FAILED = Observation(error="server")


def amount(name: str, own: Observation, reference: Observation = CALLED) -> tuple[float, float]:
    metric = METRICS[name]
    return metric.between(own, reference) if metric.kind is Kind.RELATION else metric.of(own)


def test_an_unanswered_request_counts_in_success_alone() -> None:
    assert amount("request_success", FAILED) == (0, 1)
    others = [name for name in METRICS if name not in ("request_success", "price_per_success")]
    assert [amount(name, FAILED) for name in others] == [NOTHING] * len(others)
    assert [amount(name, CALLED, FAILED) for name, metric in METRICS.items() if metric.kind is Kind.RELATION] == [
        NOTHING
    ] * 6


def test_f1_counts_both_sides() -> None:
    assert amount("trigger_f1", CALLED) == (2, 2)
    assert amount("trigger_f1", SILENT) == (0, 1)
    assert amount("trigger_f1", SILENT, SILENT) == (0, 0)


def test_precision_and_recall_have_their_own_denominators() -> None:
    assert amount("trigger_precision", CALLED, SILENT) == (0, 1)
    assert amount("trigger_precision", SILENT, CALLED) == NOTHING
    assert amount("trigger_recall", SILENT, CALLED) == (0, 1)
    assert amount("trigger_recall", CALLED, SILENT) == NOTHING


def test_calls_are_counted_one_by_one() -> None:
    assert amount("schema_accuracy", replace(CALLED, valid=1)) == (1, 2)
    assert amount("k2_schema_accuracy", replace(CALLED, valid=1)) == (0, 1)
    assert amount("k2_schema_accuracy", replace(CALLED, calls=0, valid=0)) == (0, 1)
    assert amount("k2_schema_accuracy", SILENT) == NOTHING


def test_the_published_f1_goes_by_the_finish_reason() -> None:
    dishonest = replace(CALLED, finish="stop")
    assert amount("trigger_f1", dishonest) == (2, 2)
    assert amount("k2_tool_call_f1", dishonest) == (0, 1)


def test_calls_agree_where_tools_and_arguments_do() -> None:
    assert amount("arguments_agree", CALLED) == (1, 1)
    assert amount("arguments_agree", replace(CALLED, agreement="b")) == (0, 1)
    assert amount("arguments_agree", SILENT) == NOTHING


def test_swapped_arguments_have_the_same_values() -> None:
    one = replace(CALLED, values="v")
    assert amount("arguments_swapped", one, one) == (0, 1)
    assert amount("arguments_swapped", replace(one, agreement="b"), one) == (1, 1)
    assert amount("arguments_swapped", replace(one, values="w"), one) == NOTHING


def test_streaming_is_judged_where_it_streamed() -> None:
    assert amount("argument_streaming", replace(CALLED, joined=1)) == (1, 2)
    assert amount("argument_streaming", replace(CALLED, streamed=False)) == NOTHING


def test_a_price_is_of_good_replies() -> None:
    assert amount("price_per_success", CALLED) == (2, 1)
    assert amount("price_per_success", replace(CALLED, valid=1)) == (2, 0)
    assert amount("price_per_success", replace(CALLED, cost=None)) == NOTHING


def test_what_nobody_asked_is_nothing() -> None:
    for name in ("tool_choice_kept", "parallel_kept", "language_followed", "strict_kept", "finish_honest"):
        assert amount(name, Observation(calls=1)) == NOTHING, name


def test_faulty_replies_are_those_that_make_it_worse() -> None:
    assert faulty(METRICS["schema_accuracy"], replace(CALLED, valid=1))
    assert not faulty(METRICS["schema_accuracy"], CALLED)
    assert faulty(METRICS["leaked_as_text"], replace(SILENT, leaked=True))
    assert faulty(METRICS["trigger_f1"], SILENT, CALLED)
    assert not faulty(METRICS["trigger_f1"], SILENT)
    assert not faulty(METRICS["total_time"], CALLED)


def test_metrics_are_found_by_id() -> None:
    assert find_metric("leaked_as_text").title == "Calls leaked as text"
    with pytest.raises(UnknownName, match="leaked_as_text"):
        find_metric("leaked_as_txt")
