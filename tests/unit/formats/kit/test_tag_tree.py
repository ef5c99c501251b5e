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


def test_a_long_text_is_no_tree() -> None:
    longest = f"<a>{'x' * (200_000 - 7)}</a>"
    assert children(longest)[0][0] == "a"
    assert children(longest + "\n") == []


def test_a_tag_ends_with_the_closer_of_its_own_level() -> None:
    assert children("<a><a>1</a><a>2</a></a><b></b>") == [("a", "<a>1</a><a>2</a>"), ("b", "")]
    assert children("<a.b>1</axb></a.b>") == [("a.b", "1</axb>")]
    assert children(f"<{'n' * 64}>1</{'n' * 64}>")
    assert children(f"<{'n' * 65}>1</{'n' * 65}>") == []
