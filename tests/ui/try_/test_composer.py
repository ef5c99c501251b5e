"""The composer with real keys and clicks: what is wrong blocks Run and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.kit import events as kit
from workbench.core.target import ModelRef

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.try_.view import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


def test_a_recorded_run_fills_the_composer(page: TryPage) -> None:
    composer = page.composer
    assert composer.user.text() == kit.USER
    assert composer.draft.planner == ModelRef("Simulator", "plain")
    assert composer.target.model.currentText() == "Simulator / qwen-hasty"
    assert composer.target.mode.currentText() == "Boost"
    assert composer.simulated.isVisible()
    assert [chip.accessibleName() for chip in composer.tools.chips] == [
        "read_file run", "list_directory run", "write_file mock", "execute_command ask",
    ]  # fmt: skip
    assert composer.run.isEnabled()


def test_typing_edits_the_draft_and_grows_the_field(qtbot: QtBot, page: TryPage) -> None:
    field, composer = page.composer.user, page.composer
    low = field.height()
    field.selectAll()
    qtbot.keyClicks(field, "one")
    for line in range(12):
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.keyClicks(field, str(line))
    assert composer.draft.user.startswith("one\n0\n")
    assert low < field.height() < 12 * low
    field.undo()
    assert composer.draft.user != field.toPlainText() + "x"
    assert composer.draft.user == field.toPlainText()


def test_an_empty_prompt_is_off_without_blame(qtbot: QtBot, page: TryPage) -> None:
    page.composer.user.selectAll()
    qtbot.keyClick(page.composer.user, Qt.Key.Key_Delete)
    assert not page.composer.run.isEnabled()
    assert page.composer.why_off == "Run is off: the prompt is empty"
    assert not page.composer.reason.isVisible()


def test_run_and_stop_share_their_place(qtbot: QtBot, page: TryPage) -> None:
    with qtbot.waitSignal(page.composer.run_asked):
        qtbot.mouseClick(page.composer.run, Qt.MouseButton.LeftButton)
    page.composer.set_running(True)
    assert not page.composer.run.isVisible()
    with qtbot.waitSignal(page.composer.stop_asked):
        qtbot.mouseClick(page.composer.stop, Qt.MouseButton.LeftButton)
    page.composer.set_running(False)
    page.composer.refuse("There is no key for 'Groq'.")
    assert page.composer.run.isEnabled()
    assert page.composer.reason.text() == "Not sent: There is no key for 'Groq'."
    least = page.composer.minimumSizeHint().width()
    page.composer.refuse("There is no key for " + "a-very-long-name-" * 60)
    assert page.composer.minimumSizeHint().width() == least
    qtbot.keyClicks(page.composer.user, "x")
    assert not page.composer.reason.isVisible()


def test_the_keyboard_walks_the_rows_as_they_are_read(page: TryPage) -> None:
    composer = page.composer
    stops = [
        composer.user,
        *composer.tools.chips,
        composer.tools.add,
        composer.parameters,
        composer.preview,
        composer.target.model,
        composer.run,
    ]
    widget, met = composer.system_line.nextInFocusChain(), []
    while widget is not composer.system_line:
        if widget in stops:
            met.append(widget)
        widget = widget.nextInFocusChain()
    assert met == stops


def test_the_keyboard_stays_on_run_and_stop(qtbot: QtBot, page: TryPage) -> None:
    composer = page.composer
    page.activateWindow()
    qtbot.waitActive(page)
    qtbot.mouseClick(composer.run, Qt.MouseButton.LeftButton)
    composer.run.setFocus()
    composer.set_running(True)
    assert composer.stop.hasFocus()
    composer.set_running(False)
    assert composer.run.hasFocus()
    composer.user.setFocus()
    composer.set_running(True)
    assert composer.user.hasFocus()
