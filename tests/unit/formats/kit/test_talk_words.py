"""Each line of the tables of words has an example that no other line finds."""

from __future__ import annotations

import re

import pytest

from workbench.formats.kit.talk import OFFERED, denied, shown, supposed
from workbench.formats.kit.talk_words import DENIALS, EXAMPLES, OFFERS, SUPPOSITIONS, UNREAL
from workbench.formats.kit.wordings import Wording

TABLES = {
    "examples": (EXAMPLES, r"[\s,:：]*\Z"), "unreal": (UNREAL, ""), "denials": (DENIALS, ""), "suppositions": (SUPPOSITIONS, ""),
}  # fmt: skip
LINES = [
    pytest.param(table, end, line, id=f"{name}: {line.example}") for name, (table, end) in TABLES.items() for line in table
]  # fmt: skip


@pytest.mark.parametrize(("table", "end", "line"), LINES)
def test_no_other_line_finds_an_example(table: tuple[Wording, ...], end: str, line: Wording) -> None:
    flags = re.IGNORECASE | re.MULTILINE
    assert [one for one in table if re.search(rf"(?:{one.regex}){end}", line.example, flags)] == [line]


@pytest.mark.parametrize("line", [*EXAMPLES, *UNREAL], ids=lambda line: line.example)
def test_what_follows_an_example_of_these_words_is_shown(line: Wording) -> None:
    assert shown(f"{line.example} ")


@pytest.mark.parametrize("line", DENIALS, ids=lambda line: line.example)
def test_what_follows_a_denial_is_no_call(line: Wording) -> None:
    assert denied(f"{line.example} ")


@pytest.mark.parametrize("line", SUPPOSITIONS, ids=lambda line: line.example)
def test_what_follows_a_supposition_is_talk(line: Wording) -> None:
    assert supposed(f"{line.example} ", "")


@pytest.mark.parametrize(("words", "example"), OFFERS.values(), ids=OFFERS)
def test_an_offer_is_known_in_each_language(words: str, example: str) -> None:
    assert re.search(words, example, re.IGNORECASE)
    assert OFFERED.search(example)


def test_nothing_of_a_plain_announcement_is_in_any_table() -> None:
    said = "I look it up now."
    assert not shown(f"{said} ")
    assert not denied(said)
    assert not supposed(f"{said} ", "")
    assert OFFERED.search(said) is None
