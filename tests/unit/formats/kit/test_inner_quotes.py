"""Quotes that were not escaped: mended only where one reading fits the schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from workbench.formats import get_format
from workbench.formats.kit.inner_quotes import mend_quotes
from workbench.formats.kit.loose_json import JsonRead
from workbench.formats.kit.toolset import ToolSet

SPECS = tuple(TOOLS.values())
SET = ToolSet(SPECS)


def mend(text: str, name: str = "") -> Any:
    found = mend_quotes(text, 0, len(text), SET, name)
    if found is None:
        return None
    read, masked = found
    assert len(masked) == len(text)
    assert "unescaped_quote" in read.repairs
    return read.value


@pytest.mark.parametrize(
    "content",
    [
        'print("hi")', 'say "hi"', '"', '""', '"a" + "b"', "if x == \"}\":\n\tprint(\"{'a': 1}\")", 'a: "b", "c"', 'd = {"a": "b"}',
        'x = ["a", "b"]', '<a href="x">', 'f("a", "b")', 'ends with "', '" begins', 'é "ü" \U0001f40d', 'json.dumps({"k": [1, "v"]})',
    ],
)  # fmt: skip
def test_code_with_quotes(content: str) -> None:
    arguments = f'{{"path": "a.py", "content": "{content}"}}'
    assert mend(arguments, "write_file") == {"path": "a.py", "content": content}
    whole = f'{{"name": "write_file", "arguments": {arguments}}}'
    assert mend(whole) == {"name": "write_file", "arguments": {"path": "a.py", "content": content}}
    swapped = f'{{"name": "write_file", "arguments": {{"content": "{content}", "path": "a.py", "tags": ["x", "y"]}}}}'
    assert mend(swapped)["arguments"] == {"path": "a.py", "content": content, "tags": ["x", "y"]}


@pytest.mark.parametrize("content", ['def f():\n    return "x"\n', "one line", 'a """doc""" b'])
def test_a_string_between_three_quotes_is_what_stands_between_them(content: str) -> None:
    assert mend(f'{{"path": "a.py", "content": """{content}"""}}', "write_file") == {"path": "a.py", "content": content}
    assert mend('{"path": "a.py", "content": """"}', "write_file") == {"path": "a.py", "content": '""'}


@pytest.mark.parametrize(
    "text",
    [
        '{"content": "say "hi""}',  # a required argument is missing
        '{"path": "a", "content": "say "hi"", "more": "x"}',  # an argument more, or one long text?
        '{"path": 3, "content": "say "hi""}',  # wrong type
        '{"path": "a", "content": "say "hi" and on',  # cut off
        '{"path": "a", "content": "x", "content": "say "hi""}',  # twice
        '{"path": "a", "content": "say "hi""} x',  # junk
        '{"path": "a", "content": "nothing is wrong"}',
        "", "[]", '"a "b" c"',
    ],
)  # fmt: skip
def test_ambiguous_quoting_stays_broken(text: str) -> None:
    assert mend(text, "write_file") is None


def test_two_fitting_readings_are_none() -> None:
    assert mend('{"path": "a", "content": "x", "options": {"a": "b "c", "d": "e"}}', "write_file") is None


def test_without_a_schema_nothing_is_mended() -> None:
    text = '{"name": "write_file", "arguments": {"path": "a", "content": "say "hi""}}'
    assert mend_quotes(text, 0, len(text), ToolSet(None)) is None
    assert mend_quotes(text, 0, len(text), ToolSet(())) is None
    assert mend(text.replace("write_file", "nope")) is None


def test_call_parts_have_exact_spans() -> None:
    raw = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.py", "content": "print("hi")"}}\n</tool_call>'
    result = get_format("qwen_xml").parse(raw, SPECS)
    (call,) = result.calls
    assert call.arguments == {"path": "a.py", "content": 'print("hi")'}
    assert call.repairs == ("unescaped_quote",)
    assert raw[call.name_span.start : call.name_span.end] == "write_file"
    assert raw[call.arguments_span.start : call.arguments_span.end] == '{"path": "a.py", "content": "print("hi")"}'


