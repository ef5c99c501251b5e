"""Calls that are written like one before them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import ParseResult
from workbench.formats import get_format
from workbench.formats.kit import scanner
from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tag_json import TagJson

SPECS = tuple(TOOLS.values())
CITIES = ("Rome", "Oslo", "Bern", "Paris", "Lima", "Kyiv", "Riga")
FORMATS = (
    "granite",
    "glm45",
    "mistral_json",
    "inkling",
    "gigachat3",
    "bare_json",
    "json_scaffold",
    "llama3_json",
    "xlam",
)


def body(arguments: Mapping[str, Any], name: str = "get_weather") -> str:
    return json.dumps({"name": name, "arguments": arguments})


def tagged(*bodies: str) -> str:
    return "\n".join(f"<tool_call>\n{one}\n</tool_call>" for one in bodies)


def read_anew(form: str, text: str, monkeypatch: pytest.MonkeyPatch) -> ParseResult:
    """As it is read where nothing is remembered."""
    with monkeypatch.context() as patch:
        patch.setattr(scanner, "LEAST", 1 << 30)
        return get_format(form).parse(text, SPECS)


@pytest.mark.parametrize("form", FORMATS)
def test_calls_written_alike_are_read_by_the_first_ones(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tagged(*(body({"city": city, "days": len(city)}) for city in CITIES * 3))
    anew = read_anew(form, text, monkeypatch)
    asked: list[int] = []
    for grammar, method in ((TagJson, "_json"), (BareJson, "value")):
        known = getattr(grammar, method)

        def counted(*args: Any, known: Any = known, **more: Any) -> Any:
            asked.append(1)
            return known(*args, **more)

        monkeypatch.setattr(grammar, method, counted)
    spec = get_format(form)
    assert isinstance(spec, FormatSpec)
    assert spec.parse(text, SPECS) == anew
    assert len(anew.calls) == len(CITIES) * 3
    assert len(asked) == scanner.LEAST + 2, "those before the least number, the first to be remembered, and the last"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "odd",
    [
        {"city": 7}, {"days": 1}, {}, {"city": None}, {"arguments": {"city": "Rome"}}, {"city": {"type": "string"}},
        {"properties": {"city": {"type": "string"}}}, {"city": "</tool_call>"}, {"city": "Rome", "days": "3"},
        {"city": "x", "deep": json.loads("[" * 62 + "]" * 62)}, {"city": "a\nb `c`"},
    ],
)  # fmt: skip
def test_odd_arguments_are_read_as_ever(form: str, odd: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [body({"city": city, "days": 1}) for city in CITIES]
    text = tagged(*plain, body(odd), *plain)
    assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch)


@pytest.mark.parametrize("key", ["arguments", "parameters"])
@pytest.mark.parametrize(
    "odd", [{"arguments": {"zone": "a"}}, {"x": {"type": "string"}}, {"properties": {"x": {}}}, {"x": 1}]
)
def test_arguments_that_may_hold_others_or_define_a_tool(
    key: str, odd: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = [json.dumps({"name": "now", key: {"zone": city}}) for city in CITIES]
    text = tagged(*bodies, json.dumps({"name": "now", key: odd}), *bodies)
    for form in FORMATS:
        assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch), form


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("good", "bent"),
    [
        ("</tool_call>", ""), ("</tool_call>", "</tool_call>}"), ("}}\n", "}}}\n"), ("}}\n", "}\n"), ("}}\n", "}} and\n"),
        ("<tool_call>", "For example: <tool_call>"), ("<tool_call>", "`<tool_call>"), ("<tool_call>", "<TOOL_CALL>"),
        ("get_weather", "nothing"), ("get_weather", "getWeather"), ("}}\n</tool_call>", "}},\n{}</tool_call>"), ('"city"', "city"),
    ],
)  # fmt: skip
def test_bent_calls_among_others(form: str, good: str, bent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, *others = (tagged(body({"city": city})) for city in CITIES)
    text = "\n".join((*others, one.replace(good, bent, 1), *others))
    assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch)


def test_objects_without_a_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    for between in ("\n", ", ", " and ", "\n} ", "\n\n", "; "):
        text = between.join(body({"city": city}) for city in CITIES * 2)
        for form in ("bare_json", "json_scaffold", "llama3_json", "xlam"):
            assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch), (form, between)


def test_broken_arguments_are_tried_but_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": }}\n</tool_call>'
    text = "\n".join((tagged(*(body({"city": city}) for city in CITIES)), *[broken] * 80))
    for form in ("granite", "bare_json"):
        assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch)


def test_cutting_changes_nothing() -> None:
    text = "So:\n".join(tagged(*(body({"city": city}) for city in CITIES)) for _ in range(2))
    for form in FORMATS:
        whole = get_format(form).parse(text, SPECS)
        for step in (1, 7, 50):
            parser = get_format(form).parser(SPECS)
            for at in range(0, len(text), step):
                parser.feed(text[at : at + step])
            parser.finish()
            assert parser.result() == whole, (form, step)
