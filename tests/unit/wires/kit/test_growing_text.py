"""Deltas that hold all of a text so far: only what is new is given out, and ordinary streams are left alone."""

from __future__ import annotations

import pytest

from workbench.wires.kit.growing_text import GrowingText

AT = (0, 1)


def given(*deltas: str) -> list[str]:
    text = GrowingText()
    out = [piece for delta in deltas for piece in text.add(delta, AT)]
    return [words for words, _ in [*out, *text.close()]]


@pytest.mark.parametrize(
    "deltas",
    [
        ("I", "I'll look", "I'll look at it.", "I'll look at it."),
        ("Tomorrow", "Tomorrow it"),
        ("**", "**W", "**Weather** in Rome"),
        ("abcdabcd", "abcdabcde", "abcdabcdef"),
        ("abcda", "abcdabc", "abcdabcd"),
        ("今", "今天", "今天天气很好，可以", "今天天气很好，可以出门"),
    ],
)
def test_text_that_grows_is_said_once(deltas: tuple[str, ...]) -> None:
    assert "".join(given(*deltas)) == deltas[-1]


@pytest.mark.parametrize(
    "deltas",
    [
        ("Ha", "Haha", ", good."),
        ("Ha", "Haha"),
        ("`", "``json\n", "{}"),
        ("=", "====", "==============", "\n"),
        ("Yes, yes", "Yes, yes", " indeed."),
        ("\n", "\n", "\n\n"),
        ("*", "**", "***********sk-pr", "oj"),
        ("abcabcab", "abcabcabc", "abcabcabca"),
        ("abcd", "abcdab", "abcdabc"),
        ("***", "***** and more of it", "."),
    ],
)
def test_ordinary_deltas_are_given_out_as_they_came(deltas: tuple[str, ...]) -> None:
    assert given(*deltas) == list(deltas)


def test_an_ordinary_delta_behind_grown_text_is_added() -> None:
    assert "".join(given("Let us", "Let us go", "Let us go on", " now")) == "Let us go on now"


def test_stars_that_grow_are_a_mask_in_pieces() -> None:
    """What was held back counts as well: a mask may come star by star."""
    for pieces in (["*", "**", "***", "****"], ["**", "****"], ["****", "*****"]):
        text = GrowingText()
        found = [piece for at, one in enumerate(pieces) for piece in text.add(one, (at, at + 1))] + text.close()
        assert "".join(one for one, _ in found) == "".join(pieces), pieces
