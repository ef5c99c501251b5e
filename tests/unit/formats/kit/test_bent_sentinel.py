"""What is left of a sentinel before a tag stands for it; text that only looks a little like it does not."""

from __future__ import annotations

import pytest

from tests.kit.timing import growth
from workbench.formats.kit.bent_sentinel import bent_sentinels, split_at

WHOLE = "]<]minimax[>["


@pytest.mark.parametrize(
    ("between", "bent"),
    [
        ("]<]minmax[>[", "]<]minmax[>["),
        ("]<]mini\\max[>[", "]<]mini\\max[>["),
        ("]&lt;]minimax[&gt;[", "]&lt;]minimax[&gt;["),
        ("]<]]minimax[>[", "]<]]minimax[>["),
        ("]<tool_call>[", "]<tool_call>["),
        ("][", "]["),
        (WHOLE, ""),
        ("", ""),
        (" [x] ", ""),
        (" a minimum ", ""),
    ],
)
def test_what_stands_before_a_tag(between: str, bent: str) -> None:
    text = f"{WHOLE}<city>Rome{between}</city>"
    found = list(bent_sentinels(text, 0, len(text), WHOLE, ("city",)))
    assert [text[start:end] for start, end in found] == ([bent] if bent else [])
    assert split_at(text, 0, len(text), WHOLE, found)[-1] == (
        "</city>" if bent or between == WHOLE else f"<city>Rome{between}</city>"
    )


def test_other_tags_than_the_named_ones_are_text() -> None:
    text = f"{WHOLE}<city>a ]<]minmax[>[<b>c{WHOLE}</city>"
    assert not list(bent_sentinels(text, 0, len(text), WHOLE, ("city",)))
    assert list(bent_sentinels(text, 0, len(text), WHOLE, ()))


def test_long_values_of_tags_are_looked_through_in_time() -> None:
    def read(size: int) -> None:
        text = "[<b>bold</b>]\n" * size
        list(bent_sentinels(text, 0, len(text), WHOLE, ()))

    assert growth(read, 2_000) < 8
