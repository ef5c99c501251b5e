from __future__ import annotations

from tests.kit.batches import batch
from tests.kit.comparing import pair, scores
from tests.kit.gui import picture
from workbench.grading.comparison import compare
from workbench.grading.reliability import CurvePoint
from workbench.ui.compare.charts import CurveChart, PairBar, TaxChart


def test_a_difference_is_drawn_and_told(theme, qtbot) -> None:
    bar = PairBar()
    qtbot.addWidget(bar)
    bar.resize(340, 44)
    empty = picture(bar)
    bar.show_pair(pair())
    assert picture(bar) != empty
    assert bar.accessibleDescription() == pair().sentence()
    bar.show_pair(compare(batch({f"c{at}": ["ffff", "ssss"] for at in range(8)}), 0, 1))
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
    same = [(f"model {at}", (CurvePoint(1, 0.5, 0.4, 0.6), CurvePoint(2, 0.25, 0.2, 0.3))) for at in range(5)]
    chart.show_lines(same)
    assert chart.accessibleDescription().count("k = 2") == 3
    assert not chart.grab().isNull()
    chart.show_lines(())
    assert not chart.grab().isNull()
