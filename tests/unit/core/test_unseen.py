"""What nobody sees is found; what only looks odd is how people write."""

from __future__ import annotations

import pytest

from workbench.core.unseen import HIDDEN


@pytest.mark.parametrize(
    "hidden",
    ["\u202e", "\u2066", "\u2069", "\u200b", "\u200f", "\u061c", "\ufeff", "\u00ad", "\u2063", "\u3164", "\x85", "\x9b",
     "\x7f", "\ud83d", "\U000e0041", "\U000e01ef", "\u2028"],
)  # fmt: skip
def test_hidden_characters_are_found(hidden: str) -> None:
    assert HIDDEN.findall(f"ab{hidden}cd") == [hidden]


def test_joiners_count_behind_ascii_alone() -> None:
    assert HIDDEN.findall("read\u200d_file del\u200cete") == ["\u200d", "\u200c"]
    assert not HIDDEN.search("👩\u200d💻 می\u200cخواهم क्\u200dष")


def test_other_scripts_and_pictures_are_let_be() -> None:
    assert not HIDDEN.search("Ωé שלום العربية 漢字 😀 ❤\ufe0f\n\t e\u0301")
