"""White space where something was taken out."""

from __future__ import annotations

import pytest

from workbench.formats.sanitizer.gap_joiner import WIDEST, GapJoiner


def _run(pieces: list[str | None]) -> str:
    seams = GapJoiner()
    return "".join(piece for piece in seams.feed(pieces) if piece) + seams.finish()


@pytest.mark.parametrize(
    ("pieces", "kept"),
    [
        (["a b \n"], "a b \n"),
        (["a ", None, " b"], "a b"),
        (["a\n\n", None, "\nb"], "a\n\nb"),
        (["a ", None, "\n\nb"], "a\n\nb"),
        ([None, "\n a"], "a"),
        (["a \n", None], "a"),
        (["a ", None, " ", None, "\n", None, " b"], "a\nb"),
        (["a", None, "b"], "ab"),
        (["a < ", None], "a < "),
        ([" ", "a"], " a"),
        (["<function  ", None, "\nname"], "<function  \nname"),
        ([None, "\n \rname"], " \rname"),
        (["a\n", None, "\rname"], "a\n\rname"),
        (["a\n", None, "\r\nname"], "a\r\nname"),
    ],
)
def test_seams(pieces: list[str | None], kept: str) -> None:
    assert _run(pieces) == kept
    assert _run([char if piece is not None else None for piece in pieces for char in (piece or " ")]) == kept


def test_endless_white_space_is_not_kept_back() -> None:
    seams = GapJoiner()
    assert sum(len(piece or "") for piece in seams.feed(["a" + " " * 5 * WIDEST])) == 4 * WIDEST + 1
    assert len(seams.finish()) == WIDEST


def test_a_gap_stands_behind_its_white_space() -> None:
    seams = GapJoiner()
    assert [piece for piece in seams.feed(["```", None, "\n", None, "\n```"]) if piece != ""] == [
        "```",
        "\n",
        None,
        "```",
    ]
    assert seams.feed(["\n", None]) == []
    assert seams.rest() == ["\n", None]