@pytest.mark.parametrize("unit", ['"', '"}', '", "path": "', '"a" ', "{", '["', '"],', '", "b": "'])
def test_hostile_texts_take_little_time(unit: str) -> None:
    def work(size: int) -> None:
        found = mend('{"path": "a", "content": "' + unit * (size // len(unit)) + '"}', "write_file")
        assert found is None or json.dumps(found)

    assert growth(work, 15_000) < 12


def test_quotes_beyond_a_limit_are_not_weighed() -> None:
    few, many = ('{"city": "' + 'a "b" ' * count + 'c"}' for count in (1500, 2500))
    assert mend(few, "get_weather") == {"city": 'a "b" ' * 1500 + "c"}
    assert mend(many, "get_weather") is None


def test_many_broken_calls_take_linear_time() -> None:
    spec = get_format("qwen_xml")
    one = '<tool_call>{"name": "write_file", "arguments": {"content": "say "hi" "}" x}}</tool_call>\n'

    def work(count: int) -> None:
        assert not spec.parse(one * count, SPECS).calls

    assert growth(work, 500) < 12


@pytest.mark.parametrize("space", ["", " ", "\n  "])
def test_lists_may_be_laid_out_beside_quotes(space: str) -> None:
    text = f'{{"path": "a", "content": "say "hi" to", "tags": [{space}"c", "d"]}}'
    assert mend(text, "write_file") == {"path": "a", "content": 'say "hi" to', "tags": ["c", "d"]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"name": "now", "arguments": "{"zone": "CET"}"}', {"name": "now", "arguments": {"zone": "CET"}}),
        ('{"arguments": "{ "zone": "CET" }" , "name": "now"}', {"arguments": {"zone": "CET"}, "name": "now"}),
        (
            '[{"name": "now", "arguments": "{"zone": "a"}"}, {"name": "now", "arguments": "{"zone": "b"}"}]',
            [{"name": "now", "arguments": {"zone": "a"}}, {"name": "now", "arguments": {"zone": "b"}}],
        ),
        (
            '{"type": "function", "function": {"name": "now", "arguments": "{"zone": "CET"}"}}',
            {"type": "function", "function": {"name": "now", "arguments": {"zone": "CET"}}},
        ),
    ],
)
def test_quotes_around_an_object_of_arguments(text: str, value: Any) -> None:
    assert mend(text) == value


@pytest.mark.parametrize(
    "text",
    ['{"name": "now", "arguments": "{"place": {"a": "b"}}', '{"name": "now", "arguments": "{"zone": 3}"}', '{"name": "now", "foo": "{"zone": "CET"}"}'],
)  # fmt: skip
def test_quotes_around_what_are_no_arguments_stay_broken(text: str) -> None:
    assert mend(text) is None


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ('{"name": "now", "arguments": {"zone": "a"b"}}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'a"b'}}, end=45, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments": {"zone": "a\ue0f7b"}}')),
        ('{"name": "now", "arguments": {"zone": "a"}}', "", None),
        ('{"name": "now", "arguments": {"zone": "say "hi" now"}}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'say "hi" now'}}, end=54, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments": {"zone": "say \ue0f7hi\ue0f7 now"}}')),
        ('{"name": "now", "arguments": {"zone": "a", "b"}}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'a", "b'}}, end=48, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments": {"zone": "a\ue0f7, \ue0f7b"}}')),
        ('{"name": "now", "arguments": {"zone": "a\\"b"c"}}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'a"b"c'}}, end=48, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments": {"zone": "a\\"b\ue0f7c"}}')),
        ('{"name": "now", "arguments": {"zone": 5}}', "", None),
        ('[{"name": "now", "arguments": {"zone": "a"b"}}]', "", (JsonRead(value=[{'name': 'now', 'arguments': {'zone': 'a"b'}}], end=47, repairs=('unescaped_quote',), error='', message=''), '[{"name": "now", "arguments": {"zone": "a\ue0f7b"}}]')),
        ('[{"name": "now", "arguments": {"zone": "a"b"}}, {"name": "now", "arguments": {"zone": "c"}}]', "", (JsonRead(value=[{'name': 'now', 'arguments': {'zone': 'a"b'}}, {'name': 'now', 'arguments': {'zone': 'c'}}], end=92, repairs=('unescaped_quote',), error='', message=''), '[{"name": "now", "arguments": {"zone": "a\ue0f7b"}}, {"name": "now", "arguments": {"zone": "c"}}]')),
        ('{"name": "later", "arguments": {"a": "b"c"}}', "", None),
        ('{"name": "get_weather", "arguments": {"city": "a"b", "days": 3}}', "", (JsonRead(value={'name': 'get_weather', 'arguments': {'city': 'a"b', 'days': 3}}, end=64, repairs=('unescaped_quote',), error='', message=''), '{"name": "get_weather", "arguments": {"city": "a\ue0f7b", "days": 3}}')),
        ('{"name": "get_weather", "arguments": {"city": "a"b", "days": "x"}}', "", None),
        ('{"name": "get_weather", "arguments": {"days": 3}}', "", None),
        ('{"name": "get_weather", "arguments": {"city": "a", "days": 3, "city": "b"}}', "", None),
        ('{"name": "now", "arguments": "{"zone": "CET"}"}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'CET'}}, end=47, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments":  {"zone": "CET"} }')),
        ('{"name": "now", "arguments": "{"zone": "C"E"}"}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'C"E'}}, end=47, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments":  {"zone": "C\ue0f7E"} }')),
        ('{"name": "now", "arguments": " {"zone": "CET"} "}', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'CET'}}, end=49, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments":   {"zone": "CET"}  }')),
        ('{"now": {"zone": "a"b"}}', "", (JsonRead(value={'now': {'zone': 'a"b'}}, end=24, repairs=('unescaped_quote',), error='', message=''), '{"now": {"zone": "a\ue0f7b"}}')),
        ('{"function": {"name": "now", "arguments": {"zone": "a"b"}}}', "", (JsonRead(value={'function': {'name': 'now', 'arguments': {'zone': 'a"b'}}}, end=59, repairs=('unescaped_quote',), error='', message=''), '{"function": {"name": "now", "arguments": {"zone": "a\ue0f7b"}}}')),
        ('{"name": "write_file", "arguments": {"path": "a", "content": "x", "tags": ["a"b", "c"]}}', "", (JsonRead(value={'name': 'write_file', 'arguments': {'path': 'a', 'content': 'x', 'tags': ['a"b', 'c']}}, end=88, repairs=('unescaped_quote',), error='', message=''), '{"name": "write_file", "arguments": {"path": "a", "content": "x", "tags": ["a\ue0f7b", "c"]}}')),
        ('{"name": "write_file", "arguments": {"path": "a", "content": "say "path": "b""}}', "", (JsonRead(value={'name': 'write_file', 'arguments': {'path': 'a', 'content': 'say "path": "b"'}}, end=80, repairs=('unescaped_quote',), error='', message=''), '{"name": "write_file", "arguments": {"path": "a", "content": "say \ue0f7path\ue0f7: \ue0f7b\ue0f7"}}')),
        ('{"name": "write_file", "arguments": {"path": "a"b", "content": "x", "options": {"k": true, "l": [-1.5, null]}}}', "", (JsonRead(value={'name': 'write_file', 'arguments': {'path': 'a"b', 'content': 'x', 'options': {'k': True, 'l': [-1.5, None]}}}, end=111, repairs=('unescaped_quote',), error='', message=''), '{"name": "write_file", "arguments": {"path": "a\ue0f7b", "content": "x", "options": {"k": true, "l": [-1.5, null]}}}')),
        ('{"name": "now", "arguments": {"zone": "a"b"}} ', "", (JsonRead(value={'name': 'now', 'arguments': {'zone': 'a"b'}}, end=45, repairs=('unescaped_quote',), error='', message=''), '{"name": "now", "arguments": {"zone": "a\ue0f7b"}}')),
        ('{"name": "now", "arguments": {"zone": "a"b"}} x', "", None),
        ('{"name": "now", "arguments": {"zone": "a"b}}', "", None),
        ("", "", None),
        ("x", "", None),
        ("[]", "", None),
        ('{"name": "now", "arguments": {"zone": "a"\ue0f7"}}', "", None),
        ('{"zone": "a"b"}', "now", (JsonRead(value={'zone': 'a"b'}, end=15, repairs=('unescaped_quote',), error='', message=''), '{"zone": "a\ue0f7b"}')),
        ('{"zone": "a"b"}', "later", None),
        ('{"zone": "a"b"}', "functions.now", (JsonRead(value={'zone': 'a"b'}, end=15, repairs=('unescaped_quote',), error='', message=''), '{"zone": "a\ue0f7b"}')),
        ('{"city": "a"b"}', "get_weather", (JsonRead(value={'city': 'a"b'}, end=15, repairs=('unescaped_quote',), error='', message=''), '{"city": "a\ue0f7b"}')),
        ('{"days": 1, "x": "a"b"}', "get_weather", None),
        ('{"city": "a"b", "x": 1}', "get_weather", (JsonRead(value={'city': 'a"b', 'x': 1}, end=23, repairs=('unescaped_quote',), error='', message=''), '{"city": "a\ue0f7b", "x": 1}')),
        ('[{"zone": "a"b"}]', "now", (JsonRead(value=[{'zone': 'a"b'}], end=17, repairs=('unescaped_quote',), error='', message=''), '[{"zone": "a\ue0f7b"}]')),
    ],
)  # fmt: skip
def test_texts_with_quotes_that_are_not_escaped(text: str, name: str, found: Any) -> None:
    assert repr(mend_quotes(text, 0, len(text), ToolSet(tuple(TOOLS.values())), name)) == repr(found)


