from __future__ import annotations

from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.states import Emptiness, Glyph, Spinner


def test_the_spinner_turns_only_while_it_is_seen(theme, qtbot) -> None:
    spinner = Spinner()
    qtbot.addWidget(spinner)
    spinner.show()
    first = spinner.grab().toImage()
    qtbot.waitUntil(lambda: spinner.grab().toImage() != first)
    spinner.hide()
    assert not spinner._timer.isActive()


def test_reduced_motion_stands_still(theme, qtbot) -> None:
    spinner = Spinner()
    qtbot.addWidget(spinner)
    spinner.show()
    theme.let_move(False)
    first = spinner.grab().toImage()
    for _ in range(3):
        spinner._on_tick()
    assert spinner.grab().toImage() == first
    theme.let_move(True)
    spinner._on_tick()
    assert spinner.grab().toImage() != first


def test_empty_state_texts(theme, qtbot) -> None:
    empty = Emptiness("funnel", "No run matches", "Take a term out.", Button("Clear"))
    qtbot.addWidget(empty)
    empty.resize(400, 300)
    one = empty.grab().toImage()
    empty.set_state("trash", "The bin is empty", "Runs that you delete wait here.")
    assert empty.grab().toImage() != one


def test_glyphs_change(theme, qtbot) -> None:
    glyph = Glyph("flask", size=20)
    qtbot.addWidget(glyph)
    one = glyph.grab().toImage()
    glyph.set_icon("robot", "accent")
    assert glyph.grab().toImage() != one
