from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.unit.ui.providers.test_form import GROQ
from workbench.ui.providers.rows import ModelLine, PresetLine, ProviderTrouble
from workbench.ui.providers.view import ProvidersView
from workbench.ui.widgets.entry_list import ListEntry
from workbench.ui.widgets.roomy import RoomyPage

LINES = [
    ListEntry("Simulator", "12 simulated models", "flask", "pass", "ready"),
    ListEntry("Groq", "openai_chat", "cloud", "error", "key refused"),
]
PRESETS = [
    PresetLine("groq", "Groq", "api.groq.com"),
    PresetLine("ollama", "Ollama", "127.0.0.1:11434", local=True),
]
TROUBLE = ProviderTrouble("The key was refused", "401", "GET /models", "Paste it again.", "22:31", '{"error": 1}', True)


def _view(qtbot) -> ProvidersView:
    view = ProvidersView()
    qtbot.addWidget(view)
    view.resize(1300, 800)
    view.form.set_wires([("OpenAI Chat Completions", "openai_chat")])
    view.set_presets(PRESETS)
    view.show_providers(LINES, "Groq")
    view.show_provider(GROQ)
    view.show()
    return view


def test_the_list_chooses(theme, qtbot) -> None:
    view = _view(qtbot)
    assert view.chosen == "Groq"
    with qtbot.waitSignal(view.provider_chosen) as seen:
        QTest.keyClick(view.list, Qt.Key.Key_Up)
    assert seen.args == ["Simulator"]


def test_trouble_comes_goes_and_opens_the_answer(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_trouble(TROUBLE)
    view.show_state("error", "key refused")
    assert view.card.isVisible()
    assert not view.answer.isVisible()
    QTest.mouseClick(view.show_answer, Qt.MouseButton.LeftButton)
    assert view.answer.isVisible()
    assert view.answer.raw == '{"error": 1}'
    view.show_trouble(None)
    view.show_state("", "")
    assert not view.card.isVisible()
    assert not view.state.isVisible()


def test_models_are_searched_and_opened(theme, qtbot) -> None:
    view = _view(qtbot)
    assert view.below.currentIndex() == 1 or view.models.rowCount() == 0
    view.show_models([ModelLine("a", "react", "guess", "emulated", "guess"), ModelLine("b", "qwen_xml", "x", "n")], "2")
    QTest.keyClicks(view.search, "qwen")
    assert view.models.rowCount() == 1
    view.table.choose_row(0)
    with qtbot.waitSignal(view.model_opened) as seen:
        QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert seen.args == ["b"]


def test_presets_are_offered_by_place_and_searched(theme, qtbot) -> None:
    view = _view(qtbot)
    QTest.mouseClick(view.add_button, Qt.MouseButton.LeftButton)
    picker = view.picker
    assert picker is not None
    shown = [picker.list.model().index(row, 0).data() for row in range(picker.list.model().rowCount())]
    assert shown == ["OpenAI-compatible endpoint …", "On this computer", "Ollama", "On the network", "Groq"]
    QTest.keyClick(picker.field, Qt.Key.Key_Down)  # past the heading
    assert picker.list.currentIndex().data() == "Ollama"
    with qtbot.waitSignal(view.add_asked) as seen:
        QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert seen.args == ["ollama"]


def test_a_preset_is_found_by_its_address(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_presets()
    picker = view.picker
    assert picker is not None
    picker.field.setText("api.groq")
    model = picker.list.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["On the network", "Groq"]
    assert picker.list.currentIndex().data() == "Groq"
    picker.close()


def test_busy_blocks_a_second_test(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_busy(True)
    assert view.spinner.isVisible()
    assert not view.test.isEnabled()
    view.show_busy(False)
    with qtbot.waitSignal(view.test_asked):
        QTest.mouseClick(view.test, Qt.MouseButton.LeftButton)
    assert len(view.focus_panes()) == 3


def test_an_error_leaves_the_page_its_height(theme, qtbot) -> None:
    view = _view(qtbot)
    room = RoomyPage(view)
    qtbot.addWidget(room)
    room.resize(1360, 640)
    room.show()
    view.show_trouble(TROUBLE)
    qtbot.waitUntil(lambda: view.card.isVisible() and view.card.height() > 100)
    for _ in range(10):  # each answer to a new size may ask for another
        QApplication.processEvents()
    assert view.height() == room.viewport().height() == 640
    assert view.keys_note.isVisible()
