from __future__ import annotations

import json

import pytest

from tests.kit.tools_page import SETUP
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.definition_pane import DefinitionPane
from workbench.ui.widgets.json_check import fault_at


@pytest.fixture
def pane(theme, qtbot) -> DefinitionPane:
    made = DefinitionPane()
    qtbot.addWidget(made)
    made.show()
    made.show_tool(SETUP, "", editable=True, edited=True)
    return made


def test_showing_a_tool_is_no_edit(pane: DefinitionPane) -> None:
    told: list[str] = []
    pane.text_edited.connect(told.append)
    pane.show_tool(ToolSetup(ToolSpec("other")), "switched off", editable=False, edited=False)
    assert told == []
    assert json.loads(pane.text.toPlainText())["name"] == "other"
    assert pane.text.isReadOnly()
    assert "switched off" in pane.head.note.text()
    pane.text.setReadOnly(False)
    pane.text.setPlainText("{}")
    assert told == ["{}"]


def test_the_time_out_belongs_to_ask(pane: DefinitionPane) -> None:
    assert pane.seconds.isVisible()
    pane.show_mode(ToolSetup(ToolSpec("x"), ToolMode.RUN), editable=True)
    assert not pane.seconds.isVisible()


def test_form_and_json_can_stand_alone(pane: DefinitionPane) -> None:
    pane.view.button("form").click()
    assert (pane.form.isVisible(), pane.text.isVisible()) == (True, False)
    pane.view.button("json").click()
    assert (pane.form.isVisible(), pane.text.isVisible()) == (False, True)


def test_a_fault_names_line_and_column(pane: DefinitionPane) -> None:
    pane.show_fault(fault_at(pane.text.toPlainText(), 5, "No good."))
    assert "No good." in pane.check.text()
    pane.show_fault(None)
    assert "2020-12" in pane.check.text()


def test_form_and_json_are_one_document(pane: DefinitionPane, qtbot) -> None:
    with qtbot.waitSignal(pane.text_edited):
        pane.form.description.textEdited.emit("Writes a file.")
    assert json.loads(pane.text.toPlainText())["description"] == "Writes a file."
    pane.form.table.choose_row(1)
    (linked,) = pane.text.extraSelections()
    assert linked.cursor.selectedText() == '"mode"'
    pane.text.undo()
    assert json.loads(pane.text.toPlainText())["description"] == "Write."


def test_an_unreadable_json_leaves_the_form_to_be_read(pane: DefinitionPane) -> None:
    pane.text.setPlainText("{")
    pane.show_fault(fault_at("{", 0, "No end."))
    assert pane.form.name.isReadOnly()
    assert pane.form.parameters.rowCount() == 3
    pane.text.setPlainText('{"name": ""}')
    pane.show_fault(fault_at('{"name": ""}', 0, "A name is missing."))
    assert not pane.form.name.isReadOnly()
