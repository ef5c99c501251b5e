from __future__ import annotations

from PySide6.QtCore import Qt

from tests.kit.gui import picture
from workbench.ui.widgets.entry_list import EntryDelegate, EntryModel, ListEntry, word_beside
from workbench.ui.widgets.rows import RowList

PROVIDERS = [
    ListEntry("Simulator", "12 simulated models", "flask", "pass", "ready"),
    ListEntry("Groq", "openai_chat", "cloud", "error", "key refused"),
]


def test_names_states_and_updates(qtmodeltester, qtbot) -> None:
    model = EntryModel()
    model.show_lines(PROVIDERS)
    qtmodeltester.check(model)
    assert (model.row_of("Groq"), model.row_of("Nobody")) == (1, -1)
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Groq, openai_chat, key refused"
    with qtbot.assertNotEmitted(model.modelReset):
        model.show_lines([PROVIDERS[0], ListEntry("Groq", "openai_chat", "cloud", "pass", "3 models")])
    assert model.line(1).word == "3 models"


def test_a_name_is_not_cut_for_the_word_that_all_is_well(theme) -> None:
    ready, refused = PROVIDERS
    assert word_beside(ready, 200) == "ready"
    assert word_beside(ready, 100) == ""
    assert word_beside(refused, 60) == "key refused"  # what is wrong is always said


def test_a_row_shows_name_word_and_state(theme, qtbot) -> None:
    model, view = EntryModel(), RowList("Providers")
    qtbot.addWidget(view)
    view.setItemDelegate(EntryDelegate(52, view))
    view.setModel(model)
    model.show_lines(PROVIDERS)
    view.resize(320, 120)
    view.show()
    before = picture(view)
    model.show_lines([PROVIDERS[0], ListEntry("Groq", "openai_chat", "cloud", "pass", "ready")])
    assert picture(view) != before
