"""The line above the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.kit import events as kit
from tests.kit.gui import colours
from workbench.ui.run.loop.bar import LoopBar
from workbench.ui.run.run_fold import fold

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_blocks_and_words(qtbot: QtBot, theme: Theme) -> None:
    bar = LoopBar()
    qtbot.addWidget(bar)
    bar.resize(900, 32)
    bar.show_run(None, folded=False)
    assert bar.fold.isHidden()
    empty = colours(bar.meter)
    bar.show_run(fold(kit.story()), folded=False)
    assert bar.meter.accessibleDescription().startswith("2 / 3 failed attempts")
    assert theme.tokens.edge.lower() in colours(bar.meter) - empty, "the block that is left has a border"
    bar.show_run(fold(kit.native()), folded=True)
    assert "failed attempts" not in bar.meter.words
    assert bar.fold.text() == "Expand all"
    with qtbot.waitSignal(bar.fold_all_asked):
        qtbot.mouseClick(bar.fold, Qt.MouseButton.LeftButton)


def test_the_end_of_the_run_is_said_where_room_is_short(qtbot: QtBot, theme: Theme) -> None:
    bar = LoopBar()
    qtbot.addWidget(bar)
    bar.show_run(fold(kit.story()), folded=False)
    attempts, *_, stopped = bar.meter.words.split("  ·  ")
    assert stopped.startswith("stopped: ")
    assert bar.meter.words_in(2_000) == bar.meter.words
    assert bar.meter.words_in(300) == f"{attempts}  ·  {stopped}"
    assert bar.meter.words_in(10) == stopped
    bar.show_run(None, folded=False)
    assert bar.meter.words_in(10) == ""
