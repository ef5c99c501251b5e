"""Blocks laid out: wrapping, figures at the right, links under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.ui.run.loop.blocks import Block, BlockRun, SmallChip, lay_out, voice_format

if TYPE_CHECKING:
    from workbench.ui.theme.theme import Theme


def test_words_wrap_and_keep_the_pitch(theme: Theme) -> None:
    placed, height = lay_out([Block((BlockRun("word " * 40),)), Block((BlockRun("end"),), gap=4)], 200)
    lines = placed[0].layout.lineCount()
    assert lines > 3
    assert height == lines * 16 + 4 + 16
    assert placed[1].top == lines * 16 + 4


def test_a_figure_takes_room_from_the_first_line_only(theme: Theme) -> None:
    words = (BlockRun("aaaa " * 12),)
    alone, _ = lay_out([Block(words)], 200)
    beside, _ = lay_out([Block(words, right_chip=SmallChip("no call possible"))], 200)
    assert beside[0].layout.lineAt(0).width() < alone[0].layout.lineAt(0).width()
    assert beside[0].layout.lineAt(1).width() == alone[0].layout.lineAt(1).width()


def test_links_are_found_by_place(theme: Theme) -> None:
    (one,), _ = lay_out(
        [Block((BlockRun("name", link="a"), BlockRun("("), BlockRun("value", link="b"), BlockRun(")")), mono=True)], 300
    )
    assert one.links() == ["a", "b"]
    assert one.link_at(3, 8) == "a"
    assert one.link_at(7 * 6.5, 8) == "b"
    assert one.link_at(290, 8) is None


@pytest.mark.parametrize("voice", ["text2", "key", "strong", "empty", "label", "failed!", "problem", "open", "linked"])
def test_every_voice_has_a_colour(theme: Theme, voice: str) -> None:
    assert voice_format(voice).foreground().color().isValid()


def test_a_block_reads_as_one_sentence() -> None:
    block = Block((BlockRun("read it"),), lead="1", right_chip=SmallChip("ignored"), chip=SmallChip("GUIDANCE"))
    assert block.plain == "GUIDANCE 1 read it ignored"
