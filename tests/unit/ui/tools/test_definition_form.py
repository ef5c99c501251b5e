from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtTest import QTest

from tests.kit.gui import colours
from tests.kit.tools_page import SCHEMA, SETUP
from workbench.ui.tools.definition_form import COLUMNS, DefinitionForm
from workbench.ui.widgets.schema_form import arguments_of


@pytest.fixture
def form(theme, qtbot) -> DefinitionForm:
    made = DefinitionForm()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    made.show_tool(SETUP, editable=True)
    return made


def _edits(form: DefinitionForm) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    form.edited.connect(told.append)
    return told


def test_parameters_as_a_table() -> None:
    rows = [[column.text(one) for column in COLUMNS] for one in arguments_of(SCHEMA)]
    assert rows == [
        ["path", "string", "yes", "✕ no description"], ["mode", "enum 2", "no", "How."], ["n", "any", "no", "default 3"],
    ]  # fmt: skip


def test_a_missing_description_has_the_colour_of_a_failure(theme, form: DefinitionForm) -> None:
    assert theme.tokens.failed.lower() in colours(form.table)


def test_words_that_are_typed_are_edits_of_the_whole_document(form: DefinitionForm) -> None:
    told = _edits(form)
    form.name.selectAll()
    QTest.keyClicks(form.name, "w")
    assert told[-1]["name"] == "w"
    form.description.selectAll()
    QTest.keyClicks(form.description, "W")
    assert (told[-1]["description"], told[-1]["parameters"]) == ("W", SCHEMA)


def test_the_chosen_parameter_is_described_and_required(form: DefinitionForm) -> None:
    told = _edits(form)
    assert not form.says.isVisible()
    form.table.choose_row(1)
    assert (form.chosen, form.says.text(), form.duty.value) == ("mode", "How.", "no")
    form.duty.button("yes").click()
    assert told[-1]["parameters"]["required"] == ["path", "mode"]
    form.says.clear()
    form.says.textEdited.emit("")
    assert told[-1]["parameters"]["properties"]["mode"] == {"enum": ["a", "b"]}
    form.table.choose_row(0)
    QTest.keyClicks(form.says, "x")
    assert told[-1]["parameters"]["properties"]["path"] == {"type": "string", "description": "x"}
    form.duty.button("no").click()
    assert told[-1]["parameters"]["required"] == []
    assert SETUP.spec.parameters == SCHEMA


def test_a_source_is_shown_and_not_edited(form: DefinitionForm) -> None:
    form.show_tool(SETUP, editable=False)
    form.table.choose_row(1)
    assert not form.name.isVisible()
    assert not form.says.isVisible()
    assert form.about.text() == "Write."
