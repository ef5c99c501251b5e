"""The marker table: every literal of every format is recognised whole, begun, and with its meaning."""

from __future__ import annotations

import re

import pytest

from tests.kit.markers import CLOSERS, MARKS, OPENERS
from workbench.formats.sanitize import StreamSanitizer, sanitize
from workbench.formats.sanitizer.marker_table import (
    LONGEST,
    _begins,
    label_matcher,
    label_role,
    labels,
    matcher,
    may_hold,
    stream_quick,
)

NEVER = re.compile(r"(?!)")
ALL = [*OPENERS, *CLOSERS, *MARKS]


@pytest.mark.parametrize("text", ALL)
def test_recognised_whole_and_in_every_beginning(text: str) -> None:
    full, partial = matcher()[text[0]]
    assert full.fullmatch(text)
    assert all(partial.match(text[:end]) for end in range(1, len(text) + 1))
    assert len(text) < LONGEST


@pytest.mark.parametrize(
    "text",
    [
        "<div>",
        "<function called from gdb>",
        "<function x, y>",
        "a < b",
        "<toolbox>",
        "[x](y)",
        "<>",
        "<||>",
        "<invoked>",
        "<Function>",
        "[args]",
    ],
)
def test_other_text_is_no_marker(text: str) -> None:
    assert not any(
        full.match(text, at) for at in range(len(text)) for full, _ in [matcher().get(text[at], (NEVER, None))]
    )


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Action:", "line"),
        ("**Action Input:**", "line"),
        ("Observation 1:", "line"),
        ("THOUGHT :", ""),
        ("## Return of functions.get_weather:", "line"),
        ("final answer:", ""),
    ],
)
def test_labels(text: str, body: str) -> None:
    full, partial = label_matcher()
    assert full.fullmatch(text)
    assert all(partial.match(text[:end]) for end in range(1, len(text) + 1))
    assert label_role(text).body == body


def test_common_word_labels_need_a_capital() -> None:
    full = label_matcher()[0]
    assert not full.match("action: s3")
    assert not full.match("Actions: s3")


@pytest.mark.parametrize("text", ALL)
def test_no_text_with_a_marker_is_passed_over(text: str) -> None:
    assert may_hold(f"Some words, {text}")
    assert may_hold(text)


@pytest.mark.parametrize("text", list(dict.fromkeys([*_begins(), *(one.begins for one in labels())])))
def test_marker_prefixes_at_the_end_read_alike_whole_and_in_pieces(text: str) -> None:
    for end in range(1, len(text) + 1):
        for before in ("", "x ", "x\n"):
            stream, reply = StreamSanitizer(), before + text[:end]
            assert "".join(map(stream.feed, reply)) + stream.finish() == sanitize(reply), reply


@pytest.mark.parametrize("text", ["\n  **Action: x", "Observation 1: y", "to=func", "a\n## Return of functions.f:0"])
def test_no_label_is_passed_over(text: str) -> None:
    assert may_hold(text)


def test_words_alone_are_passed_over() -> None:
    assert not may_hold("Some words: an Action, or two = 2.\nMore (of them); functools, a function call.\n#1")
    assert stream_quick().search("Some words, more of the same ") is None
