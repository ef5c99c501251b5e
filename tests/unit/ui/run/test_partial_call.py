"""Leaves of unfinished arguments, in the shapes that models write."""

from __future__ import annotations

import pytest

from workbench.ui.run.partial_call import LONGEST_LOOK, Leaf, leaves


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ('{"path": "notes.md", "content": "# Summary of the', [
            Leaf("path", '"notes.md"', True), Leaf("content", '"# Summary of the', False)]),
        ('{"name": "f", "arguments": {"limit": 4', [Leaf("limit", "4", False)]),
        ('{"arguments": {"limit": 40, "deep": {"a": 1', [
            Leaf("limit", "40", True), Leaf("deep", '{"a": 1', False)]),
        ('{"tags": ["a", "b"], ', [Leaf("tags", '["a", "b"]', True)]),
        ("<parameter=path>\nconfig\n</parameter>\n<parameter=lines>\n4", [
            Leaf("path", "config", True), Leaf("lines", "4", False)]),
        ('<invoke name="f"><parameter name="path">a', [Leaf("path", "a", False)]),
        ("<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>", [Leaf("city", "Rome", True)]),
    ],
)  # fmt: skip
def test_leaves(text: str, found: list[Leaf]) -> None:
    assert leaves(text) == found


def test_a_huge_argument_is_only_counted() -> None:
    (leaf,) = leaves('{"content": "' + "x" * LONGEST_LOOK)
    assert not leaf.done
    assert "characters" in leaf.value
