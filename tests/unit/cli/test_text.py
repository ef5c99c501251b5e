"""What is written is JSON to the letter, what is read too, and no control character reaches a terminal."""

from __future__ import annotations

import json
import math
from typing import Any

from workbench.cli.text import drawn, json_text, one_line, visible


def strictly(text: str) -> Any:
    """Read as a reader that knows nothing beyond the standard."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


def test_numbers_beyond_all_floats_leave_as_numbers() -> None:
    value = {"a": [math.inf, -math.inf], "b": math.nan, 'Infinity "NaN\\': "-Infinity, NaN"}
    text = json_text(value)
    assert '"a": [1e999, -1e999]' in text
    assert strictly(text) == {"a": [math.inf, -math.inf], "b": None, 'Infinity "NaN\\': "-Infinity, NaN"}


def test_characters_stay_and_halves_of_them_become_escapes() -> None:
    assert json_text({"text": "Ω😀"}) == '{"text": "Ω😀"}'
    text = json_text({"Ω\ud83d": "\udc00"})
    assert text == '{"Ω\\ud83d": "\\udc00"}'
    assert strictly(text) == {"Ω\ud83d": "\udc00"}


def test_other_values_become_text() -> None:
    assert json_text({"path": ValueError("x")}, indent=1) == '{\n "path": "x"\n}'


def test_control_characters_become_visible() -> None:
    assert visible("a\x1b[31mb\x00c\nd\te\x9b") == "a␛[31mb␀c\nd\te�"
    assert one_line("a\n\n  b\x07", 10) == "a b␇"
    assert one_line("x" * 20, 10) == "x" * 9 + "…"


def test_of_controls_only_line_ends_and_colours_reach_a_terminal() -> None:
    """Whatever a command prints goes through here, also what nobody made visible before."""
    assert drawn("\x1b[1;31mred\x1b[0m\ta\r\n") == "\x1b[1;31mred\x1b[0m\ta\r\n"
    assert drawn("a\x1b[2Jb\x1b]0;title\x07c\x08d\x00") == "a␛[2Jb␛]0;title␇c␈d␀"


TURNING = "a\u202eb\u2066c\u200fd\x9b31me\ufefff\u2028g"


def test_bidi_controls_are_drawn() -> None:
    assert visible(TURNING) == "a‹202E›b‹2066›c‹200F›d\ufffd31me‹FEFF›f‹2028›g"
    assert visible("Ω 👩\u200d💻 שלום") == "Ω 👩\u200d💻 שלום"


def test_bidi_controls_are_escaped_in_json() -> None:
    text = json_text({TURNING: "\U000e0041\x7f"})
    assert not set(text) & set("\u202e\u2066\u200f\x9b\ufeff\u2028\U000e0041\x7f")
    assert strictly(text) == {TURNING: "\U000e0041\x7f"}
