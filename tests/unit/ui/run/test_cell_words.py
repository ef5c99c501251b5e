"""The words of the cells, and that another page may say them otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit import events as kit
from workbench.ui.run.cell_words import CellWords
from workbench.ui.run.loop.blocks import Block, BlockRun
from workbench.ui.run.loop.ruler import ColumnRuler
from workbench.ui.run.loop.step import LoopStepRow
from workbench.ui.run.run_fold import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

    from workbench.ui.run.run_view import RunView, StepView
    from workbench.ui.theme.theme import Theme


class Others(CellWords):
    last_title = "to the agent"

    def place(self, step: StepView) -> str:
        return f"Exchange {step.number}"

    def last(self, run: RunView, step: StepView, now_us: int) -> Sequence[Block]:
        return [Block((BlockRun("tool_use read_file"),))]


def test_a_rows_cells_use_the_words_of_their_page(qtbot: QtBot, theme: Theme) -> None:
    run = fold(kit.story())
    row = LoopStepRow(run, run.steps[1], ColumnRuler(), words=Others())
    qtbot.addWidget(row)
    row.resize(1034, 200)
    cells = row.make(0)
    assert row.accessibleName() == "Exchange 1"
    assert cells.sanitized.blocks is not None
    assert cells.sanitized.blocks.plain_text() == "tool_use read_file"
    assert cells.sanitized.blocks.accessibleName() == "Exchange 1: to the agent"


def test_a_runs_own_words(theme: Theme) -> None:
    run, words = fold(kit.story()), CellWords()
    step = run.steps[0]
    assert words.title(step) == "Planner"
    assert words.sent(run, step, 0, narrow=False)[0].plain.startswith("Planner")
    assert words.last(run, step, 0)[0].plain == "nothing for the user"
