"""Blocks of a cell in a width that is short for them."""

from __future__ import annotations

from workbench.ui.run.loop.blocks import Block, BlockRun, SmallChip, lay_out


def test_words_stand_below_a_chip_that_leaves_no_room_for_them(theme) -> None:
    block = Block((BlockRun("no further calls", "text2"),), chip=SmallChip("answer", "followed", mark="pass"))
    (wide,), beside = lay_out([block], 300)
    (narrow,), below = lay_out([block], 110)
    assert below > beside
    lines = [narrow.layout.lineAt(at) for at in range(narrow.layout.lineCount())]
    assert all(line.naturalTextWidth() <= 110 for line in lines)
    assert narrow.layout.text()[: lines[0].textLength()].rstrip() in ("no further calls", "no further")
    assert (wide.layout.lineCount(), wide.height) == (1, beside)
