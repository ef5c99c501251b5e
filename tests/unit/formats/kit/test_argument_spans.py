"""Where argument values stand, in every shape."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Span
from workbench.formats import get_format
from workbench.formats.kit.argument_spans import FieldSpan, python_fields

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("name", "raw", "want"),
    [
        ("qwen_xml", '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "b", "tags": ["x"]}}</tool_call>',
         {("path",): '"a"', ("content",): '"b"', ("tags",): '["x"]', ("tags", 0): '"x"'}),
        ("qwen3_coder_xml", "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
         {("city",): "Rome", ("days",): "3"}),
        ("anthropic_xml", '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n</invoke>\n</function_calls>', {("city",): "Rome"}),
        ("glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>", {("city",): "Rome"}),
        ("pythonic", "[get_weather(city='Rom\u00e9', days=3)]", {("city",): "'Rom\u00e9'", ("days",): "3"}),
        ("gemma4", '<|tool_call>call:get_weather{city:<|"|>Rome<|"|>,days:3}<tool_call|>', {("city",): '<|"|>Rome<|"|>', ("days",): "3"}),
        ("solar_open2", "<|tool_call:start|>get_weather<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:end|><|tool_call:end|>", {("city",): "Rome"}),
        ("kimi_k3", '<|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|><|close|>call<|sep|>', {("city",): "Rome"}),
    ],
)  # fmt: skip
def test_values(name: str, raw: str, want: dict[tuple[str | int, ...], str]) -> None:
    spec = get_format(name)
    (call,) = spec.parse(raw, SPECS).calls
    found = {field.path: raw[field.span.start : field.span.end] for field in spec.argument_spans(raw, call)}
    assert found == want


def test_encoded_twice() -> None:
    raw = '<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}</tool_call>'
    spec = get_format("qwen_xml")
    (call,) = spec.parse(raw, SPECS).calls
    (field,) = spec.argument_spans(raw, call)
    assert raw[field.span.start : field.span.end] == '\\"Rome\\"'
    assert field.key_span is not None
    assert raw[field.key_span.start : field.key_span.end] == '\\"city\\"'


def test_keys_have_spans() -> None:
    raw = "[get_weather(city='Rome')]"
    spec = get_format("pythonic")
    (field,) = spec.argument_spans(raw, spec.parse(raw, SPECS).calls[0])
    assert field.key_span is not None
    assert raw[field.key_span.start : field.key_span.end] == "city"


def test_a_python_call_with_unpacked_arguments_keeps_the_places_of_the_others() -> None:
    source = "**more, city='Rome'"
    (field,) = python_fields(source, Span(0, len(source)))
    assert field == FieldSpan(("city",), Span(13, 19), Span(8, 12))
