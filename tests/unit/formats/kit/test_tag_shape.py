"""The tags of Qwen3-Coder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.formats.kit.tag_shape import CODER, OPEN_QUOTE


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
        "</function >",
        "</tool_call>",
        "</seed:tool_call>",
    )


def test_tags_that_lost_their_names_are_known() -> None:
    assert (CODER.nameless, CODER.unnamed) == (("<parameter>",), ("<function>",))


def test_what_follows_from_the_tags_of_a_family() -> None:
    shape = replace(
        CODER,
        param_closes=("</p>", "</q>"),
        param_starts=("<p=", "<q="),
        call_closes=("</c>", "</c>"),
        wrapper_closes=("</w>",),
        param_exact=(),
    )
    assert shape.stops == ("</p>", "</q>", "<p=", "<q=", "</c>", "</c >", "</w>")
    assert (shape.nameless, shape.unnamed, shape.param_exact) == (("<p>", "<q>"), ("<c>",), ("<p=",))
    assert replace(shape, param_exact=("<q=",)).param_exact == ("<q=",)


@pytest.mark.parametrize(
    ("tag", "key"),
    [
        ("<parameter=a>", "a"), ('<parameter="a">', '"a"'), ("<parameter = a >", "a"), ('<parameter name="a">', '"a"'), ("<parameter a>", "a"), ("<parameter=parameter=a>", "a"),
        ("<PARAMETER=a>", "a"), ('<parameter=a type="x" id=7>', "a"), ('<parameter=a value="x">', None), ("<parameter>", None), ("<parameters=a>", None), ("<parameter=a<b>", None),
    ],
)  # fmt: skip
def test_spellings_of_a_parameters_tag(tag: str, key: str | None) -> None:
    found = CODER.param_open.fullmatch(tag)
    assert (found and found["key"]) == key


def test_an_attribute_whose_quote_is_open() -> None:
    assert [bool(OPEN_QUOTE.search(text)) for text in ('a="b', "a = 'b", 'a="b"', "a=b", 'a="b\n')] == [
        True,
        True,
        False,
        False,
        False,
    ]
