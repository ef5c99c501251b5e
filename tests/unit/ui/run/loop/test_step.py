"""A row: cells when they are made, a painted summary otherwise, at the same height."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.kit import events as kit
from workbench.core.calls import Span
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.run.loop.step import LoopStepRow
from workbench.ui.run.run_fold import fold

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def _row(qtbot: QtBot, number: int = 4) -> LoopStepRow:
    run = fold(kit.story())
    row = LoopStepRow(run, run.steps[number], ColumnRuler())
    qtbot.addWidget(row)
    row.resize(1034, 200)
    row.show()
    return row


def test_a_summary_keeps_the_height_of_the_cells(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot)
    guessed = row.height_now()
    row.make(0)
    real = row.height_now()
    assert abs(guessed - real) <= 48
    row.release()
    assert not row.is_made
    assert row.height_now() == real
    assert row.panes == ()
    assert not row.grab().isNull()


def test_making_twice_makes_one(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot)
    assert row.make(0) is row.make(0)
    assert len(row.panes) == 4


def test_jumping_and_linking_need_cells(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot)
    assert row.jump(Span(0, 5)) == 0
    row.set_linked([Span(0, 5)], frozenset())
    cells = row.make(0)
    assert row.jump(Span(90, 95)) > 8
    row.set_linked([Span(0, 5)], frozenset())
    assert cells.raw.text is not None
    assert "<thin" in cells.raw.text.linked_text()
    assert row.jump(None) == 8
    cells.raw.text._end_blink()


def test_a_press_selects_the_step(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot)
    with qtbot.waitSignal(row.selected) as selected:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert selected.args == [4]
