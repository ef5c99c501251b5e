"""What an opening marker encloses, and what it gives back."""

from __future__ import annotations

import pytest

from workbench.formats.sanitize import StreamSanitizer, sanitize
from workbench.formats.sanitizer.call_body import LIMIT, StructuredBody, Where
from workbench.formats.sanitizer.marker_table import role_of


def _read(opener: str, text: str, *, nested: bool = False) -> tuple[Where, str]:
    """Read a whole text behind an opener; return how it ended and what is text again."""
    body = StructuredBody(role_of(opener), nested=nested)
    where, at = body.read(text, True)
    return where, body.given + text[at:]


@pytest.mark.parametrize(
    ("opener", "text", "rest"),
    [
        ("<tool_call>", '{"a": "</tool_call>"}</tool_call> x', "</tool_call> x"),
        ("<tool_call>", "f\n<arg_key>a</arg_key></tool_call> x", " x"),
        ("<tool_call>", '{"a": 1}{"b": 2} x', " x"),
        ("<tool_call>", "f(a=1)\ng(b=2)\n</tool_call> x", "</tool_call> x"),
        ("<tool_call>", '{"a": oops}</tool_call> x', " x"),
        ("<think>", "anything at all</think> x", " x"),
        ("```tool_code", "\nf(a=1)\n``` x", " x"),
        ("<|channel|>analysis<|message|>", "hm<|end|> x", " x"),
        ("<|channel|>analysis<|message|>", "hm<|start|>assistant", "<|start|>assistant"),
        ("Action:", " f\nx", "\nx"),
        ("Action Input:", ' {"a":\n 1} x', " x"),
        ("<parameter=a>", "v<parameter=b>w", "<parameter=b>w"),
        ("functools[", '{"name": "f"}] x', " x"),
        ("<call:api:f", "{a:1}/> x", " x"),
    ],
)
def test_enclosed(opener: str, text: str, rest: str) -> None:
    assert _read(opener, text) == (Where.OVER, rest)


@pytest.mark.parametrize(
    ("opener", "text", "rest"),
    [
        ("<tool_call>", " is a tag.", " is a tag."),
        ("<think>", " is a tag.", " is a tag."),
        ("<tool_call>", '{"a": 1 and more', " and more"),
        ("[ARGS]", " is a tag.", " is a tag."),
        ("<tool_call>", "f\n<arg_key>a", "<arg_key>a"),
        ("<tool_call>", " <tool_call>{}", " <tool_call>{}"),
        ("<parameter=a>", " is a tag.", " is a tag."),
        ("```tool_code", " is a fence.", " is a fence."),
    ],
)
def test_given_back(opener: str, text: str, rest: str) -> None:
    assert _read(opener, text) == (Where.BACK, rest)


def test_a_cut_value_of_a_real_call_goes() -> None:
    assert _read("<parameter=a>", "Rom", nested=True)[1] == ""
    assert _read("<parameter=a>", "Rom\n\nBut see.", nested=True)[1] == "\n\nBut see."


def test_a_block_without_structure_has_a_limit() -> None:
    text = " word" * (LIMIT // 4)
    assert _read("<tool_call>", text + "</tool_call>")[0] is Where.BACK


@pytest.mark.parametrize("blanks", [31, 33, 66, 1_000])
@pytest.mark.parametrize("text", ['x<|plugin|>{""{}r', "}[TOOLCALL][{}y"])
def test_white_space_of_a_broken_body_is_left_however_it_came(text: str, blanks: int) -> None:
    text = text.replace("{}", " " * blanks)
    pieces = StreamSanitizer()
    assert "".join(map(pieces.feed, text)) + pieces.finish() == sanitize(text)


@pytest.mark.parametrize("size", [128, 129, 300])
def test_an_input_below_a_line_that_broke_off_is_read_afresh(size: int) -> None:
    """What broke off may have been a string; nothing of it is left for the body below."""
    broken = f"Action: {{'{'x' * size}"
    assert sanitize(f'{broken}\n{{"a": 1}}\nIt rains.') == "It rains."
    assert sanitize(f"{broken}\n{{") == sanitize(sanitize(f"{broken}\n{{"))
