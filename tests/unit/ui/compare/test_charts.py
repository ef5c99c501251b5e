from __future__ import annotations

from dataclasses import replace

from tests.kit.comparing import pair, scores
from tests.kit.gui import picture
from workbench.ui.compare.charts import CurveChart, PairBar, TaxChart
from workbench.ui.compare.values import CurveLine


def test_a_difference_is_drawn_and_told(theme, qtbot) -> None:
    bar = PairBar()
    qtbot.addWidget(bar)
    bar.resize(340, 44)
    empty = picture(bar)
    bar.show_pair(pair())
    assert picture(bar) != empty
    assert bar.accessibleDescription() == "+10 points, 95 %: -5 to +25"
    bar.show_pair(replace(pair(), points=100, low=80, high=100))
    assert not bar.grab().isNull()


def test_the_tax_has_a_line_for_each_target(theme, qtbot) -> None:
    chart = TaxChart()
    qtbot.addWidget(chart)
    chart.show_lines(scores().tax)
    assert chart.sizeHint().height() == 4 * 24 + 20
    assert "react: 17 points over 110 runs" in chart.accessibleDescription()
    chart.resize(360, 120)
    assert not chart.grab().isNull()


def test_at_most_three_curves_with_labels_apart(theme, qtbot) -> None:
    chart = CurveChart()
    qtbot.addWidget(chart)
    chart.resize(360, 190)
    same = [CurveLine(f"model {at}", (0.5, 0.25)) for at in range(5)]
    chart.show_lines(same)
    assert chart.accessibleDescription().count("k = 2") == 3
    assert not chart.grab().isNull()
    chart.show_lines(())
    assert not chart.grab().isNull()
