from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.servers.start_form import FactsGrid, StartFormView
from workbench.ui.servers.values import StartForm, StartPlan

PLAN = StartPlan((("Model", "qwen"), ("Format", "qwen_xml · by name")), True, ("A note.",), "llama-server --port 1")


def _form(qtbot) -> StartFormView:
    form = StartFormView()
    qtbot.addWidget(form)
    form.resize(900, 700)
    form.show()
    return form


def test_typed_values_are_emitted_once(theme, qtbot) -> None:
    form = _form(qtbot)
    with qtbot.waitSignal(form.changed):
        QTest.keyClicks(form.file, "/m.gguf")
    wanted = StartForm("/m.gguf", "mine", "8080", "4096", 3, False, "/t.jinja", "-ngl 99")
    seen: list[int] = []
    form.changed.connect(lambda: seen.append(1))
    form.show_form(wanted)
    assert form.form() == wanted
    assert seen == [1]
    form.tools.choose(True)
    form.tools.value_chosen.emit(True)
    form.parallel.value_changed.emit(2)
    assert len(seen) == 3
    assert form.form().tool_calling


def test_start_button_follows_the_plan(theme, qtbot) -> None:
    form = _form(qtbot)
    assert form.start.isVisible()
    assert not form.start.isEnabled()
    assert form.start.toolTip().startswith("Choose a model file first")
    form.show_plan(PLAN)
    assert "Format: qwen_xml · by name" in form.facts.text
    assert form.guess.isVisible()
    assert form.notes.text == "A note."
    assert form.command.raw == "llama-server --port 1"
    with qtbot.waitSignal(form.start_asked):
        QTest.mouseClick(form.start, Qt.MouseButton.LeftButton)
    form.show_plan(StartPlan((), False, (), ""))
    assert not form.guess.isVisible()
    assert not form.notes.isVisible()


def test_trouble_takes_the_place_of_the_plan(theme, qtbot) -> None:
    form = _form(qtbot)
    form.show_plan(PLAN)
    form.show_trouble("It is broken.", "Mend it.")
    assert form.trouble.isVisible()
    assert form.trouble.text == "It is broken.\nMend it."
    assert not form.start.isEnabled()
    assert form.start.toolTip().startswith("It is broken.")


def test_facts_shrink_and_grow(theme, qtbot) -> None:
    grid = FactsGrid()
    qtbot.addWidget(grid)
    grid.show_facts((("a", "1"), ("b", "2")))
    assert grid.text == "a: 1\nb: 2"
    grid.show_facts((("c", "3"),))
    assert grid.text == "c: 3"
