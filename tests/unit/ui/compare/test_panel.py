from __future__ import annotations

from tests.kit.comparing import COLUMNS, pair, runs, scores
from workbench.ui.compare.panel import ComparePanel
from workbench.ui.compare.values import Scores


def _panel(qtbot) -> ComparePanel:
    panel = ComparePanel()
    qtbot.addWidget(panel)
    panel.resize(395, 850)
    panel.targets.show_targets(COLUMNS, (1, 3))
    panel.targets.show_pair(pair())
    panel.targets.show_scores(scores())
    panel.show()
    return panel


def test_two_targets_in_a_sentence(theme, qtbot) -> None:
    panel = _panel(qtbot)
    assert panel.targets.sentence.text.startswith("B against A: cannot tell, +18 points (paired")
    assert "two-cities-forecast: 4 / 10 to 9 / 10" in panel.targets.moved.accessibleDescription()
    assert not panel.grab().isNull()


def test_executed_calls_and_times_of_each_target(theme, qtbot) -> None:
    targets = _panel(qtbot).targets
    shown = {words for part in (targets.calls, targets.times) for line in part.lines for words in line}
    assert {"116/120", "91–98 %", "cannot tell", "0.42 s", "2.10 s", "88", "> 95 %", "tokens/s"} <= shown
    targets.show_scores(Scores())
    assert not targets.calls.isVisible()
    assert not targets.times.isVisible()


def test_another_target_is_picked(theme, qtbot) -> None:
    targets = _panel(qtbot).targets
    with qtbot.waitSignal(targets.pair_chosen) as seen:
        targets.second.choose(5)
        targets.second.activated.emit(5)
    assert seen.args == [1, 5]


def test_undecided_scores_are_hidden(theme, qtbot) -> None:
    targets = _panel(qtbot).targets
    targets.show_pair(None)
    targets.show_scores(Scores())
    assert not targets.bar.isVisible()
    assert not targets.tax.isVisible()
    assert "pauses or ends" in targets.sentence.text


def test_cell_panel_opens_on_request(theme, qtbot) -> None:
    panel = _panel(qtbot)
    panel.show_cell(runs(), come=False)
    assert panel.tabs.current == "targets"
    panel.show_cell(runs())
    assert panel.tabs.current == "cell"
