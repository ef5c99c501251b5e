from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch
from workbench.core.batch import Batch
from workbench.grading.matrix import matrix
from workbench.grading.tradeoff import Amount, TradePoint, front, tradeoff


def priced(made: Batch, *each: float | None) -> Batch:
    items = [
        replace(item, sample=replace(item.sample, cost=each[item.target], input_tokens=100 * (item.target + 1)))
        for item in made.items
    ]
    return replace(made, items=tuple(items))


def test_every_judged_target_is_a_point_with_its_intervals() -> None:
    made = priced(batch({"a": ["ssse", "sfff", "."], "b": ["sss", "ssf", "."]}), 0.5, None, None)

    first, second = tradeoff(made, matrix(made).columns)

    assert (first.target, first.runs, first.cost) == (0, 6, Amount(0.5, 0.5, 0.5))
    assert first.quality.value == 1
    assert first.quality.low < 0.7
    assert second.cost is None
    assert second.tokens == Amount(200, 200, 200)
    assert second.seconds is not None
    assert 0 < second.seconds.low <= second.seconds.value <= second.seconds.high


def point(target: int, quality: float, cost: float | None) -> TradePoint:
    amount = Amount(quality, quality, quality)
    money = None if cost is None else Amount(cost, cost, cost)
    return TradePoint(target, amount, money, Amount(1, 1, 1), None, 1)


def test_the_front_holds_what_no_other_target_beats_in_both() -> None:
    points = (point(0, 0.9, 3.0), point(1, 0.8, 1.0), point(2, 0.7, 2.0), point(3, 0.8, 1.0), point(4, 0.1, None))

    assert front(points, "cost") == {0, 1, 3, 4}
    assert front(points[:3], "tokens") == {0}
