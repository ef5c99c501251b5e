from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from tests.unit.ui.run.test_diff_rows import LINES
from workbench.ui.run.diff_rows import DiffSide
from workbench.ui.run.diff_view import RunDiff
from workbench.ui.theme.tokens import LIGHT

SIDES = (
    DiffSide(7, "fail", "Weather in Rome", "Simulator / qwen-hasty · qwen_xml · direct"),
    DiffSide(1_204, "pass", "Weather in Rome", "Simulator / qwen-hasty · react · direct"),
)


def test_places_are_listed_and_the_chosen_ones_values_stand_whole(theme, qtbot) -> None:
    dialog = RunDiff(SIDES, "config differed", LINES, ["arguments: key order"])
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.windowTitle() == "Runs 7 and 1,204"
    assert "configuration differed; 3 places" in dialog.sentence.text
    assert "Treated as equal: arguments: key order." in dialog.sentence.text
    assert (dialog.first.text.toPlainText(), dialog.second.text.toPlainText()) == ("qwen_xml", "react")
    QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.first.text.toPlainText() == ""
    assert '"name": "get_weather"' in dialog.second.text.toPlainText()
    assert not {LIGHT.failed.lower(), LIGHT.passed.lower()} & colours(dialog.table)
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.parametrize(("word", "told"), [("same", "came to the same"), ("changed", "differ in 1 place.")])
def test_verdict_is_the_first_line(theme, qtbot, word: str, told: str) -> None:
    dialog = RunDiff(SIDES, word, LINES[1:2] if word == "changed" else [], [])
    qtbot.addWidget(dialog)
    assert told in dialog.sentence.text
    assert dialog.places.currentIndex() == (0 if word == "changed" else 1)
