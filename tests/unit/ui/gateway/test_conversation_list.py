from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.conversation_list import ConversationModel, ConversationPane
from workbench.ui.gateway.values import ConversationLine
from workbench.ui.widgets.chips import Chip


def line(name: str, **findings: int) -> ConversationLine:
    return ConversationLine(name, f"Title {name}", "curl", 2, 1_790_000_000.0, Counter(findings), held=name == "h")


@pytest.fixture
def pane(theme, qtbot) -> ConversationPane:
    made = ConversationPane()
    qtbot.addWidget(made)
    made.resize(280, 600)
    made.show()
    return made


def chips(pane: ConversationPane) -> dict[str, Chip]:
    return {chip.text(): chip for chip in pane.findChildren(Chip) if chip.isVisible()}


def test_the_model(qtmodeltester) -> None:
    model = ConversationModel()
    model.follow([line("a", leaked=1), line("h")])
    qtmodeltester.check(model)
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Title a, curl, 2 exchanges, 1 leaked"
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("no findings, held")


def test_new_conversations_come_on_top_and_the_choice_stays(pane: ConversationPane) -> None:
    told: list[str] = []
    pane.chosen.connect(told.append)
    pane.show_lines([line("a"), line("b")])
    pane.choose("b")
    pane.show_lines([line("c"), line("a"), line("b")])
    assert pane.chosen_id == "b"
    pane.show_lines([line("b"), line("c"), line("a", lost=1)])
    assert pane.chosen_id == "b"
    assert told == ["b"]
    assert not pane.grab().isNull()


def test_chips_count_findings_and_narrow_the_list(pane: ConversationPane, qtbot) -> None:
    pane.show_lines([line("a", leaked=2, repaired=1), line("b", leaked=1), line("c")])
    found = chips(pane)
    assert {name: chip.accessibleName() for name, chip in found.items()} == {
        "all": "all 3", "leaked": "leaked 3", "repaired": "repaired 1",
    }  # fmt: skip
    qtbot.mouseClick(found["leaked"], Qt.MouseButton.LeftButton)
    assert [pane.model.line(at).id for at in range(pane.model.rowCount())] == ["a", "b"]
    assert pane.group == "leaked"
    assert chips(pane)["leaked"].kind == "chosen"


def test_the_filter_takes_words_of_title_and_client(pane: ConversationPane) -> None:
    pane.show_lines([line("a"), line("b")])
    pane.filter.setText("curl b")
    assert [pane.model.line(at).id for at in range(pane.model.rowCount())] == ["b"]
    pane.filter.setText("nothing like it")
    assert pane.empty.isVisible()
    pane.filter.clear()
    assert pane.list.isVisible()
