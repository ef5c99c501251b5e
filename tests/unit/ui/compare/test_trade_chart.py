from __future__ import annotations

from tests.kit.gui import picture
from workbench.grading.tradeoff import Amount, TradePoint
from workbench.ui.compare.trade_chart import TradeChart, _nice


def point(target: int, quality: float, cost: float | None) -> tuple[str, TradePoint]:
    money = None if cost is None else Amount(cost, cost * 0.8, cost * 1.3)
    shown = Amount(quality, max(0.0, quality - 0.1), min(1.0, quality + 0.1))
    return f"model {target}", TradePoint(target, shown, money, Amount(900, 800, 1000), Amount(0.1, 0.0, 0.3), 12)


POINTS = (point(0, 0.9, 0.02), point(1, 0.88, 0.005), point(2, 0.3, None))


def test_targets_are_drawn_and_told_with_intervals(theme, qtbot) -> None:
    chart = TradeChart()
    qtbot.addWidget(chart)
    chart.resize(360, 196)
    empty = picture(chart)
    chart.show_points(POINTS, "cost")
    assert picture(chart) != empty
    assert chart.accessibleDescription() == (
        "model 0: 90 % (80–100) at 0.02 cost a run (0.016–0.026), 12 runs;"
        " model 1: 88 % (78–98) at 0.005 cost a run (0.004–0.0065), 12 runs"
    )
    for quantity in ("tokens", "seconds"):
        chart.show_points(POINTS, quantity)
        assert chart.accessibleDescription().count("model") == 3
        assert not chart.grab().isNull()


def test_an_axis_ends_at_a_round_number() -> None:
    assert [_nice(value) for value in (0, 0.0013, 1, 3, 42, 990)] == [1, 0.002, 1, 4, 50, 1000]
