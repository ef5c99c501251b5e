"""Calls that are written like one before them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import ParseResult
from workbench.formats import get_format
from workbench.formats.families.gemma_call import FunctionGemma, Gemma4
from workbench.formats.kit import scanner
from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.call_trails import Trails
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.kit.toolcall_tag import ToolCallTag

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
    "minicpm5",
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


def _counting(method: Any, asked: list[int]) -> Any:
    def counted(*args: Any, **more: Any) -> Any:
        asked.append(1)
        return method(*args, **more)

    return counted


@pytest.mark.parametrize("form", FORMATS)
def test_calls_written_alike_are_read_by_the_first_ones(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tagged(*(body({"city": city, "days": len(city)}) for city in CITIES * 3))
    anew = read_anew(form, text, monkeypatch)
    asked: list[int] = []
    for grammar, method in ((TagJson, "_json"), (BareJson, "value")):
        monkeypatch.setattr(grammar, method, _counting(getattr(grammar, method), asked))
    spec = get_format(form)
    assert isinstance(spec, FormatSpec)
    assert spec.parse(text, SPECS) == anew
    assert len(anew.calls) == len(CITIES) * 3
    assert len(asked) == scanner.LEAST + 2, "those before the least number, the first to be remembered, and the last"


GEMMA = {
    "gemma4": "<|tool_call>call:{}<tool_call|>",
    "functiongemma": "<start_function_call>call:{}<end_function_call>",
}


@pytest.mark.parametrize("form", GEMMA)
def test_texts_between_delimiters_are_read_by_the_first_ones(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quote = Gemma4.delimiter if form == "gemma4" else FunctionGemma.delimiter
    calls = [f"get_weather{{city:{quote}{city}, X{quote},days:{len(city)}}}" for city in CITIES * 3]
    text = "\n".join(GEMMA[form].format(call) for call in calls)
    anew = read_anew(form, text, monkeypatch)
    asked: list[int] = []
    monkeypatch.setattr(Gemma4, "_arguments", _counting(Gemma4._arguments, asked))
    assert get_format(form).parse(text, SPECS) == anew
    assert len(anew.calls) == len(CITIES) * 3
    assert len(asked) == scanner.LEAST + 2


@pytest.mark.parametrize("form", GEMMA)
@pytest.mark.parametrize(
    "odd",
    [
        "get_weather{city:Rome, days,days:3}", "get_weather{city:Rome,days:3}", "get_weather{city:true,days:3}", "get_weather{city:Q7Q,days:3}",
        "get_weather{city:Qtrue Q,days:3}", "get_weather{city:QaQ,days:3.5}", "get_weather{city:QaQ,days:3", "get_weather{city:QaQ,days:}",
        "get_weather{city:Qa, days:3}", "get_weather{city:QaQ,days:{a:1}}", "get_weather{city:QaQ,days:3}}", "get_weather{days:3,city:QaQ}",
        "get_weather({city:QaQ,days:3})", 'get_weather{"city":"a","days":3}', "getWeather{city:QaQ,days:3}", "now{city:QaQ,days:3}",
        "get_weather{city:QQ,days:3}", "get_weather{city:Qa`b`Q,days:3}", "get_weather{city:Q<|tool_call>Q,days:3}",
    ],
)  # fmt: skip
def test_odd_calls_in_braces_are_read_as_ever(form: str, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quote = Gemma4.delimiter if form == "gemma4" else FunctionGemma.delimiter
    for city in (f"{quote}{{}}{quote}", "{}", '"{}"'):
        plain = [f"get_weather{{city:{city.format(one)},days:1}}" for one in CITIES]
        calls = [*plain, odd.replace("Q", quote), *plain]
        text = "\n".join(GEMMA[form].format(call) for call in calls)
        assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "odd",
    [
        {"city": 7}, {"days": 1}, {}, {"city": None}, {"arguments": {"city": "Rome"}}, {"city": {"type": "string"}},
        {"properties": {"city": {"type": "string"}}}, {"city": "</tool_call>"}, {"city": "Rome", "days": "3"},
        {"city": "x", "deep": json.loads("[" * 62 + "]" * 62)}, {"city": "x", "deep": json.loads("[" * 70 + "]" * 70)}, {"city": "a\nb `c`"},
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


GLM = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>{city}</arg_value>\n<arg_key>days</arg_key>\n<arg_value>{days}</arg_value>\n</tool_call>"
CODER = "<tool_call>\n<function=get_weather>\n<parameter=city>\n{city}\n</parameter>\n<parameter=days>\n{days}\n</parameter>\n</function>\n</tool_call>"
TAGGED = {
    "glm45": GLM,
    "hy_v3": GLM,
    "qwen_xml": GLM,
    "qwen3_coder_xml": CODER,
    "generic_xml": CODER,
    "seed_oss": CODER,
}


@pytest.mark.parametrize("form", list(TAGGED))
def test_values_in_tags_of_their_own(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(TAGGED[form].format(city=city, days=number) for number, city in enumerate(CITIES * 3))
    anew = read_anew(form, text, monkeypatch)
    assert [call.arguments for call in anew.calls] == [{"city": city, "days": n} for n, city in enumerate(CITIES * 3)]
    asked: list[int] = []
    monkeypatch.setattr(ToolCallTag, "other_body", _counting(ToolCallTag.other_body, asked))
    assert get_format(form).parse(text, SPECS) == anew
    assert 0 < len(asked) <= scanner.LEAST + 3, "one whose value stands in it twice is read as ever"


@pytest.mark.parametrize("form", list(TAGGED))
@pytest.mark.parametrize(
    ("city", "days"),
    [
        ("true", "1"), ("null", "1"), ("None", "1"), ("7", "1"), ("Rome", "two"), ("Rome", "1.5"), ("Rome", "007"), ("Rome", "-3"),
        (" Rome ", "1"), ("a\nb", "1"), ("<b>", "1"), ("</arg_value>", "1"), ("</parameter>", "1"), ("`x`", "1"), ("", "1"), ("Rome", ""),
        ("R\u00f3me, St. Anna-Park", "1"), ("x" * 400, "1"), ("Action", "12345678901234567890"), ("O'Hara", "1"), ("a &lt; b", "1"),
    ],
)  # fmt: skip
def test_odd_values_in_tags_are_read_as_ever(form: str, city: str, days: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [TAGGED[form].format(city=one, days=number + 20) for number, one in enumerate(CITIES)]
    text = "\n".join((*plain, TAGGED[form].format(city=city, days=days), *plain))
    for tools in (SPECS, None):
        with monkeypatch.context() as patch:
            patch.setattr(scanner, "LEAST", 1 << 30)
            anew = get_format(form).parse(text, tools)
        assert get_format(form).parse(text, tools) == anew


def test_several_calls_behind_one_opener_stay_several(monkeypatch: pytest.MonkeyPatch) -> None:
    one = "<function=now>\n<parameter=zone>\nUTC\n</parameter>\n</function>\n"
    two = "<function=get_weather>\n<parameter=city>\n{city}\n</parameter>\n</function>\n"
    text = "\n".join(f"<tool_call>\n{one}{two.format(city=city)}</tool_call>" for city in CITIES * 2)
    for form in ("qwen3_coder_xml", "seed_oss", "generic_xml", "qwen_xml"):
        read = get_format(form).parse(text, SPECS)
        assert len(read.calls) == 4 * len(CITIES)
        assert read == read_anew(form, text, monkeypatch)


@pytest.mark.parametrize("tail", ["\n}", "\n]", "\n,", "\n*", "<", "\n<x>", " and so on"])
@pytest.mark.parametrize("form", FORMATS)
def test_what_follows_the_last_of_many_calls_decides_as_if_it_were_the_only_one(
    form: str, tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(body({"city": city}) for city in CITIES) + tail
    assert get_format(form).parse(text, SPECS) == read_anew(form, text, monkeypatch)


BETWEEN = {
    "nothing": "",
    "lines": "\n\n",
    "words": "\nSo be it.\n",
    "other words in turn": None,
    "code": " `x` and\n",
    "open code": "\nIt is `x\n",
    "an example": "\nFor example:\n",
    "a turn": "\n\nUser: and now?\n\n",
    "a line of JSON": '\n{"a": 1}\n',
    "a lone end": "\n</tool_call>\n",
}


@pytest.mark.parametrize("between", list(BETWEEN))
@pytest.mark.parametrize(
    "forms", [FORMATS, tuple(reversed(FORMATS)), ("granite", "granite", "bare_json", "json_scaffold", "granite")]
)
def test_scanners_that_share_what_they_read_read_as_each_alone(forms: tuple[str, ...], between: str) -> None:
    """Calls and the text between them are taken over from whoever came first, which changes nothing but the price."""
    trails = Trails()
    kinds = (("get_weather", {"city": "", "days": 1}), ("now", {"zone": ""}))
    pieces = []
    for number, city in enumerate(CITIES * 4):
        name, arguments = kinds[number // 9 % 2]
        pieces.append(tagged(body(arguments | {next(iter(arguments)): city}, name)))
        pieces.append(BETWEEN[between] if BETWEEN[between] is not None else ("\nOne.\n", "\nTwo. \n", " ")[number % 3])
    text = f"Hello.\n{''.join(pieces)}The end."
    for form in forms:
        readings = []
        for shared in (trails, None):
            parser = get_format(form).parser(SPECS)
            assert isinstance(parser, scanner.Scanner)
            parser.watch, parser.whole = "own", True
            if shared is not None:
                parser.share(shared)
                parser.hush()
            parser.feed(text)
            parser.finish("stop")
            readings.append(parser.result())
        assert readings[0] == readings[1], form
        assert readings[0].calls or between in ("an example", "open code")


@pytest.mark.parametrize("between", ["", "\n", " \n\n"])
def test_calls_right_behind_each_other_are_read_by_the_first_ones(
    between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = between.join(tagged(body({"city": city, "days": len(city)})) for city in CITIES * 3)
    anew = read_anew("granite", text, monkeypatch)
    asked: list[int] = []
    monkeypatch.setattr(TagJson, "_json", _counting(TagJson._json, asked))
    assert get_format("granite").parse(text, SPECS) == anew
    assert len(asked) == scanner.LEAST + 2
