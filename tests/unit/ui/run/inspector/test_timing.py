"""The waterfall and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit import events as kit
from workbench.ui.run.inspector.timing import TimingTab, bars_of, tick_of
from workbench.ui.run.run_fold import fold

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_bars_are_steps_and_tools_in_order() -> None:
    bars = bars_of(fold(kit.story()))
    assert [bar.name for bar in bars] == [
        "Planner, loop 0", "Planner, loop 1", "Executor, loop 1", "Planner, loop 2", "Executor, loop 2",
        "list_directory", "read_file", "Executor 2, loop 2",
    ]  # fmt: skip
    assert all(bar.start <= (bar.first or bar.start) <= bar.end for bar in bars)
    assert [bar.error for bar in bars_of(fold(kit.failed()))] == [True]


@pytest.mark.parametrize(
    ("whole", "step"), [(0, 1_000), (1_300_000, 500_000), (7_700_000, 2_000_000), (61_000_000, 20_000_000)]
)
def test_ticks_are_round(whole: int, step: int) -> None:
    assert tick_of(whole) == step


def test_figures(qtbot: QtBot, theme: Theme) -> None:
    tab = TimingTab()
    qtbot.addWidget(tab)
    tab.resize(308, 600)
    tab.show()
    run = fold(kit.story())
    tab.show_step(None, None)
    tab.show_step(run, run.steps[4])
    assert tab.values["Longest silence"].text() == "0.21 s"
    assert tab.values["Parser"].text() == "0.19 ms"
    assert tab.values["First complete call"].text() == "–"
    assert tab.values["Speed"].text().endswith("tok/s")
    assert "Planner, loop 0: 168 ms" in tab.chart.accessibleDescription()
    assert not tab.grab().isNull()
