"""Markers in a text, and what may still become one at its end."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest

from workbench.formats.sanitizer import marker_search
from workbench.formats.sanitizer.marker_search import LINKS, begun, chain, cut_half, marker_at, next_marker, unfinished


def test_the_first_marker_is_found_with_its_place() -> None:
    found = next_marker("a <b> <tool_call> [TOOL_CALLS]", 0, True)
    assert found
    assert (found.start, found.end, found.marker.role) == (6, 17, "open")


class _Noted:
    """Looks as a pattern does, and notes where it stops."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.stops: list[int] = []

    def finditer(self, text: str, at: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        self.stops.append(min(end, len(text)))
        return self.pattern.finditer(text, at, end)


def test_behind_a_label_that_is_near_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    noted = _Noted(marker_search.trigger())
    monkeypatch.setattr(marker_search, "trigger", lambda: noted)
    found = next_marker("well\nAction: f\n" + "word. " * 2000 + "<tool_call>", 0, True)
    assert found
    assert found.start == 5
    assert max(noted.stops) < 1000


@pytest.mark.parametrize("gap", [*range(180, 330), 700, 770, 2200, 9000])
def test_markers_are_found_however_far_they_are(gap: int) -> None:
    for marker, label in (("<tool_call>", 0), ("\n  Action: f", 3), ("\n" + " " * 300 + "Action: f", 301)):
        found = next_marker("x" * gap + marker + "\n<tool_call>", 0, True)
        assert found
        assert found.start == gap + label


@pytest.mark.parametrize(("text", "start"), [("x\n  Action: f", 4), ("Action: f", 0), ("  Thought: f", 2)])
def test_labels_count_at_the_start_of_a_line(text: str, start: int) -> None:
    found = next_marker(text, 0, True)
    assert found
    assert found.start == start


def test_labels_inside_of_a_line_do_not_count() -> None:
    assert next_marker("No Action: f", 0, True) is None
    assert next_marker("Action: f", 0, False) is None


@pytest.mark.parametrize(
    ("text", "start"), [("a <tool_", 2), ("a <div", 6), ("a\nAct", 2), ("fun", 0), ("x <|foo", 2), ("a b", 3)]
)
def test_marker_prefixes_at_the_end(text: str, start: int) -> None:
    assert begun(text, len(text), True) == start


def test_half_markers_in_a_row_are_kept_together_up_to_a_limit() -> None:
    assert chain("ab<tool_<to<", 12, True) == (2, False)
    assert chain("<tool_" * 9, 54, True) == (54 - LINKS * 6, True)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <tool_", "a "),
        ("a <<<", "a "),
        ("a [", "a ["),
        ("a [TOOL", "a "),
        ("Action", "Action"),
        ("a\nAction", "a\n"),
    ],
)
def test_half_markers_at_the_very_end(text: str, kept: str) -> None:
    assert cut_half(text, True, something_before=False) == kept


def test_marker_at_the_start_offset() -> None:
    assert marker_at("x</think>", 1)
    assert marker_at("x</think>", 0) is None
    assert unfinished("x</thi", 1)
    assert not unfinished("x</thi.", 1)
