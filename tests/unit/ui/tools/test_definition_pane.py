from __future__ import annotations

import json

import pytest

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.definition_pane import COLUMNS, DefinitionPane
from workbench.ui.widgets.json_check import fault_at
from workbench.ui.widgets.schema_form import arguments_of

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "mode": {"enum": ["a", "b"], "description": "How."},
        "n": {"default": 3},
    },
    "required": ["path"],
}
SETUP = ToolSetup(ToolSpec("write_file", "Write.", SCHEMA), ToolMode.ASK)


@pytest.fixture
def pane(theme, qtbot) -> DefinitionPane:
    made = DefinitionPane()
    qtbot.addWidget(made)
    made.show()
    made.show_tool(SETUP, "", editable=True, edited=True)
    return made


def test_parameters_as_a_table() -> None:
    rows = [[column.text(one) for column in COLUMNS] for one in arguments_of(SCHEMA)]
    assert rows == [
        ["path", "string", "yes", "✕ no description"], ["mode", "enum 2", "no", "How."], ["n", "any", "no", "default 3"],
    ]  # fmt: skip


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
    assert (pane.table.isVisible(), pane.text.isVisible()) == (True, False)
    pane.view.button("json").click()
    assert (pane.table.isVisible(), pane.text.isVisible()) == (False, True)


def test_a_fault_names_line_and_column(pane: DefinitionPane) -> None:
    pane.show_fault(fault_at(pane.text.toPlainText(), 5, "No good."))
    assert "No good." in pane.check.text()
    pane.show_fault(None)
    assert "2020-12" in pane.check.text()
