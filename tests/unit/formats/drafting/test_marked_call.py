"""The grammar of drafted formats, with the fields that samples give."""

from __future__ import annotations

import pytest

from tests.kit.new_dialects import TOOLS
from workbench.formats.drafting.marked_call import MarkedCall
from workbench.formats.kit.spec import FormatSpec


class Bars(MarkedCall):
    format = "bars"
    opens = ("<<call",)
    closes = (">>",)
    assign = " :: "
    divider = " | "
    before_name = before_close = " "


class Quotes(MarkedCall):
    format = "quotes"
    opens = ("{{#tool",)
    closes = ("}}",)
    assign = "="
    quote = "'"
    before_name = " "


def spec(kind: type[MarkedCall]) -> FormatSpec:
    grammar = kind()
    return FormatSpec(grammar.format, grammar.format, "", grammar, grammar.written)


def read(kind: type[MarkedCall], text: str, reason: str | None = None):
    result = spec(kind).parse(text, TOOLS, reason)
    return [(call.name, call.arguments, call.repairs) for call in result.calls], [one.code for one in result.problems]


@pytest.mark.parametrize(
    ("kind", "text", "arguments"),
    [
        (Bars, "<<call get_weather city :: New Oslo | days :: 3>>", {"city": "New Oslo", "days": 3}),
        (Bars, '<<call get_weather city :: "a >> b | c">>', {"city": "a >> b | c"}),
        (Bars, "<<call get_weather\n city::Rome\n>>", {"city": "Rome"}),
        (Quotes, "{{#tool get_weather city='it's Rome' days=3}}", {"city": "it's Rome", "days": 3}),
        (Quotes, '{{#tool get_weather city="a }} b"}}', {"city": "a }} b"}),
        (Quotes, "{{#tool get_weather city=Rome days=3}}", {"city": "Rome", "days": 3}),
    ],
)
def test_values_bare_quoted_and_as_json(kind: type[MarkedCall], text: str, arguments: dict) -> None:
    assert read(kind, text) == ([("get_weather", arguments, ())], [])


def test_a_call_without_its_end() -> None:
    assert read(Quotes, "{{#tool get_weather city='Rome'") == (
        [("get_weather", {"city": "Rome"}, ("missing_close_tag",))],
        [],
    )
    assert read(Quotes, "{{#tool get_weather city='Rome'", "length") == ([], ["truncated"])
    assert read(Quotes, "{{#tool get_weather city='Ro") == ([], ["truncated"])
    assert read(Bars, "<<call") == ([], ["truncated"])


def test_what_is_no_argument_is_reported() -> None:
    assert read(Bars, "<<call get_weather of Rome>>")[1] == ["bad_json"]
    assert read(Bars, "<<call get_weather city :: Rome | city :: Oslo>>")[1] == ["ambiguous"]


def test_undeclared_words_are_text() -> None:
    assert spec(Bars).parse("<<call me maybe>>", ()).text == "<<call me maybe>>"
