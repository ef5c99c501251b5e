"""Where argument values stand, in every shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import get_format
from workbench.formats.kit.argument_spans import FieldSpan, fields, json_fields, python_fields, tagged_fields

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
        ("gemma4", "<|tool_call>call:get_weather{city:see http://x.y, and: so,days:3}<tool_call|>", {("city",): "see http://x.y, and: so", ("days",): "3"}),
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


def places(source: str, found: tuple[FieldSpan, ...]) -> list[tuple[object, ...]]:
    """Paths, values and keys as they stand in the text, in order."""
    return [
        (
            one.path,
            source[one.span.start : one.span.end],
            one.key_span and source[one.key_span.start : one.key_span.end],
        )
        for one in found
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('{"a": 1, "b": {"c": [2, "x"]}}', [(("a",), "1", '"a"'), (("b",), '{"c": [2, "x"]}', '"b"'), (("b", "c"), '[2, "x"]', '"c"'), (("b", "c", 0), "2", ""), (("b", "c", 1), '"x"', "")]),
        ('  {"a": 1}', [(("a",), "1", '"a"')]),
        ('"{\\"a\\": \\"x\\\\ny\\"}"', [(("a",), '\\"x\\\\ny\\"', '\\"a\\"')]),
        ('  "{\\n\\t\\"a\\": 1}" more', [(("a",), "1", '\\"a\\"')]),
        ('"{\\u0022a\\u0022: 12}"', [(("a",), "12", "\\u0022a\\u0022")]),
        ('"{\\r\\n\\b\\f\\"a\\": 1}"', []),
        ('"{\\r\\n\\"a\\": 1}"', [(("a",), "1", '\\"a\\"')]),
        ("'{\"a\": 1}'", [(("a",), "1", '"a"')]),
        ("{}", []),
        ("[1, 2]", [((0,), "1", ""), ((1,), "2", "")]),
        ("5", []),
    ],
)  # fmt: skip
def test_members_of_json_wherever_they_stand(source: str, found: list[tuple[object, ...]]) -> None:
    told = [(path, value, key or "") for path, value, key in places(source, json_fields(source, Span(0, len(source))))]
    assert told == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<parameter=a>\nx\n</parameter><parameter=b>y</parameter>", [(("a",), "x", "a"), (("b",), "y", "b")]),
        ("<parameter=a>\n\nx\n\n</parameter>", [(("a",), "\nx\n", "a")]),
        ("<parameter=a>\n</parameter>", [(("a",), "", "a")]),
        ("<parameter=a></parameter>", [(("a",), "", "a")]),
        ('<parameter name="a" x="y">1</parameter>', [(("a",), "1", "a")]),
        ("<param name='a'>1</param>", [(("a",), "1", "a")]),
        ("<parameter=a>x<parameter=b>y</function>", [(("a",), "x", "a"), (("b",), "y", "b")]),
        ("<parameter=a>x", [(("a",), "x", "a")]),
        (
            "<arg_key>a</arg_key>\n<arg_value>x</arg_value><arg_key>b</arg_key>y</arg_value>",
            [(("a",), "x", "a"), (("b",), "y", "b")],
        ),
        ("<|tool_arg:start|> a <|tool_arg:value|>x<|tool_arg:end|>", [(("a",), "x", " a ")]),
        ("no tags", []),
    ],
)
def test_values_between_tags_without_their_layout(source: str, found: list[tuple[object, ...]]) -> None:
    assert places(source, tagged_fields(source, Span(0, len(source)))) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("a=1, b='x'", [(("a",), "1", "a"), (("b",), "'x'", "b")]),
        ("a='ü', b=[1,\n 2],\nc='é'", [(("a",), "'ü'", "a"), (("b",), "[1,\n 2]", "b"), (("c",), "'é'", "c")]),
        ("1, a=2", [(("a",), "2", "a")]),
        ("", []),
        ("a=", []),
        (")", []),
        ("a=1) + (2", []),
    ],
)
def test_keywords_of_a_python_call(source: str, found: list[tuple[object, ...]]) -> None:
    for before in ("", "f("):
        text = before + source
        assert places(text, python_fields(text, Span(len(before), len(text)))) == found


def test_places_say_which_text_they_point_into() -> None:
    for source, read in (
        ('{"a": 1}', json_fields),
        ("<parameter=a>1</parameter>", tagged_fields),
        ("a=1", python_fields),
    ):
        (found,) = read(source, Span(0, len(source), "call:0"))
        assert found.key_span is not None
        assert (found.span.source, found.key_span.source) == ("call:0", "call:0")


def test_the_shape_of_the_arguments_decides_how_they_are_read() -> None:
    nowhere = Span(0, 0)
    call = ParsedCall("f", {}, "c", Outcome.STRICT, (), nowhere, nowhere, nowhere, "qwen_xml")
    for source, form, value in (
        ('{"a": "x"}', "qwen_xml", '"x"'), ('  "{\\"a\\": 5}"', "qwen_xml", "5"), ("<parameter=a>x</parameter>", "glm45", "x"),
        ("]<]minimax[>[<parameter=a>x</parameter>", "minimax_m3", "x"), ("a=5", "pythonic", "5"),
        ("{a:5}", "gemma4", "5"), (' {a:<escape>x<escape>}', "functiongemma", "<escape>x<escape>"), ('{"a": 5}', "gemma4", "5"),
    ):  # fmt: skip
        (found,) = fields(source, call._replace(arguments_span=Span(0, len(source)), format=form))
        assert source[found.span.start : found.span.end] == value, source
    assert fields("  ", call._replace(arguments_span=Span(0, 2))) == ()
    assert fields("a=5", call._replace(arguments_span=Span(0, 9))) == ()
    nested = "{a:{b:1},c:2}"
    told = fields(nested, call._replace(arguments_span=Span(0, len(nested)), format="gemma4"))
    assert [one.path for one in told] == [("a",), ("a", "b"), ("c",)]


@pytest.mark.parametrize(
    ("source", "start", "end", "found"),
    [
        ('x {"a": 1, "b": [2, {"c": 3}]} y', 2, 29, [(("a",), "1", '"a"'), (("b",), '[2, {"c": 3}]', '"b"'), (("b", 0), "2", None), (("b", 1), '{"c": 3}', None), (("b", 1, "c"), "3", '"c"')]),
        ('"{\\"a\\": \\"\\u00e9\\n\\", \\"b\\": 2}"', 0, 34, [(("a",), '\\"\\u00e9\\n\\"', '\\"a\\"'), (("b",), "2", '\\"b\\"')]),
        ("'{\"a\": 1}'", 0, 10, [(("a",), "1", '"a"')]),
        ('"\\"{\\\\\\"a\\\\\\": 1}\\""', 0, 19, [(("a",), "1", '\\\\\\"a\\\\\\"')]),
        ('{"a": 1', 0, 7, []),
        ('  {"a": "b"}', 0, 12, [(("a",), '"b"', '"a"')]),
        ("[1, [2]]", 0, 8, [((0,), "1", None), ((1,), "[2]", None), ((1, 0), "2", None)]),
        ('"x"', 0, 3, []),
        ('"{\\"a\\": 1', 0, 10, []),
        ("{'a': 'b', c: d}", 0, 16, [(("a",), "'b'", "'a'")]),
        ('{"a": {}}', 0, 9, [(("a",), "{}", '"a"')]),
    ],
)  # fmt: skip
def test_places_of_members_of_json(source: str, start: int, end: int, found: Any) -> None:
    assert repr(
        [
            (
                one.path,
                source[one.span.start : one.span.end],
                one.key_span and source[one.key_span.start : one.key_span.end],
            )
            for one in json_fields(source, Span(start, end))
        ]
    ) == repr(found)


@pytest.mark.parametrize(
    ("source", "start", "end", "found"),
    [
        ("<parameter=a>\nx\n</parameter><parameter=b>y</parameter>", 0, 56, [(("a",), "x", "a"), (("b",), "y", "b")]),
        ("<parameter=a>x<parameter=b>y</function>", 0, 39, [(("a",), "x", "a"), (("b",), "y", "b")]),
        ('<param name="a">\n\nx\n\n</param>', 0, 29, [(("a",), "\nx\n", "a")]),
        ("<x:parameter name='a' string=\"true\">x</x:parameter>", 0, 51, [(("a",), "x", "a")]),
        ("<arg_key>a</arg_key>\n<arg_value>x</arg_value><arg_key>b</arg_key><arg_value>\ny\n</arg_value>", 0, 91, [(("a",), "x", "a"), (("b",), "y", "b")]),
        ("<arg_key> a </arg_key>x", 0, 23, [(("a",), "x", " a ")]),
        ("<|tool_arg:start|>a<|tool_arg:value|>x<|tool_arg:end|>", 0, 54, [(("a",), "x", "a")]),
        ('<|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>', 0, 70, [(("a",), "x", "a")]),
        ("<b>x</b>", 0, 8, []),
        ('<parameter="a">x</parameter>', 0, 28, [(("a",), "x", "a")]),
        ("<parameter=a>\n</parameter>", 0, 26, [(("a",), "", "a")]),
    ],
)  # fmt: skip
def test_places_between_tags(source: str, start: int, end: int, found: Any) -> None:
    assert repr(
        [
            (
                one.path,
                source[one.span.start : one.span.end],
                one.key_span and source[one.key_span.start : one.key_span.end],
            )
            for one in tagged_fields(source, Span(start, end))
        ]
    ) == repr(found)


@pytest.mark.parametrize(
    ("source", "start", "end", "found"),
    [
        ("f(a=1, b='x')", 2, 12, [(("a",), "1", "a"), (("b",), "'x'", "b")]),
        ("a=1,\n  b=[2,\n 3]", 0, 17, [(("a",), "1", "a"), (("b",), "[2,\n 3]", "b")]),
        ("a='é', b=2", 0, 10, [(("a",), "'é'", "a"), (("b",), "2", "b")]),
        ("1, a=2", 0, 6, [(("a",), "2", "a")]),
        ("a=", 0, 2, []),
        ("", 0, 0, []),
        ("a=1 # c", 0, 7, [(("a",), "1", "a")]),
        ("a='''x\ny''', b=1", 0, 16, [(("a",), "'''x\ny'''", "a"), (("b",), "1", "b")]),
        ("**x", 0, 3, []),
        ("a=1", 0, 2, []),
    ],
)  # fmt: skip
def test_places_in_a_python_call(source: str, start: int, end: int, found: Any) -> None:
    assert repr(
        [
            (
                one.path,
                source[one.span.start : one.span.end],
                one.key_span and source[one.key_span.start : one.key_span.end],
            )
            for one in python_fields(source, Span(start, end))
        ]
    ) == repr(found)


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ('"{\\"city\\": \\"R\\u00f6me\\"}"', ['\\"R\\u00f6me\\"']),
        ('"{\\"a\\": \\"\\\\n\\", \\"b\\": 2}"', ['\\"\\\\n\\"', "2"]),
        ('"{\\"a\\": [1, 2]', ["[1, 2]", "1", "2"]),
        ('  "{\\"a\\": 1}" and', ["1"]),
        ('\'{"a": "b\\\'s"}\'', ['"b\\\'s"']),
        ('"\\"{\\\\\\"a\\\\\\": 17}\\""', ["17"]),
        (json.dumps(json.dumps(json.dumps('{"a": 17}'))), ["17"]),
        (json.dumps(json.dumps(json.dumps(json.dumps('{"a": 17}')))), []),
    ],
)
def test_values_of_an_object_that_is_encoded_as_text(source: str, values: list[str]) -> None:
    for before in ("", "xyz "):
        found = json_fields(before + source, Span(len(before), len(before) + len(source)))
        assert [(before + source)[one.span.start : one.span.end] for one in found] == values


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("a='é', b=2", ["'é'", "2"]),
        ("a=1,\n  b='ö\\n', c=[\n1]", ["1", "'ö\\n'", "[\n1]"]),
        ("\n  a=f(1),\n**x, b=3\n", ["f(1)", "3"]),
        ("a=", []),
        ("a=1) + (2", []),
    ],
)
def test_values_of_python_calls_on_several_lines(code: str, values: list[str]) -> None:
    source = f"get({code}) ok"
    found = python_fields(source, Span(4, 4 + len(code)))
    assert [source[one.span.start : one.span.end] for one in found] == values
    assert all(one.key_span is not None and one.key_span.start < one.span.start for one in found)


def test_an_empty_value_at_the_end_of_the_arguments_is_empty() -> None:
    source = "<parameter=city>\n</parameter>"
    (found,) = tagged_fields(source, Span(0, 16))
    assert found.span == Span(16, 16)
    (found,) = tagged_fields(source, Span(0, 17))
    assert found.span == Span(17, 17)
