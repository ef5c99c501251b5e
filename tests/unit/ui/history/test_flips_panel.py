from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from tests.unit.ui.history.test_flips import LINE
from workbench.ui.history.flips import FlipCounts
from workbench.ui.history.flips_panel import FlipsPanel
from workbench.ui.theme.tokens import LIGHT


def test_it_comes_fills_and_goes(theme, qtbot) -> None:
    panel = FlipsPanel()
    qtbot.addWidget(panel)
    panel.resize(820, 200)
    assert panel.isHidden()
    panel.begin("Live replay")
    assert panel.head.title.text() == "Flips after live replay"
    assert panel.stop.isVisible()
    panel.model.add_lines([LINE])
    panel.show_counts(FlipCounts(4, 9, 0.1, True, {"same": 3, "fixed": 1}))
    assert panel.chips["fixed"].isVisible()
    assert not panel.chips["regressed"].isVisible()
    assert not panel.stop.isVisible()
    assert {LIGHT.failed.lower(), LIGHT.passed.lower()} <= colours(panel.table)
    with qtbot.waitSignal(panel.flip_chosen) as seen:
        panel.table.choose_row(0)
    assert seen.args == ["id"]
    with qtbot.waitSignal(panel.flip_opened):
        QTest.keyClick(panel.table, Qt.Key.Key_Return)
    with qtbot.waitSignal(panel.closed):
        QTest.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)


def test_nothing_differs_is_a_result(theme, qtbot) -> None:
    panel = FlipsPanel()
    qtbot.addWidget(panel)
    panel.begin()
    panel.show_counts(FlipCounts(3, 9, 0.1, True, {"same": 3}))
    assert panel.head.note.text().startswith("nothing differs")
    assert panel.table.isHidden()
    panel.begin()
    assert not panel.table.isHidden()
