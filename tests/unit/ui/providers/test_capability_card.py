from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.providers.ability_rows import AbilityLine
from workbench.ui.providers.capability_card import CapabilityCardView

LINES = [
    AbilityLine("answers", "yes", "yes", "said so", "POST /chat"),
    AbilityLine("forced", "no", "no", "ignored"),
    AbilityLine("stop", "unclear", "unclear", "never came"),
    AbilityLine("seed", "failed", "failed", "no reply"),
    AbilityLine("tools", "not_asked", "not asked", "why"),
]


def _view(qtbot) -> CapabilityCardView:
    view = CapabilityCardView("qwen", "Groq")
    qtbot.addWidget(view)
    view.show()
    return view


def test_rows_are_painted_and_show_their_exchanges(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_card(LINES, "· probed today")
    assert view.when.text() == "· probed today"
    view.table.choose_row(0)
    assert view.evidence.toPlainText() == "POST /chat"
    view.table.choose_row(1)
    assert "Nothing was sent" in view.evidence.toPlainText()
    assert not view.table.grab().isNull()
    view.show_card((), "· never probed")
    assert view.evidence.toPlainText() == ""


def test_buttons_while_nothing_and_while_a_probe_runs(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_cost("10 requests")
    assert view.cost.text() == "10 requests"
    with qtbot.waitSignal(view.probe_asked):
        QTest.mouseClick(view.probe, Qt.MouseButton.LeftButton)
    view.show_busy(True)
    assert (view.probe.isVisible(), view.stop.isVisible(), view.spinner.isVisible()) == (False, True, True)
    with qtbot.waitSignal(view.cancel_asked):
        QTest.mouseClick(view.stop, Qt.MouseButton.LeftButton)
    view.show_busy(False)
    assert (view.probe.isVisible(), view.stop.isVisible()) == (True, False)
