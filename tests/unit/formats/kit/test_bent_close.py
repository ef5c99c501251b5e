"""Closing tags that models bend: they are no part of the value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kit.adversarial import FORMATS
from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats.kit.bent_close import is_bent, left_of_tag, without_close, without_doubled, without_ends

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


@pytest.mark.parametrize(
    ("tag", "close", "found"),
    [
        ("</parameter>", "</parameter>", True),
        ("</parameter", "</parameter>", True),
        ("</pa", "</parameter>", False),
        ("</par", "</parameter>", False),
        ("</para", "</parameter>", True),
        ("</param>", "</parameter>", True),
        ("</parameter1>", "</parameter>", True),
        ("</parameter_function>", "</parameter>", True),
        ("</ parameter>", "</parameter>", True),
        ("<\\/parameter>", "</parameter>", True),
        ("/parameter>", "</parameter>", True),
        ("parameter>", "</parameter>", True),
        ("<parameter>", "</parameter>", True),
        ("</parametr>", "</parameter>", True),
        ("</parmeter>", "</parameter>", True),
        ("</function>", "</parameter>", False),
        ("</b>", "</parameter>", False),
        ("</parameter> x>", "</parameter>", False),
        ("</parameter>>", "</parameter>", True),
        ("</param<b>", "</parameter>", False),
        ("</paramx", "</parameter>", True),
        ("</parxx>", "</parameter>", False),
        ("", "</parameter>", False),
    ],
)  # fmt: skip
def test_tags_that_are_bent(tag: str, close: str, found: Any) -> None:
    assert repr(is_bent(tag, close)) == repr(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rome", ("Rome", False)),
        ("Rome</parameter>", ("Rome", True)),
        ("Rome</parameter1>", ("Rome", True)),
        ("Rome</parameter1>\n", ("Rome", True)),
        ("Rome\n</parametr>", ("Rome\n", True)),
        ("Rome/parameter>", ("Rome", True)),
        ("Rome</PARAMETER1>", ("Rome", True)),
        ("Rome</arg_value", ("Rome", True)),
        ("Rome<b>", ("Rome<b>", False)),
        ("Rome </b>", ("Rome </b>", False)),
        ("<b>Rome</b>", ("<b>Rome</b>", False)),
        ("a</parameter> b c d e f g h i j k l m n", ("a</parameter> b c d e f g h i j k l m n", False)),
        ("Romeparameter>", ("Rome", True)),
        ("Romemeter>", ("Rome", True)),
        ("Romater>", ("Romater>", False)),
        ("Rome <parameter>", ("Rome ", True)),
        ("Rome <diameter>", ("Rome <diameter>", False)),
        ("x</p", ("x</p", False)),
        ("x</parame", ("x", True)),
        ("x</parameterxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", ("x</parameterxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", False)),
    ],
)  # fmt: skip
def test_values_without_a_damaged_tag_at_their_end(text: str, found: Any) -> None:
    assert repr(without_close(text, "</parameter>", "</arg_value>")) == repr(found)


@pytest.mark.parametrize(
    ("text", "opens", "found"),
    [
        ("x</parameter>", (), ("x", True)),
        ("x</parameter> \n", (), ("x", True)),
        ("x", (), ("x", False)),
        ("x</PARAMETER>", (), ("x", True)),
        ("<parameter=a>x</parameter>", ("<parameter=",), ("<parameter=a>x</parameter>", False)),
        ("<PARAMETER=a>x</parameter>", ("<parameter=",), ("<PARAMETER=a>x</parameter>", False)),
        ("x</parameter>y", (), ("x</parameter>y", False)),
        ("x</parameter>                                        ", (), ("x</parameter>                                        ", False)),
        ("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy</parameter>", (), ("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", True)),
    ],
)  # fmt: skip
def test_values_without_their_tag_twice(text: str, opens: tuple[str, ...], found: Any) -> None:
    assert repr(without_doubled(text, "</parameter>", *opens)) == repr(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x", ("x", False)),
        ("x</functin>", ("x", True)),
        ("x</parametr></functin>", ("x", True)),
        ("x</parametr></functin></tool_cal>", ("x", True)),
        ("x</functin></parametr>", ("x</functin>", True)),
        ("x</functin></functin></functin>", ("x</functin>", True)),
        ("x</parameter>", ("x", True)),
    ],
)  # fmt: skip
def test_values_without_the_tags_around(text: str, found: Any) -> None:
    assert repr(without_ends(text, ("</function>", "</tool_call>"), ("</parameter>",))) == repr(found)


@pytest.mark.parametrize("bent", ["</paramter>", "</parameter1>", "/parameter>", "</parameter"])
def test_a_value_may_be_no_more_than_a_bent_tag(bent: str) -> None:
    assert without_close(bent, CLOSE) == ("", True)
    assert without_close(f"\n{bent}", CLOSE) == ("\n", True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<arg_valueRome", 10),
        ("<arg_Rome", 5),
        ("<argRome", 0),
        ("alue>Rome", 5),
        ("lue>Rome", 0),
        ("Rome", 0),
        ("", 0),
    ],
)
def test_what_is_left_of_a_broken_tag_before_a_value(text: str, left: int) -> None:
    assert left_of_tag(text, "<arg_value>") == left
