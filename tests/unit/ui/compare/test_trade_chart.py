from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest

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
        "model 1: 88 % (78–98) at 0.005 cost a run (0.004–0.0065), 12 runs;"
        " model 0: 90 % (80–100) at 0.02 cost a run (0.016–0.026), 12 runs"
    )
    for quantity in ("tokens", "seconds"):
        chart.show_points(POINTS, quantity)
        assert chart.accessibleDescription().count("model") == 3
        assert not chart.grab().isNull()


def test_a_point_tells_itself_to_pointer_and_keyboard(theme, qtbot) -> None:
    chart, told = TradeChart(), list[str]()
    qtbot.addWidget(chart)
    chart.resize(360, 196)
    chart.show()
    chart.show_points(POINTS, "cost")
    chart.pointed.connect(told.append)
    first, second = (chart.place_of(at) for at in (0, 1))
    assert (chart.point_at(first), chart.point_at(second)) == (0, 1)
    assert chart.point_at(QPointF(first.x(), 0)) == -1
    calm = picture(chart)

    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(chart, key)
    assert [words[:7] for words in told] == ["model 1", "model 0", "model 0", "model 1"]
    assert chart.accessibleDescription() == told[-1]
    assert picture(chart) != calm
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=second.toPoint())
    assert told[-1].startswith("model 0")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(40, 2))
    assert told[-1] == ""
    TradeChart().keyPressEvent(QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier))


def test_an_axis_ends_at_a_round_number() -> None:
    assert [_nice(value) for value in (0, 0.0013, 1, 3, 42, 990)] == [1, 0.002, 1, 4, 50, 1000]
