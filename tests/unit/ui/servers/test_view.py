from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.ui.servers.values import ServerFacts
from workbench.ui.servers.view import ServersView
from workbench.ui.theme.fonts import px
from workbench.ui.widgets.entry_list import ListEntry

LINES = [
    ListEntry("llama.cpp :8080", "qwen", "hard-drives", "pass", "ready"),
    ListEntry("primary", "set-up, port 8081", "gear", "not_gradable", "not running"),
]
RUNS = ServerFacts("llama.cpp :8080", "followed", "ready", (("Process", "7"),), can_stop=True, can_try=True)
SET_UP = ServerFacts("primary", "plain", "not running", (("Model", "m"),), can_start=True)


def _view(qtbot) -> ServersView:
    view = ServersView()
    qtbot.addWidget(view)
    view.resize(1200, 700)
    view.show()
    return view


def test_nothing_runs_at_first(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_servers([])
    assert view.none.isVisible()
    assert view.chosen == ""
    assert view.focus_panes() == [view.form.file]


def test_an_empty_list_above_the_form_takes_what_its_words_need(theme, qtbot) -> None:
    view = _view(qtbot)
    view.resize(600, 700)
    view.show_servers(LINES)
    qtbot.waitUntil(lambda: view.right.y() > px(200))
    with_lines = view.right.y()
    view.show_servers([])
    qtbot.waitUntil(lambda: view.none.height() == view.none.sizeHint().height())
    assert view.right.y() < with_lines
    view.show_servers(LINES)
    qtbot.waitUntil(lambda: view.right.y() == with_lines)


def test_the_list_chooses_and_a_start_chooses_nothing(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_servers(LINES, "llama.cpp :8080")
    assert view.chosen == "llama.cpp :8080"
    with qtbot.waitSignal(view.server_chosen) as seen:
        QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert seen.args == ["primary"]
    view.show_start()
    assert view.chosen == ""
    assert view.form.isVisible()


def test_server_actions_by_state(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_server(RUNS, "live")
    assert (view.stop.isVisible(), view.try_it.isVisible(), view.start_setup.isVisible()) == (True, True, False)
    assert "Process: 7" in view.facts.text
    for button, signal in ((view.stop, view.stop_asked), (view.try_it, view.try_asked)):
        with qtbot.waitSignal(signal):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    view.show_server(SET_UP, "")
    assert (view.stop.isVisible(), view.log.isVisible(), view.start_setup.isVisible()) == (False, False, True)
    with qtbot.waitSignal(view.setup_asked):
        QTest.mouseClick(view.start_setup, Qt.MouseButton.LeftButton)


def test_log_follows_unless_scrolled_up(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_server(RUNS, "live")
    view.show_log([f"line {number}" for number in range(300)])
    bar = view.log.verticalScrollBar()
    assert bar.value() == bar.maximum()
    view.add_log(["one more"])
    assert bar.value() == bar.maximum()
    bar.setValue(3)
    view.add_log(["and one more"])
    assert bar.value() == 3
    assert view.log.toPlainText().endswith("one more\nand one more")
    view.add_log(["x"] * 5000)
    assert view.log.blockCount() <= 2000
