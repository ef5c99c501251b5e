"""Markers go, in whatever pieces they come."""

from __future__ import annotations

import pytest

from workbench.formats.kit.markers import BARRIER
from workbench.formats.sanitizer.marker_remover import MarkerRemover


def _run(pieces: list[str]) -> str:
    remover = MarkerRemover()
    out = [piece for text in pieces for piece in remover.feed(text)]
    return "".join(piece for piece in [*out, *remover.finish()] if piece)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a<tool_call>{}</tool_call>b", "ab"),
        ("a<tool_<tool_call>call>b", "ab"),
        ("a<tool_call> b", "a b"),
        ("a</think>b", "ab"),
        ("a <", "a "),
        ("a < b", "a < b"),
        ("Action: x\nb", "\nb"),
    ],
)
def test_whole_and_by_character(text: str, kept: str) -> None:
    assert _run([text]) == kept
    assert _run(list(text)) == kept


def test_nothing_certain_is_kept_back() -> None:
    remover = MarkerRemover()
    assert remover.feed("plain text ") == ["plain text "]
    assert remover.feed("<tool") == []
    assert remover.feed("box x") == ["<toolbox x"]


def test_too_many_halves_are_cut_by_a_joiner() -> None:
    text = "<tool_" * 9 + "<tool_call>" + "call>" * 9
    assert BARRIER in _run([text])
    assert _run([text]) == _run(list(text))


def test_gaps_are_marked() -> None:
    assert MarkerRemover().feed("x<tool_call> {}x b") == ["x", None, "x b"]


def test_plain_text_check_allows_the_short_way() -> None:
    remover = MarkerRemover()
    assert not remover.plain
    remover.feed("some")
    assert remover.plain
    remover.feed(" <")
    assert not remover.plain
