from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from workbench.ui.start.first_minute import FirstSteps, FoundServers, ServerLine, StepLine


def test_servers_are_offered_with_their_models(theme, qtbot) -> None:
    strip, asked = FoundServers(), []
    qtbot.addWidget(strip)
    strip.added.connect(asked.append)
    strip.show_servers([ServerLine("Ollama", "127.0.0.1:11434", ("a", "b", "c", "d", "e"))])
    assert not strip.isHidden()
    add = strip.findChild(QPushButton, "add Ollama")
    QTest.mouseClick(add, Qt.MouseButton.LeftButton)
    assert asked == ["Ollama"]
    strip.show_servers([])
    assert strip.isHidden()


def test_the_words_of_a_server() -> None:
    words = ServerLine("Ollama", "127.0.0.1:11434", ("a", "b", "c", "d", "e")).words
    assert words == "answers at 127.0.0.1:11434 with 5 models: a, b, c, d, …"


def test_steps_disappear_when_all_are_done(theme, qtbot) -> None:
    strip, asked = FirstSteps(), []
    qtbot.addWidget(strip)
    strip.asked.connect(asked.append)
    strip.show_steps([StepLine("a", "First", True), StepLine("b", "Second", False)])
    assert not strip.isHidden()
    assert not strip.buttons["a"].isEnabled()
    QTest.mouseClick(strip.buttons["b"], Qt.MouseButton.LeftButton)
    assert asked == ["b"]
    strip.show_steps([StepLine("a", "First", True), StepLine("b", "Second", True)])
    assert strip.isHidden()


def test_a_step_is_ticked_where_it_stands_and_the_keyboard_goes_on(theme, qtbot) -> None:
    strip = FirstSteps()
    qtbot.addWidget(strip)
    assert strip.show_steps([StepLine("a", "First", False), StepLine("b", "Second", False)])
    strip.show()
    strip.activateWindow()
    kept = strip.buttons["a"]
    kept.setFocus()
    qtbot.waitUntil(kept.hasFocus)
    assert not strip.show_steps([StepLine("a", "First", True), StepLine("b", "Second", False)])
    assert strip.buttons["a"] is kept
    assert (kept.isEnabled(), kept.accessibleName()) == (False, "First: done")
    qtbot.waitUntil(strip.buttons["b"].hasFocus)
