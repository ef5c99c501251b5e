"""Roles of what was reported: by shape, in order, never twice."""

from __future__ import annotations

import pytest

from workbench.core.calls import Span
from workbench.ui.theme.attempt_roles import LONGEST, attempt_roles


def _told(text: str, start: int = 0) -> list[tuple[str, str]]:
    found = attempt_roles(text, Span(start, len(text)))
    return [(one.role, text[one.span.start : one.span.end]) for one in found]


def test_a_cut_call_is_coloured_up_to_its_end() -> None:
    text = 'Saved.\n<tool_call>\n{"name": "write_file", "arguments": {"lines": 12, "path": "notes.md", "con'
    assert _told(text, 7) == [
        ("marker", "<tool_call>"), ("key", '"name"'), ("name", "write_file"), ("key", '"arguments"'),
        ("key", '"lines"'), ("number", "12"), ("key", '"path"'), ("string", '"notes.md"'), ("string", '"con'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<function=get_time>", [("marker", "<function="), ("name", "get_time"), ("marker", ">")]),
        ('[TOOL_CALLS]{"on": true}', [("marker", "[TOOL_CALLS]"), ("key", '"on"'), ("number", "true")]),
        ('plain words, 3 of them "quoted"', []),
        ("{3 of them}", [("number", "3")]),
        ("{v1.2-rc3 and x7}", []),
        ("", []),
    ],
)
def test_other_shapes(text: str, told: list[tuple[str, str]]) -> None:
    assert _told(text) == told


def test_regions_are_sorted_apart_and_inside() -> None:
    text = '<a>{"k": "<b>", "n": -4.5, "tool": "x", }' * 40
    found = attempt_roles(text, Span(5, len(text) - 7))
    edges = [edge for one in found for edge in (one.span.start, one.span.end)]
    assert edges == sorted(edges)
    assert edges[0] >= 5
    assert edges[-1] <= len(text) - 7


def test_a_long_attempt_is_looked_at_as_far_as_is_sensible() -> None:
    text = "{" + '"' * (2 * LONGEST)
    assert attempt_roles(text, Span(0, len(text)))[-1].span.end <= LONGEST
