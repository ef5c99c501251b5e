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


def bent(text: str, names: tuple[str, ...] = ("city",), begin: int = 0, stop: int | None = None) -> list[str]:
    end = len(text) if stop is None else stop
    return [text[first:last] for first, last in bent_sentinels(text, begin, end, WHOLE, names)]


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("]<]minmax[>[<city>a]<]minmax[>[</city>", ("city",), ["]<]minmax[>["] * 2),
        ("]<]minmax[>[<item>", ("city",), ["]<]minmax[>["]),
        ("]<]minmax[>[<invoke name", ("city",), ["]<]minmax[>["]),
        ("]<]minmax[>[<invokes name", ("city",), []),
        ("]<]minmax[>[</invoke>", ("city",), ["]<]minmax[>["]),
        ("]<]minmax[>[<c.ty>", ("city",), []),
        ("]<]minmax[>[<cxty>", ("c.ty",), []),
        ("]<]minmax[>[<1a>", (), []),
        ("]<]minmax[>[<a.b-c>", (), ["]<]minmax[>["]),
        ("]<]minmax[>[x<city>", ("city",), ["]<]minmax[>[x"]),
        ("mini<city>", ("city",), []),
        ("minimax<city>", ("city",), []),
        ("]minimax[<city>", ("city",), ["]minimax["]),
        ("<]minimax[>[<city>", ("city",), ["<]minimax[>["]),
        (f"]<{'x' * 40}>[<city>", ("city",), [f"]<{'x' * 40}>["]),
        (f"]<{'x' * 41}>[<city>", ("city",), []),
        ("]<a\nb>[<city>", ("city",), []),
        (f"{WHOLE}[<city>", ("city",), []),
        (f"{WHOLE}]<]minmax[>[<city>", ("city",), ["]<]minmax[>["]),
        (f"]<]minmax[>[{'.' * 40}<city>", ("city",), []),
        ("]<]minmax[>[<city><city>", ("city",), ["]<]minmax[>["]),
    ],
)
def test_what_stands_for_it(text: str, names: tuple[str, ...], found: list[str]) -> None:
    assert bent(text, names) == found
    assert bent(f"xx{text}", names, begin=2) == found


def test_a_part_of_a_text_is_looked_at() -> None:
    text = "]<]minmax[>[<city>a]<]minmax[>[</city>"
    assert bent(text, stop=30) == ["]<]minmax[>["]
    assert bent(text, begin=1) == ["<]minmax[>[", "]<]minmax[>["]
    assert bent(text, begin=18) == ["]<]minmax[>["]


def test_a_text_is_split_at_whole_and_damaged_ones() -> None:
    text = f"-{WHOLE}<a>1]<]minmax[>[</a>{WHOLE}"
    places = list(bent_sentinels(text, 0, len(text), WHOLE, ("a",)))
    assert split_at(text, 0, len(text), WHOLE, places) == ["-", "<a>1", "</a>", ""]
    assert split_at(text, 1, len(text) - 1, WHOLE, []) == ["", "<a>1]<]minmax[>[</a>" + WHOLE[:-1]]
    assert split_at(text, 0, 3, WHOLE, []) == [text[:3]]
