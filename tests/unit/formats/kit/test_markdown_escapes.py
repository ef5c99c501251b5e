"""Markdown's escapes in names are a named repair, in every form that names a tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import get_format, list_formats
from workbench.formats.conformance import Sample, read_pieces
from workbench.formats.kit.markdown_escapes import CODE, has_escaped_key, plain_name, plain_values, with_plain_keys
from workbench.formats.survey.crossread import best_reading

SPECS = tuple(TOOLS.values())


def test_plain_text() -> None:
    assert plain_name("get\\_weather\\-now\\.x") == "get_weather-now.x"
    assert plain_name("a\\nb") == "a\\nb"
    assert plain_values({"a\\_b": ["x\\_y", 1, {"c\\_d": None}]}) == {"a_b": ["x_y", 1, {"c_d": None}]}


def test_keys_alone() -> None:
    value = {"a\\_b": ["x\\_y", {"c\\_d": None}]}
    assert has_escaped_key([{"a": [value]}])
    assert with_plain_keys(value) == {"a_b": ["x\\_y", {"c_d": None}]}
    assert not has_escaped_key({"a": ["x\\_y"]})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pythonic", "[get\\_weather(city='new\\_york')]"),
        ("pythonic", "get\\_weather(city='new\\_york')"),
        ("lfm2", "<|tool_call_start|>[get\\_weather(city='new\\_york')]<|tool_call_end|>"),
        ("qwen_xml", '<tool_call>{"name": "get\\_weather", "arguments": {"city": "new\\_york"}}</tool_call>'),
        ("bare_json", '{"name": "get\\_weather", "arguments": {"city": "new\\_york"}}'),
        ("mistral_args", '[TOOL_CALLS]get\\_weather[ARGS]{"city": "new\\_york"}'),
        ("react", 'Action: get\\_weather\nAction Input: {"city": "new\\_york"}'),
        (
            "qwen3_coder_xml",
            "<tool_call>\n<function=get\\_weather>\n<parameter=city>\nnew\\_york\n</parameter>\n</function>\n</tool_call>",
        ),
    ],
)
def test_escaped_names_are_a_repair(name: str, text: str) -> None:
    (call,) = get_format(name).parse(text, SPECS).calls
    assert (call.name, call.arguments) == ("get_weather", {"city": "new_york"})
    assert call.outcome is Outcome.RECOVERED
    assert CODE in call.repairs


WRITTEN = ParsedCall(
    "get_weather", {"city": "Rome"}, "call00001", Outcome.STRICT, (), Span(0, 0), Span(0, 0), Span(0, 0), ""
)


@pytest.mark.parametrize("name", [spec.id for spec in list_formats() if not spec.native])
def test_a_name_may_be_escaped_in_every_format(name: str) -> None:
    spec = get_format(name)
    raw = spec.render_call(WRITTEN).replace("get_weather", "get\\_weather")
    at = raw.index("\\")
    cuts = [[raw[:cut], raw[cut:]] for cut in (at, at + 1, at + 2, raw.index("weather") + len("weather"))]
    for pieces in ([raw], list(raw), *cuts):
        result, told = read_pieces(spec, Sample("", name, raw, tools=SPECS, reason="stop"), pieces)
        assert [(call.name, call.arguments) for call in result.calls] == [("get_weather", {"city": "Rome"})]
        assert CODE in result.calls[0].repairs
        assert result.calls[0].outcome is Outcome.RECOVERED
        assert told.calls == result.calls
        assert not result.problems


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("glm4_legacy", 'get\\weather\n{"city": "Rome"}'),
        ("functionary_v32", 'get\\weather\n{"city": "Rome"}'),
        ("gptme", '@get\\weather(1): {"city": "Rome"}'),
        ("tool_tags", "<get_\\weather>\n<city>Rome</city>\n</get_\\weather>"),
    ],
)
def test_a_backslash_before_another_letter_makes_no_name(name: str, text: str) -> None:
    result = get_format(name).parse(text, None)
    assert (result.calls, result.text, result.problems) == ((), text, ())


CITY = '{"city": "Rome"}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deepseek_v3", f"functionget\\_weather\n```json\n{CITY}\n```"),
        (
            "deepseek_v31",
            f"<｜tool▁calls▁begin｜>get\\_weather<｜tool▁sep｜>{CITY}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        ("kimi_k2", f"functions.get\\_weather:0<|tool_call_argument_begin|>{CITY}<|tool_call_end|>"),
        ("gemma4", 'call:get\\_weather{city:<|"|>Rome<|"|>}<tool_call|>'),
        ("gemma4", 'get\\_weather{city:<|"|>Rome<|"|>}<tool_call|>'),
        ("gemma4", '<|tool_call>call:get\\_weather(city="Rome")<tool_call|>'),
        ("gemma4", "<|tool_call>call:get\\_weather\nBEGIN_ARG:\nRome\nEND_ARG<tool_call|>"),
        ("glm45", f"<![get\\_weather>{CITY}"),
        ("glm45", "<user>get\\_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</user>"),
        ("glm4_legacy", 'get\\_weather\n"{\\"city\\": \\"Rome\\"}"'),
        ("harmony", f"commentary to=functions.get\\_weather json{CITY}"),
        ("tool_tags", "<get\\_weather>\n<city>Rome</city>\n</get_weather>"),
        ("tool_tags", '<get\\_weather city="Rome"/>'),
    ],
)
def test_a_name_may_be_escaped_where_a_call_is_damaged_too(name: str, text: str) -> None:
    for pieces in ([text], list(text)):
        result, _ = read_pieces(get_format(name), Sample("", name, text, tools=SPECS, reason="stop"), pieces)
        assert [(call.name, call.arguments) for call in result.calls] == [("get_weather", {"city": "Rome"})]
        assert CODE in result.calls[0].repairs
        assert not result.problems


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("glm4_legacy", 'get\\_weather\n{"city": "Ro', "truncated"),
        ("deepseek_v31", f"I look.<｜tool▁sep｜>get\\_weather{CITY}", "bad_json"),
    ],
)
def test_an_unread_call_with_an_escaped_name_is_told(name: str, text: str, code: str) -> None:
    result = get_format(name).parse(text, SPECS, "stop")
    assert not result.calls
    assert [(problem.code, plain_name(problem.name)) for problem in result.problems] == [(code, "get_weather")]


@pytest.mark.parametrize("name", [spec.id for spec in list_formats() if not spec.native])
def test_a_call_whose_markers_are_escaped_too_is_never_silent(name: str) -> None:
    found = best_reading(get_format(name).render_call(WRITTEN).replace("_", "\\_"), SPECS, "stop")
    assert [one.name for one in found.calls or found.problems if one.name] in ([], ["get_weather"])
    assert found.calls or any(problem.outcome for problem in found.problems)


def test_escaped_parameter_names() -> None:
    (call,) = get_format("pythonic").parse("[write_file(path='a', con\\_tent='b')]", None).calls
    assert call.arguments == {"path": "a", "con_tent": "b"}
    assert call.repairs == (CODE,)


def test_escapes_in_values_alone_are_data() -> None:
    (call,) = (
        get_format("qwen_xml")
        .parse('<tool_call>{"name": "get_weather", "arguments": {"city": "a\\\\_b"}}</tool_call>', SPECS)
        .calls
    )
    assert call.arguments == {"city": "a\\_b"}
    assert call.outcome is Outcome.STRICT


def test_a_name_that_was_escaped_over_and_over_is_plain_at_once() -> None:
    assert plain_name("get" + "\\" * 10_000 + "_weather") == "get_weather"


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"k": inner}])
def test_values_are_looked_at_to_a_depth(wrap: Callable[[Any], Any]) -> None:
    def nested(levels: int, inner: Any) -> Any:
        for _ in range(levels):
            inner = wrap(inner)
        return inner

    escaped = {"a\\_b": "x\\_y"}
    assert plain_values(nested(63, escaped)) == nested(63, {"a_b": "x_y"})
    assert plain_values(nested(64, escaped)) == nested(64, escaped)
    assert plain_values(nested(64, "x\\_y")) == nested(64, "x_y")
    assert with_plain_keys(nested(63, escaped)) == nested(63, {"a_b": "x\\_y"})
    assert with_plain_keys(nested(64, escaped)) == nested(64, escaped)
    assert has_escaped_key(nested(64, escaped))
    assert not has_escaped_key(nested(65, escaped))


def test_some_of_many_keys_are_escaped() -> None:
    assert has_escaped_key({"a": 1, "b": {"c\\_d": 1}, "e": [1]})
    assert has_escaped_key([1, {"c\\_d": 1}])
    assert not has_escaped_key([{"c\\-d": 1}, "x\\_y"])
    assert plain_values("a\\_b\\*c\\.d\\-e\\n\\\\_") == "a_b*c.d-e\\n\\_"
    assert plain_name("a\\\\_b\\*") == "a_b*"
    assert with_plain_keys("x\\_y") == "x\\_y"
    assert plain_values(3) == 3
