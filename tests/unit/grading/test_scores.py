from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.batches import batch, case, result
from workbench.core.batch import Batch, CallRow, CallState, CaseVerdict, FieldRow, FieldState, Mark
from workbench.core.calls import Outcome
from workbench.core.target import Policy
from workbench.core.verdict import VerdictState
from workbench.grading import scores
from workbench.grading.ranks import RankRange
from workbench.grading.rates import Rate


def with_results(made: Batch, *results: CaseVerdict) -> Batch:
    return replace(
        made, items=tuple(replace(item, result=found) for item, found in zip(made.items, results, strict=True))
    )


def test_format_tax_is_tolerant_minus_strict() -> None:
    first, second = scores.format_tax(batch({"a": ["sspf", "ssss"], "b": ["spee", "pppp"]}))

    assert (first.strict, first.tolerant, first.points) == (Rate(3, 6), Rate(5, 6), pytest.approx(100 / 3))
    assert second.points == 50


def test_strict_target_has_no_format_tax() -> None:
    made = batch({"a": ["pppp"]})
    strict = replace(made.spec.targets[0], policy=Policy.STRICT)

    assert scores.format_tax(replace(made, spec=replace(made.spec, targets=(strict,))))[0].points == 0


def test_decisions_as_a_table_with_trivial_baselines() -> None:
    made = batch({"need": ["ppppff"], "none": ["ppff"]}, cases=[case("need"), case("none", no_call=True)])
    needs = [result(letter) for letter in "ppppff"]
    refusals = [result(letter, needed=False) for letter in "ppf"]
    hidden = replace(result("f", needed=False), called=None, decision=Mark.NOT_GRADABLE)
    found = scores.decisions(with_results(made, *needs, *refusals, hidden), 0)

    assert found == (4, 2, 1, 2, 1)
    assert (found.recall, found.specificity, found.precision) == (Rate(4, 6), Rate(2, 3), Rate(4, 5))
    assert found.accuracy == Rate(6, 9)
    assert found.balanced_accuracy == pytest.approx(2 / 3)
    assert (found.never_calls, found.always_calls) == (Rate(3, 9), Rate(6, 9))


def test_balanced_accuracy_needs_both_kinds() -> None:
    assert scores.decisions(batch({"a": ["pp"]}), 0).balanced_accuracy is None


def test_the_funnels_product_is_the_end_to_end_rate() -> None:
    made = batch({"a": ["ssffffffe"], "none": ["ss"]}, cases=[case("a"), case("none", no_call=True)])
    good, bad = result("s"), result("f")
    faults = (
        replace(bad, recognised=False, decision=Mark.RIGHT, called=True),
        replace(bad, format=Outcome.REPORTED, decision=Mark.RIGHT, called=True),
        bad,
        replace(bad, decision=Mark.RIGHT, tool=Mark.WRONG),
        replace(bad, decision=Mark.RIGHT, tool=Mark.RIGHT, arguments=Mark.WRONG),
        replace(bad, decision=Mark.RIGHT, tool=Mark.RIGHT, arguments=Mark.RIGHT),
    )
    stages = scores.funnel(with_results(made, good, good, *faults, result("e"), good, good), 0)

    assert [(stage.name, stage.rate) for stage in stages] == [
        ("answered", Rate(8, 9)),
        ("format recognised", Rate(7, 8)),
        ("parsed", Rate(6, 7)),
        ("decision right", Rate(5, 6)),
        ("tool right", Rate(4, 5)),
        ("arguments right", Rate(3, 4)),
        ("final answer right", Rate(2, 3)),
    ]


def test_arguments_one_by_one() -> None:
    fields = (
        FieldRow(("city",), FieldState.WRONG_VALUE, "a", "b"),
        FieldRow(("f", "deep"), FieldState.MISSING, 1),
        FieldRow(("f", "x"), FieldState.EXTRA, None, 1),
        FieldRow(("unit",), FieldState.EXTRA, None, "C"),
        FieldRow((), FieldState.FOLDED, ["a"], ["b"], "key order"),
    )
    wrong = CallRow(CallState.MISMATCH, "t", "t", 0, 0, 0, fields, 4)
    right = CallRow(CallState.MATCHED, "t", "t", 0, 0, 0, (), 2)
    missing = CallRow(CallState.MISSING, "t")
    found = scores.arguments(
        with_results(batch({"a": ["sf"]}), replace(result("s"), calls=(right,)), replace(result("f"), calls=(wrong, missing))), 0
    )  # fmt: skip

    assert found.exact == Rate(1, 2)
    assert found.right == Rate(3, 6)
    assert (found.missing, found.invented, found.wrong_type, found.wrong_value) == (
        Rate(0, 6), Rate(1, 6), Rate(0, 6), Rate(2, 6),
    )  # fmt: skip


def test_reliability_has_a_curve_for_each_target() -> None:
    first, second = scores.reliability(batch({"a": ["ppppp", "pppff"], "b": ["ppppp", "ppppf"]}))

    assert [point.value for point in first.points] == [1.0] * 5
    assert second.points[0].value == pytest.approx(0.7)
    assert second.points[-1].value == 0


def test_ranks_use_cases_graded_on_all_targets() -> None:
    made = batch({f"c{place}": ["pppp", "ffff"] for place in range(6)} | {"odd": ["eeee", "pppp"]})

    assert scores.ranks(made) == (RankRange(1, 1), RankRange(2, 2))


def test_latency_quantiles_with_intervals_and_missing_counts() -> None:
    found = scores.latency(batch({"a": ["pppp" * 5 + "e"]}), 0)

    assert found.first_token is None
    assert found.total is not None
    assert (found.total.runs, found.total.median) == (20, 10_500)
    low, high = found.total.median_interval
    assert low <= found.total.median <= high
    assert found.total.p95 == pytest.approx(19_050)


def test_leaks_loops_and_tokens() -> None:
    made = batch({"a": ["psff"]})
    items = [
        replace(item, result=replace(result(letter), leaked=letter == "p"),
                sample=replace(item.sample, loops=loops, input_tokens=100, output_tokens=20))
        for item, letter, loops in zip(made.items, "psff", (1, 3, 3, 1), strict=True)
    ]  # fmt: skip
    made = replace(made, items=tuple(items))

    assert scores.leak_rate(made, 0) == Rate(1, 4)
    assert scores.solved_by_loop(made, 0) == (Rate(1, 4), Rate(1, 4), Rate(2, 4))
    assert scores.tokens_per_success(made, 0) == 240
    assert scores.tokens_per_success(batch({"a": ["ff"]}), 0) is None


def test_cost_counts_failures_too_and_is_undefined_without_success() -> None:
    made = batch({"a": ["pf"], "b": ["pp"]})
    costs = [0.5, 0.25, 0.25, None]
    items = [
        replace(item, sample=replace(item.sample, cost=cost)) for item, cost in zip(made.items, costs, strict=True)
    ]
    found = scores.cost_per_success(replace(made, items=tuple(items)), 0)

    passed = sum(item.result is not None and item.result.verdict.state is VerdictState.PASS for item in items[:3])
    assert (found.total, found.runs, found.each) == (1.0, 3, 1.0 / passed)
    assert found.interval is not None
    assert found.interval[0] <= found.each <= found.interval[1]
    assert scores.cost_per_success(made, 0) == scores.Cost(None, 0, None)
    lost = batch({"a": ["ff"]})
    paid = tuple(replace(item, sample=replace(item.sample, cost=1.0)) for item in lost.items)
    assert scores.cost_per_success(replace(lost, items=paid), 0) == scores.Cost(2.0, 2, None)
