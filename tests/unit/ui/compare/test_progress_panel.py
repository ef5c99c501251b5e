from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.kit.comparing import NAMES, progress
from workbench.core.batch import BatchState
from workbench.ui.compare.progress_panel import ProgressPanel, progress_words


@pytest.mark.parametrize(
    ("state", "pause", "resume", "cancel"),
    [("running", True, "", True), ("paused", False, "Resume", True), ("stopped", False, "Resume 492 of 980", False)],
)
def test_buttons_fit_the_state(theme, qtbot, state: str, pause: bool, resume: str, cancel: bool) -> None:
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.show_progress(progress(state), NAMES)
    assert panel.pause.isVisibleTo(panel) is pause
    assert panel.resume.isVisibleTo(panel) is bool(resume)
    assert not resume or panel.resume.text() == resume
    assert panel.cancel.isVisibleTo(panel) is cancel


def test_finished_or_foreign_batch(theme, qtbot) -> None:
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.show_progress(progress("stopped"), NAMES, elsewhere=True)
    assert "another program" in panel.words.text()
    assert not panel.resume.isVisibleTo(panel)
    panel.show_progress(progress("done"), NAMES)
    assert panel.isHidden()


def test_clicks_ask(theme, qtbot) -> None:
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.show_progress(progress(), NAMES)
    panel.show()
    for button, signal in ((panel.pause, panel.pause_asked), (panel.cancel, panel.cancel_asked)):
        with qtbot.waitSignal(signal):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_rows_take_as_many_columns_as_there_is_room_for(theme, qtbot) -> None:
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.show_progress(progress(), NAMES)
    panel.show()
    for width, rows in ((500, 8), (900, 4), (1400, 3)):
        panel.resize(width, 400)
        qtbot.waitUntil(lambda rows=rows: panel.rows.height() == rows * 22)
    assert "qwen-hasty · react · direct: 48 of" in panel.rows.accessibleDescription()


def test_a_target_can_be_taken_out(theme, qtbot) -> None:
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show_progress(progress(), NAMES)
    panel.show()
    at = QPoint(30, 22 + 8)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, panel.rows.mapToGlobal(at))
    QApplication.sendEvent(panel.rows, event)
    menu = panel.rows.findChild(QMenu)
    assert menu is not None
    with qtbot.waitSignal(panel.trim_asked) as seen:
        menu.actions()[0].trigger()
    assert seen.args == [1]
    menu.close()


def test_progress_in_words() -> None:
    far = replace(progress(), total=120, done=37, running=4, errors=2)
    assert progress_words(far) == "37 of 120 runs · 4 running · 2 errors · about 2 min left"
    paused = replace(far, state=BatchState.PAUSED, running=0, errors=0)
    assert progress_words(paused) == "37 of 120 runs · paused"
    assert progress_words(replace(paused, cost=0.01234)).endswith(" · cost 0.01234")
    assert progress_words(replace(paused, cost=0.5, max_cost=2)).endswith(" · cost 0.5 of 2")
