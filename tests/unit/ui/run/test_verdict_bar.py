"""The verdict bar: what is known is said, and only what can be done is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.kit import events as kit
from tests.kit.gui import listening
from workbench.core.verdict import VerdictState
from workbench.ui.run.run_fold import RunFold, fold
from workbench.ui.run.verdict_bar import VerdictBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> VerdictBar:
    made = VerdictBar()
    qtbot.addWidget(made)
    made.resize(900, 44)
    return made


def test_a_judged_run(qtbot: QtBot, bar: VerdictBar) -> None:
    bar.show_run(fold(kit.story()), 0)
    assert bar.isVisible()
    assert bar.verdict.state is VerdictState.PASS
    assert bar.totals.text().startswith("·  3 loops, 1.3 s, 7,036 in / 630 out")
    with qtbot.waitSignal(bar.answer_asked):
        qtbot.mouseClick(bar.answer, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(bar.again_asked):
        qtbot.mouseClick(bar.again, Qt.MouseButton.LeftButton)


def test_a_live_run_counts_on(bar: VerdictBar) -> None:
    folder = RunFold()
    folder.apply(kit.running())
    bar.show_run(folder.view, 9_000_000)
    assert bar.verdict.state is VerdictState.RUNNING
    assert "9.0 s" in bar.totals.text()
    assert not bar.again.isVisible()
    assert not bar.answer.isVisible()


def test_the_end_of_a_live_run_is_said_once(bar: VerdictBar, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = listening(monkeypatch)
    folder = RunFold()
    events = list(kit.story())
    folder.apply(events[:-2])
    bar.show_run(folder.view, 1_000_000)
    bar.show_waiting("read_file")
    bar.show_waiting("")
    assert heard == ["read_file waits for you, not decided"]
    folder.apply(events[-2:])
    bar.show_run(folder.view, 0)
    bar.show_run(folder.view, 0)
    assert heard[1:] == [f"{bar.accessibleName()} {bar.totals.text()}"]
    assert heard[1].startswith("Verdict: pass, ")


def test_a_recorded_run_is_not_said_to_have_ended_now(bar: VerdictBar, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = listening(monkeypatch)
    bar.show_run(fold(kit.story()), 0)
    assert heard == []


def test_a_killed_run_and_none(bar: VerdictBar) -> None:
    bar.show_run(fold(kit.running()), 0)
    assert bar.reason.text() == "the program ended during this run"
    bar.show_run(None, 0)
    assert not bar.isVisible()


def test_short_of_room_buttons_say_less_and_the_reason_gives_way(theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(1600, 400)
    page.show()
    bar = VerdictBar()
    bar.setParent(page)
    bar.show_run(fold(kit.story()), 0)
    bar.resize(1600, 44)
    assert (bar.answer.text(), bar.replay.text(), bar.keep.text()) == ("Copy answer", "Replay", "Keep as case")
    theme.set_scale(2.0)
    bar.resize(1130, 88)
    assert (bar.answer.text(), bar.replay.text(), bar.keep.text()) == ("", "", "Keep")
    assert bar.keep.accessibleName() == "Keep as case"
    qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= 1130)
    bar.resize(860, 88)
    assert bar.keep.text() == ""
    assert bar.reason.text()
    qtbot.waitUntil(lambda: bar.reason.width() >= 100)
