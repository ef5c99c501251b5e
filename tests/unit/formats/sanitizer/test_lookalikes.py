"""The meaning of every literal of every format."""

from __future__ import annotations

import pytest

from tests.kit.markers import CLOSERS, MARKS, OPENERS
from workbench.formats.sanitize import sanitize
from workbench.formats.sanitizer.marker_table import role_of


@pytest.mark.parametrize(("text", "body"), OPENERS.items())
def test_openers(text: str, body: str) -> None:
    assert (role_of(text).role, role_of(text).body) == ("open", body)


@pytest.mark.parametrize("text", CLOSERS)
def test_closers(text: str) -> None:
    assert role_of(text).role == "close"


@pytest.mark.parametrize("text", MARKS)
def test_marks(text: str) -> None:
    assert role_of(text).role == "mark"


@pytest.mark.parametrize(("opener", "closer"), [
    ("<tool_call>", "</tool_call>"), ("<|tool_call>", "<tool_call|>"), ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<｜DSML｜invoke name=\"f\">", "</｜DSML｜invoke>"), ("[TOOL_RESULTS]", "[/TOOL_RESULTS]"), ("<think>", "</thinking>"),
    ("<start_function_call>", "<end_function_call>"), ("<|open|>tools<|sep|>", "<|close|>tools<|sep|>"),
])  # fmt: skip
def test_partners_share_a_group(opener: str, closer: str) -> None:
    assert role_of(opener).group == role_of(closer).group


def test_a_value_goes_with_the_tags_of_gigachat() -> None:
    call = (
        '<｜GCML｜invoke name="f">\n<｜GCML｜parameter name="a" string="true">en</｜GCML｜parameter>\n</｜GCML｜invoke>'
    )
    assert sanitize(f"Ok.\n<｜GCML｜tool_calls>\n{call}") == "Ok."


def test_a_recipients_line_may_end_as_on_windows() -> None:
    assert sanitize('>>>get_weather\r\n{"city": "Oslo"}') == ""


@pytest.mark.parametrize(
    "word", ["DSML", "dsml", "D S M L", "DS ML", "DMSL", "DSM", "ＤＳＭＬ", "GCML", "DSML:", " DSML "]
)
@pytest.mark.parametrize(
    ("opens", "closes"), [("<", ">"), ("< ", " >"), ("‹", "›"), ("‹ ", " ›"), ("⟨", "⟩"), ("«", "»"), ("", ">")]
)
@pytest.mark.parametrize("bar", ["｜", "|", "||", "│", " ｜"])
def test_tags_of_a_brand_in_other_brackets(opens: str, closes: str, bar: str, word: str) -> None:
    brand = f"{bar}{word}{bar}"
    if not opens:
        brand = brand.strip()
        if " DSML " in word or bar == " ｜":
            return
    call = (
        f'{opens}{brand}invoke name="get_weather"{closes}\n{opens}{brand}parameter name="city"{closes}Paris'
        f"{opens}/{brand}parameter{closes}\n{opens}/{brand}invoke{closes}"
    )
    assert sanitize(f"Before. {call} After.") == "Before. After."


@pytest.mark.parametrize("text", ["| DSML | the markup |", "a || dsml", "x < y | d", "either/or", "«Да»", "5 < 6 |x|"])
def test_bars_and_brackets_that_are_no_tags_stay(text: str) -> None:
    assert sanitize(text) == text
