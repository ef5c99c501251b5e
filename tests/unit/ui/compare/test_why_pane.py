from __future__ import annotations

from tests.kit.comparing import pair
from tests.unit.ui.compare.test_pareto_list import LINES
from tests.unit.ui.compare.test_trade_chart import POINTS
from workbench.ui.compare.values import Against, Why
from workbench.ui.compare.why_pane import WhyPane


def _pane(qtbot) -> WhyPane:
    pane = WhyPane()
    qtbot.addWidget(pane)
    pane.resize(395, 800)
    pane.show()
    return pane


def test_parts_without_anything_to_say_are_not_there(theme, qtbot) -> None:
    pane = _pane(qtbot)
    assert not any(one.isVisible() for one in (pane.bars, pane.chart, pane.lifts, pane.varied, pane.other))


def test_everything_there_is_is_shown(theme, qtbot) -> None:
    pane = _pane(qtbot)
    pane.show_why(
        Why((), LINES, POINTS[2:], ("Boost B against A: …",), (("m · tools=shuffled", "90 %", "-3"),), ("m: …",))
    )
    pane.show_others((("21 Nov", "b1"),), "b1")
    pane.show_against(Against(("2 cells changed: 1 up, 1 down.",), pair().moved))

    assert all(one.isVisible() for one in (pane.bars, pane.chart, pane.lifts, pane.varied, pane.other, pane.flips))
    assert pane.lifts.text == "Boost B against A: …"
    assert (pane.other.value, pane.quantity.value) == ("b1", "seconds")
    assert not pane.quantity.button("cost").isEnabled()
    pane.quantity.button("tokens").click()
    assert "tokens a run" in pane.chart.accessibleDescription()
    assert not pane.grab().isNull()


def test_another_comparison_is_chosen(theme, qtbot) -> None:
    pane = _pane(qtbot)
    pane.show_others((("21 Nov", "b1"), ("20 Nov", "b0")), "b1")
    with qtbot.waitSignal(pane.other_chosen) as seen:
        pane.other.choose("b0")
        pane.other.activated.emit(2)
    assert seen.args == ["b0"]
