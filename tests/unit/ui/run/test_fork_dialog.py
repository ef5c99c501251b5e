from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.run.fork_dialog import ForkDialog

STEPS = [("iteration 1 · request", 1), ("iteration 2 · + 1 tool result", 2)]


def test_fields_begin_as_the_run_stood(theme, qtbot) -> None:
    dialog = ForkDialog(STEPS, 2, "Weather in Rome?", "[]")
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.iteration.value == 2
    assert dialog.prompt.toPlainText() == "Weather in Rome?"
    dialog.show_results([("Result of get_weather, iteration 1.1", '{"sky": "clear"}')])
    assert [field.toPlainText() for field in dialog.results] == ['{"sky": "clear"}']
    dialog.show_results([])
    assert dialog.results == []
    dialog.say_wrong("No.")
    assert dialog.status.text() == "No."
    with qtbot.waitSignal(dialog.forked):
        QTest.keyClick(dialog.fork, Qt.Key.Key_Space)


def test_the_tab_key_goes_through_the_fields_as_they_stand(theme, qtbot) -> None:
    dialog = ForkDialog(STEPS, 2, "Weather in Rome?", "[]")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_results([("Result of get_weather", "{}"), ("Result of read_file", "{}")])
    order, field = [], dialog.prompt.nextInFocusChain()
    while field not in (dialog.prompt, dialog.tools):
        order.append(field)
        field = field.nextInFocusChain()
    assert field is dialog.tools
    assert [one for one in order if one in dialog.results] == dialog.results
