"""A content block grows by fragments and goes back as a whole block."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.wires.kit.content_block import ContentBlock

CALLED = {"type": "tool_use", "id": "t", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("shell", "plain"),
    [
        ({"type": "text"}, True),
        (CALLED, True),
        ({**CALLED, "caller": {"type": "direct"}}, True),
        ({**CALLED, "caller": {"type": "code_execution"}}, False),
        ({"type": "thinking"}, False),
    ],
)
def test_only_what_a_neutral_turn_can_say_is_plain(shell: dict[str, Any], plain: bool) -> None:
    assert ContentBlock(shell).plain is plain


def test_words_are_put_behind_those_of_the_shell() -> None:
    block = ContentBlock({"type": "thinking", "thinking": "H"})
    block.words += ["m", "."]
    assert block.finished() == {"type": "thinking", "thinking": "Hm."}


def test_fragments_of_a_call_become_its_input() -> None:
    block = ContentBlock(CALLED)
    for piece in ('{"x"', ":1}"):
        block.input.grow(piece)
    assert block.finished() == {**CALLED, "input": {"x": 1}}


def test_citations_are_collected() -> None:
    block = ContentBlock({"type": "text", "text": "a", "citations": None})
    block.cite({"n": 1})
    block.cite({"n": 2})
    assert block.finished()["citations"] == [{"n": 1}, {"n": 2}]
