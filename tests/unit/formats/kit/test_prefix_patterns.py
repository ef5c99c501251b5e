"""Each pattern knows the beginnings of what it matches."""

from __future__ import annotations

import re

import pytest

from workbench.formats.kit.prefix_patterns import Pattern, ahead, alt, cls, exact, lit, many, named, opt, seq, words

CASES = [
    (lit("<a>"), "<a>"),
    (seq(lit("["), cls(r"\w", 1, 5), lit("]")), "[abc]"),
    (seq(lit("#"), cls(r"\d", 3, 5), lit(";")), "#1234;"),
    (alt(lit("foo"), lit("fab")), "fab"),
    (seq(lit("a"), opt(lit("bc")), lit("d")), "abcd"),
    (seq(lit("x"), many(seq(lit(","), cls(r"\d", 1, 3)), 3), lit(";")), "x,1,22;"),
    (words(["tool_call", "tool_calls", "think"], "[_-]?"), "tool-calls"),
    (seq(lit("end"), ahead(r"(?!\w)"), lit(" .")), "end ."),
]


@pytest.mark.parametrize(("pattern", "text"), CASES, ids=[text for _, text in CASES])
def test_full_matches_and_every_beginning_is_partial(pattern: Pattern, text: str) -> None:
    assert re.fullmatch(pattern.full, text)
    partial = re.compile(pattern.partial)
    assert all(partial.match(text[:end]) for end in range(1, len(text) + 1))


@pytest.mark.parametrize(("pattern", "text"), CASES, ids=[text for _, text in CASES])
def test_a_wrong_character_ends_every_beginning(pattern: Pattern, text: str) -> None:
    partial = re.compile(pattern.partial)
    assert not any(partial.match(text[:end] + "\x00") for end in range(len(text)))


def test_words_prefer_the_longer_word() -> None:
    found = re.match(words(["tool_call", "tool_calls"]).full, "tool_calls")
    assert found
    assert found.group() == "tool_calls"


@pytest.mark.parametrize(
    ("pattern", "text", "whole", "begun"),
    [
        (many(lit("ab"), 2), "abab", True, True),
        (many(lit("ab"), 2), "aba", False, True),
        (many(lit("ab"), 2), "ababa", False, False),
        (many(lit("ab"), 1), "a", False, True),
        (named("n", lit("ab")), "a", False, True),
        (named("n", lit("ab")), "ab", True, True),
        (opt(lit("ab")), "", True, True),
        (words(["do", "done"]), "don", False, True),
        (words(["do", "done"]), "dot", False, False),
    ],
)
def test_what_matches_as_a_whole_and_what_may_become_a_match(
    pattern: Pattern, text: str, whole: bool, begun: bool
) -> None:
    assert (re.fullmatch(pattern.full, text) is not None) is whole
    assert (re.match(pattern.partial, text) is not None) is begun


def test_a_named_part_is_captured() -> None:
    found = re.fullmatch(seq(lit("<"), named("n", cls("[a-z]", 1, 3)), lit(">")).full, "<ab>")
    assert found is not None
    assert found["n"] == "ab"


def test_repeated_and_exact_parts() -> None:
    thrice = many(lit("ab"), 3)
    for text, begun in (
        ("", True),
        ("a", True),
        ("ab", True),
        ("aba", True),
        ("ababa", True),
        ("ababab", True),
        ("abababa", False),
        ("b", False),
    ):
        assert (re.match(thrice.partial, text) is not None) is begun, text
    strict = exact(lit("ab"))
    for text, whole, begun in (("ab", True, True), ("a", False, True), ("AB", False, False), ("A", False, False)):
        assert (re.fullmatch(strict.full, text, re.IGNORECASE) is not None) is whole
        assert (re.match(strict.partial, text, re.IGNORECASE) is not None) is begun
