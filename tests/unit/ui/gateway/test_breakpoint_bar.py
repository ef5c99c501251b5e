from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from workbench.ui.gateway.breakpoint_bar import EVERYWHERE, BreakpointBar


@pytest.fixture
def bar(theme, qtbot) -> BreakpointBar:
    made = BreakpointBar()
    qtbot.addWidget(made)
    made.resize(1088, 44)
    made.show()
    return made


def test_what_is_chosen_is_told_and_what_is_shown_is_not(bar: BreakpointBar, qtbot) -> None:
    told: list[tuple] = []
    bar.changed.connect(lambda: told.append((bar.parts, bar.when.value, bar.seconds.value)))
    bar.show_points(("reply",), "call", 30)
    assert told == []
    qtbot.mouseClick(bar.button("request"), Qt.MouseButton.LeftButton)
    assert told == [(("request", "reply"), "call", 30)]
    assert bar.button("request").kind == "chosen"
    qtbot.mouseClick(bar.button("reply"), Qt.MouseButton.LeftButton)
    assert told[-1][0] == ("request",)


def test_the_scope_is_asked_for(bar: BreakpointBar, qtbot) -> None:
    told: list[str] = []
    bar.scope_chosen.connect(told.append)
    bar.scope.setCurrentIndex(1)
    bar.scope.activated.emit(1)
    assert told == [EVERYWHERE]


def test_release_all_needs_something_held(bar: BreakpointBar, qtbot) -> None:
    told: list[int] = []
    bar.release_all_asked.connect(lambda: told.append(1))
    qtbot.mouseClick(bar.release_all, Qt.MouseButton.LeftButton)
    bar.show_held(2)
    qtbot.mouseClick(bar.release_all, Qt.MouseButton.LeftButton)
    assert told == [1]