def test_quotes_around_one_object_say_nothing_of_those_behind_it() -> None:
    text = '[{"name": "now", "arguments": "{"zone": "CET"}"}, {"name": "write_file", "arguments": {"path": "a", "content": "x"}", y"}}]'
    found = mend_quotes(text, 0, len(text), SET)
    assert found is not None
    assert [call["arguments"] for call in found[0].value] == [{"zone": "CET"}, {"path": "a", "content": 'x"}", y'}]


@pytest.mark.parametrize(("count", "mended"), [(100, True), (190, True), (200, False)])
def test_so_many_values_are_weighed(count: int, mended: bool) -> None:
    numbers = ", ".join(map(str, range(count)))
    text = f'{{"name": "write_file", "arguments": {{"path": "a", "content": "x "y" z", "n": [{numbers}]}}}}'
    assert (mend_quotes(text, 0, len(text), SET) is not None) is mended


@pytest.mark.parametrize("empty", ["[]", "{}", "[ ]", "[[], {}]"])
def test_empty_lists_and_objects_beside_quotes(empty: str) -> None:
    text = f'{{"name": "write_file", "arguments": {{"x": {empty}, "path": "a", "content": "x "y" z"}}}}'
    found = mend_quotes(text, 0, len(text), SET)
    assert found is not None
    assert found[0].value["arguments"] == {"x": json.loads(empty), "path": "a", "content": 'x "y" z'}
