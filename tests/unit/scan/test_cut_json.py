from __future__ import annotations

import json

import pytest

from tests.kit.timing import growth
from workbench.scan.cut_json import mended

WHOLE = {"a": [1, {"b": 'x "y" \\ \u00e9'}], "c": {"d": None, "e": True}, "f": "end"}


@pytest.mark.parametrize("ascii_", [True, False])
def test_every_beginning_of_a_document_is_read_as_far_as_it_goes(ascii_: bool) -> None:
    text = json.dumps(WHOLE, ensure_ascii=ascii_)
    for end in range(1, len(text)):
        value = mended(text[:end])
        assert list(value) == list(WHOLE)[: len(value)]
    assert mended(text[:-1]) == WHOLE
    assert mended(text[:-3]) == {**WHOLE, "f": "en"}


def test_a_text_is_kept_up_to_the_character_at_which_it_breaks() -> None:
    assert mended('{"a": "one\\') == {"a": "one"}
    assert mended('{"a": "one\\\\') == {"a": "one\\"}
    assert mended('{"a": "one\\u00') == {"a": "one"}
    assert mended('[1, 2, "k') == [1, 2, "k"]
    assert mended('{"a": 1, "k') == {"a": 1}


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"a": 1} and more', "[1}", '{"a": oops, "b": {"c": 1', "}"])
def test_what_does_not_break_off_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        mended(text)


def test_a_list_that_was_closed_before_the_break_stays_closed() -> None:
    assert mended('{"a": [[1, 2]], "k') == {"a": [[1, 2]]}
    assert mended('{"a": {"b": [{"c": 1}] "k') == {"a": {"b": [{}]}}


def test_a_long_text_and_a_deep_one_take_linear_time() -> None:
    assert len(mended('{"a": "' + "x" * 300_000)["a"]) == 300_000
    with pytest.raises(ValueError, match=r"."):
        mended("[" * 100_000)
    assert growth(deep, 10_000) < 8


def deep(size: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        mended("[" * size)
