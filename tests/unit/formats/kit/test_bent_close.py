"""Closing tags that models bend: they are no part of the value."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.kit.adversarial import FORMATS
from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats.kit.bent_close import without_close, without_doubled, without_ends

SPECS = tuple(TOOLS.values())
CLOSE = "</parameter>"
ARGUMENTS = {"path": "Rome", "content": "Oslo"}
NOWHERE = Span(0, 0)
_CLOSING = re.compile(r"\s*((?:<[^<>]*>|\]<\]minimax\[>\[</[^<>]*>)(?:\w+<[^<>]*>)?)")


@pytest.mark.parametrize(
    "bent",
    ["</parameter/>", "</parameter1>", "</parameter", "</parameters>", "</paramter>", "</param>", "</ parameter>", "<\\/parameter>", "/parameter>",
     "</parameter_function>", "<parameter>", "</PARAMETER>>"],
)  # fmt: skip
def test_a_bent_tag_is_cut_off(bent: str) -> None:
    assert without_close(f"Rome\n{bent}\n", CLOSE) == ("Rome\n", True)


@pytest.mark.parametrize("text", ["Rome", "a < b", "<path>a</path>", "</parent>", "a </parameter> b", "/", "1/2", ""])
def test_other_ends_stay(text: str) -> None:
    assert without_close(text, CLOSE) == (text, False)


@pytest.mark.parametrize(
    "end", ["</parameter>\n</invoke1>", "</parameter></ invoke>", "</paramter>\n</invoke", "</parameter>"]
)
def test_bent_tags_around_the_value_go_as_well(end: str) -> None:
    text, bent = without_ends(f"Rome{end}", ("</invoke>",), (CLOSE,))
    assert (text.rstrip(), bent) == ("Rome", True)
    assert without_ends("Rome", ("</invoke>",), (CLOSE,)) == ("Rome", False)


def test_a_tag_that_is_written_twice() -> None:
    assert without_doubled("Rome\n</parameter>", CLOSE, "<parameter=") == ("Rome\n", True)
    inside = "<parameter=a>1</parameter>"
    assert without_doubled(inside, CLOSE, "<parameter=") == (inside, False)


def _bends(tag: str) -> Iterator[str]:
    half = len(tag) // 2
    yield from (tag[:-1], tag[1:], tag.replace("/", "", 1), f"{tag[:-1]}/>", f"{tag[:-1]}1{tag[-1]}", tag * 2)
    yield from (f"{tag}{tag[-1]}", tag[:half] + tag[half + 1 :], f"{tag[:2]} {tag[2:]}", tag.upper())
    yield from (tag.replace("/", "\\/"), tag[: len(tag) * 2 // 3])


@pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.id)
def test_no_format_takes_one_into_a_value(spec) -> None:
    call = ParsedCall("write_file", ARGUMENTS, "call00001", Outcome.STRICT, (), NOWHERE, NOWHERE, NOWHERE, spec.id)
    raw = spec.render_call(call)
    for value in ARGUMENTS.values():
        found = _CLOSING.match(raw, raw.index(value) + len(value))
        for bent in _bends(found[1]) if found else ():
            result = spec.parse(raw[: found.start(1)] + bent + raw[found.end(1) :], SPECS, "stop")
            assert [one.arguments for one in result.calls] in ([], [ARGUMENTS]), bent
            assert result.calls or result.lost, bent
