from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.kit.scanning import LEAK, WEATHER, judged
from workbench.scan.reply import FoundReply
from workbench.scan.tally import TallyCell, TallyColumn
from workbench.ui.scan.findings_pane import FindingsPane, GroupModel
from workbench.ui.scan.lines import GroupLine, group_lines

FOUND = judged(
    [
        FoundReply("1", f"I look.\n{LEAK}", tools=(WEATHER,)),
        FoundReply("2", f"I see.\n{LEAK}", tools=(WEATHER,)),
        FoundReply("3", LEAK, tools=(WEATHER,)),
    ]
)
LINES = group_lines(FOUND)


@pytest.fixture
def pane(theme, qtbot) -> FindingsPane:
    made = FindingsPane()
    qtbot.addWidget(made)
    made.resize(640, 700)
    made.show()
    made.show_matrix(
        ["tool_markup_in_content"],
        [TallyColumn("m")],
        {("tool_markup_in_content", TallyColumn("m")): TallyCell(3, 3, 0.4)},
    )
    made.show_groups(LINES, "All findings", "3", 2, 3)
    return made


def test_the_model(qtmodeltester) -> None:
    model = GroupModel()
    model.show_lines(LINES)
    qtmodeltester.check(model)
    spoken = "tool_markup_in_content, get_weather, text before the call, qwen_xml, 2 times"
    assert model.spoken(LINES[0]) == spoken
    assert model.row_of(GroupLine((FOUND[0],))) == 0


def test_the_first_row_is_chosen_and_stays_when_more_comes_in(pane: FindingsPane) -> None:
    told: list[GroupLine] = []
    pane.group_chosen.connect(told.append)
    assert pane.chosen is LINES[0]
    pane.step(1)
    pane.show_groups([GroupLine((FOUND[2], FOUND[2])), LINES[0]], "All findings", "4", 2, 4)
    assert [line.times for line in told] == [1, 2]
    assert pane.chosen is not None
    assert pane.chosen.shown is FOUND[2]
    assert not pane.grab().isNull()


def test_chips_words_and_ways_are_told(pane: FindingsPane) -> None:
    told: list[object] = []
    pane.fold_chosen.connect(told.append)
    pane.words_typed.connect(told.append)
    pane.way_chosen.connect(told.append)
    pane.every.click()
    pane.filter.setText("model:x")
    pane.choose_way("day")
    assert told == [False, "model:x", "day"]
    assert not pane.is_folded
    assert pane.ways.value == "day"


def test_an_empty_list_says_why(pane: FindingsPane) -> None:
    pane.show_nothing("check-circle", "Nothing found", "5 replies read.", "passed")
    assert not pane.shows_list
    assert not pane.ways.isEnabled()
    assert pane.nothing.isVisible()


def test_enter_opens_a_row(pane: FindingsPane, qtbot) -> None:
    told: list[object] = []
    pane.group_opened.connect(told.append)
    pane.table.setFocus()
    qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    assert told == [LINES[0]]
