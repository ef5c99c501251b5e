"""Tags side by side, as models write objects and lists inside a value."""

from __future__ import annotations

import pytest

from workbench.formats.kit.tag_tree import children


def test_tags_are_read_with_what_they_hold() -> None:
    assert children("<item>46.6</item>\n <item>-1</item>\n") == [("item", "46.6"), ("item", "-1")]
    assert children("<0>a</0><a.b-c> x </a.b-c>") == [("0", "a"), ("a.b-c", " x ")]
    assert children("<a><a>x</a><b/></a>") == [("a", "<a>x</a><b/>")]


@pytest.mark.parametrize(
    "text", ["", "x", "<a>1</a> and <a>2</a>", "<a>1</b>", "<a>1", "<a>1</a>x", "<a><b>1</b>", "<a>" * 70_000]
)
def test_anything_else_is_no_tree(text: str) -> None:
    assert children(text) == []
