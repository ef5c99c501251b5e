from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.comparing import runs
from workbench.ui.compare.cell_pane import CellPane


def test_a_cell_and_the_way_to_its_runs(theme, qtbot) -> None:
    pane = CellPane()
    qtbot.addWidget(pane)
    pane.resize(390, 600)
    pane.show()
    pane.show_cell(runs())
    assert pane.words.text.startswith("9 of 10 passed")
    pane.runs.choose_row(3)
    with qtbot.waitSignal(pane.run_opened) as seen:
        QTest.mouseClick(pane.open_button, Qt.MouseButton.LeftButton)
    assert seen.args == ["run-3"]
    with qtbot.waitSignal(pane.case_asked) as asked:
        QTest.mouseClick(pane.case_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["two-cities-forecast"]
    assert not pane.grab().isNull()


def test_nothing_chosen_and_nothing_run(theme, qtbot) -> None:
    pane = CellPane()
    qtbot.addWidget(pane)
    pane.show_cell(None)
    pane.show_cell(replace(runs(), runs=(), state="not_asked"))
    assert not pane.open_button.isEnabled()
    assert pane.mark.state == "not_gradable"
