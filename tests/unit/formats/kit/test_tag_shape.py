"""The tags of Qwen3-Coder."""

from __future__ import annotations

import pytest

from workbench.formats.kit.tag_shape import CODER


@pytest.mark.parametrize("tag", ["<function=now>", "<function = now >", '<function="now">', "<FUNCTION now>"])
def test_a_call_tag_in_several_spellings(tag: str) -> None:
    found = CODER.call_open.fullmatch(tag)
    assert found
    assert found["name"].strip(' "') == "now"
    assert (CODER.call_exact.fullmatch(tag) is not None) == (tag == "<function=now>")


def test_value_stops_at_any_following_tag() -> None:
    assert CODER.stops == (
        "</parameter>",
        "<parameter=",
        "<parameter ",
        "</function>",
        "</tool_call>",
        "</seed:tool_call>",
    )


def test_tags_that_lost_their_names_are_known() -> None:
    assert (CODER.nameless, CODER.unnamed) == (("<parameter>",), ("<function>",))
