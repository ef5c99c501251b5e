from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.scanning import LEAK, WEATHER, judged
from workbench.app.scan_words import examine_finding
from workbench.scan.reply import FoundReply, Turn
from workbench.schema import JsonSchemaChecker
from workbench.ui.scan.detail import detail_of
from workbench.ui.scan.finding_pane import FindingPane
from workbench.ui.scan.lines import GroupLine


@pytest.fixture
def pane(theme, qtbot) -> FindingPane:
    made = FindingPane()
    qtbot.addWidget(made)
    made.resize(463, 760)
    made.show()
    return made


def detail(text: str = f"I look.\n{LEAK}"):
    reply = FoundReply(
        "1", text, model="coder-7b", tools=(WEATHER,), context=(Turn("user", "Rome?"),), source_text="a line"
    )
    (finding,) = judged([reply])
    group = GroupLine((finding,))
    return group, detail_of(examine_finding(finding, JsonSchemaChecker()), group)


def test_nothing_is_chosen_at_first(pane: FindingPane) -> None:
    assert pane.nothing.isVisible()
    assert pane.detail is None


def test_a_finding_is_shown_with_its_call_linked(pane: FindingPane) -> None:
    group, shown = detail()
    pane.show_waiting(group, "leaked as text")
    pane.show_detail(shown)
    assert pane.word.text() == "leaked as text"
    assert pane.raw.linked_text()[0] == LEAK
    assert pane.raw.isReadOnly()
    assert pane.readers.rowCount() == len(shown.readers)
    assert not pane.grab().isNull()
    pane.show_detail(None)
    assert pane.nothing.isVisible()


def test_the_views_show_other_texts(pane: FindingPane) -> None:
    pane.show_detail(detail()[1])
    told: list[str] = []
    pane.view_chosen.connect(told.append)
    pane.show_view("parsed")
    assert '"city": "Rome"' in pane.raw.text
    pane.views.button("line").click()
    assert pane.raw.text == "a line"
    assert told == ["line"]
    reply = replace(pane.detail, line_text="")
    pane.show_detail(reply)
    assert pane.views.value == "raw"
    assert not pane.views.button("line").isEnabled()


def test_buttons_ask(pane: FindingPane) -> None:
    pane.show_detail(detail()[1])
    told: list[str] = []
    for name in ("keep", "open", "report", "forensics", "mark"):
        getattr(pane, f"{name}_asked").connect(lambda one=name: told.append(one))
        getattr(pane, name).click()
    assert told == ["keep", "open", "report", "forensics", "mark"]
