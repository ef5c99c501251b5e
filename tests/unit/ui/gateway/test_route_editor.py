from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from workbench.core.target import ModelRef
from workbench.ui.gateway.route_editor import RouteEditor
from workbench.ui.gateway.values import RouteDraft

DRAFT = RouteDraft("*-large*", "model", "Work/big", "route", "react", "Work/planner", 60.0)


@pytest.fixture
def editor(theme, qtbot) -> RouteEditor:
    made = RouteEditor()
    qtbot.addWidget(made)
    made.offer([ModelRef("Work", "big")], ["react"], lambda _text: None)
    made.resize(600, 190)
    made.show()
    return made


def test_a_draft_goes_into_the_form_and_back(editor: RouteEditor) -> None:
    editor.show_draft(DRAFT, new=False)
    assert editor.draft == DRAFT
    assert editor.model.currentText() == "Work / big"
    assert editor.remove.isVisible()
    editor.show_draft(RouteDraft(), new=True)
    assert editor.draft == RouteDraft()
    assert not editor.remove.isVisible()


def test_what_has_no_effect_cannot_be_chosen(editor: RouteEditor) -> None:
    editor.show_draft(DRAFT, new=False)
    assert editor.seconds.isEnabled()
    editor.planner.picked.emit("")
    assert not editor.seconds.isEnabled()
    editor.leads.choose("BIG_MODEL")
    editor.leads.value_chosen.emit("BIG_MODEL")
    assert not editor.model.isEnabled()
    editor.way.choose("pass-through")
    editor.way.value_chosen.emit("pass-through")
    assert not editor.format.isEnabled()


def test_keys_save_and_leave(editor: RouteEditor, qtbot) -> None:
    told: list[str] = []
    editor.saved.connect(lambda: told.append("saved"))
    editor.closed.connect(lambda: told.append("closed"))
    editor.show_draft(DRAFT, new=False)
    qtbot.keyClick(editor.asked_for, Qt.Key.Key_Return)
    qtbot.keyClick(editor.asked_for, Qt.Key.Key_Escape)
    assert told == ["saved", "closed"]
    editor.say("It leads nowhere.")
    assert editor.fault.isVisible()
