"""Roles for colouring."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from workbench.core.calls import ParseResult, Span
from workbench.formats import get_format
from workbench.formats.kit.regions import _joined, regions

SPECS = tuple(TOOLS.values())


def test_every_role() -> None:
    spec = get_format("qwen_xml")
    raw = (
        '<think>Hm.</think>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'
        '<tool_call>{"name": "nope", "arguments": {}}</tool_call><|im_end|>'
    )
    result = spec.parse(raw, SPECS)
    found: dict[str, list[str]] = {}
    for region in spec.regions(raw, result):
        found.setdefault(region.role, []).append(raw[region.span.start : region.span.end])
    assert found["reasoning"] == ["Hm."]
    assert found["name"] == ["get_weather"]
    assert found["key"] == ['"name"', '"arguments"', '"city"', '"days"']
    assert found["string"] == ['"Rome"']
    assert found["number"] == ["3"]
    assert found["problem"] == ['<tool_call>{"name": "nope", "arguments": {}}</tool_call>']
    assert found["special"] == ["<|im_end|>"]
    assert found["marker"] == ["<think>", "</think>", "<tool_call>", "</tool_call>"]


def test_regions_are_sorted_and_apart() -> None:
    spec = get_format("harmony")
    raw = '<|channel|>commentary to=functions.now<|message|>{"zone": "CET"}<|call|>'
    regions = spec.regions(raw, spec.parse(raw, SPECS))
    edges = [edge for region in regions for edge in (region.span.start, region.span.end)]
    assert edges == sorted(edges)


def roles(name: str, raw: str) -> list[tuple[str, str]]:
    spec = get_format(name)
    found = spec.regions(raw, spec.parse(raw, SPECS))
    return [(region.role, raw[region.span.start : region.span.end]) for region in found]


@pytest.mark.parametrize(
    ("name", "raw", "markers"),
    [
        ("mistral_json", '[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "now", "arguments": {}}]', ["[TOOL_CALLS]"]),
        ("mistral_args", '[TOOL_CALLS]now[ARGS]{"zone": "[ARGS]"}', ["[TOOL_CALLS]", "[ARGS]"]),
        ("react", 'Thought: Hm.\nAction: now\nAction Input: {"zone": "Action: <a>"}', ["Action:", "Action Input:"]),
        ("phi4_functools", 'functools[{"name": "now", "arguments": {"zone": "CET"}}]', ["functools"]),
        ("pythonic", "[now(zone='<b>')]", []),
        ("qwen3_coder_xml", "<tool_call>\n<function=now>\n<parameter=zone>\n<b>x\n</parameter>\n</function>\n</tool_call>",
         ["<tool_call>", "<function=", ">", "<parameter=", ">", "</parameter>", "</function>", "</tool_call>"]),
        ("gemma4", '<|tool_call>call:now{zone:<|"|>CET<|"|>}<tool_call|>', ["<|tool_call>", "call:", "<tool_call|>"]),
        ("minimax_m3", ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="now">]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
         ["]<]minimax[>[<tool_call>", ']<]minimax[>[<invoke name="', '">', "]<]minimax[>[</invoke>", "]<]minimax[>[</tool_call>"]),
    ],
)  # fmt: skip
def test_only_tags_labels_and_tokens_are_markers(name: str, raw: str, markers: list[str]) -> None:
    found = roles(name, raw)
    assert [text for role, text in found if role == "marker"] == markers
    assert {text for role, text in found if role == "name"} == {"now"}


def test_an_envelope_around_the_arguments_is_coloured_as_json() -> None:
    raw = '[TOOL_CALLS][{"name": "now", "arguments": {"zone": "CET"}, "id": "a1B2c3D4e", "index": 0}]'
    found = roles("mistral_json", raw)
    assert found == [
        ("marker", "[TOOL_CALLS]"), ("key", '"name"'), ("name", "now"), ("key", '"arguments"'), ("key", '"zone"'),
        ("string", '"CET"'), ("key", '"id"'), ("string", '"a1B2c3D4e"'), ("key", '"index"'), ("number", "0"),
    ]  # fmt: skip


def test_many_calls_are_coloured_in_linear_time() -> None:
    spec = get_format("qwen_xml")

    def work(count: int) -> None:
        raw = '<tool_call>{"name": "now", "arguments": {"zone": "<<<<"}}</tool_call>\n' * count
        result = spec.parse(raw, SPECS)
        assert len(spec.regions(raw, result)) == 7 * count

    assert growth(work, 400) < 10


def test_a_call_in_closed_reasoning_looks_like_reasoning() -> None:
    text = '<think>I call <tool_call>{"name": "f", "arguments": {}}</tool_call> next.</think>Done.'
    found = get_format("qwen_xml")
    roles = {one.role for one in found.regions(text, found.parse(text))}
    assert roles == {"marker", "reasoning"}


@pytest.mark.parametrize(
    ("name", "raw", "values"),
    [
        ("pythonic", "[get_weather(city='true', days=-3, metric=True)]", [("string", "'true'"), ("number", "-3"), ("number", "True")]),
        ("pythonic", "[now(zone=None)]", [("number", "None")]),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": null, "metric": false}}', [("number", "null"), ("number", "false")]),
        ("bare_json", '{"name": "write_file", "arguments": {"path": "a", "tags": ["b", 1]}}', [("string", '"a"'), ("string", '"b"'), ("number", "1")]),
    ],
)  # fmt: skip
def test_words_that_stand_for_values_are_no_strings(name: str, raw: str, values: list[tuple[str, str]]) -> None:
    found = [one for one in roles(name, raw) if one[0] in ("string", "number")]
    assert [one for one in values if one not in found] == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("<think>Hm.", [("marker", "<think>"), ("reasoning", "Hm.")]),
        ("<think>Hm.</think>So", [("marker", "<think>"), ("reasoning", "Hm."), ("marker", "</think>")]),
        ("<think>a</think><think>b", [("marker", "<think>"), ("reasoning", "a"), ("marker", "</think>"), ("marker", "<think>"), ("reasoning", "b")]),
    ],
)  # fmt: skip
def test_a_thought_goes_on_to_its_end_or_the_replys(raw: str, expected: list[tuple[str, str]]) -> None:
    assert roles("qwen_xml", raw) == expected


@pytest.mark.parametrize(
    ("spans", "ranges"),
    [
        ([(0, 2), (1, 5), (2, 3)], [(0, 5)]),
        ([(4, 6), (0, 2)], [(0, 2), (4, 6)]),
        ([(0, 9), (2, 3), (8, 9)], [(0, 9)]),
        ([(0, 2), (2, 4)], [(0, 2), (2, 4)]),
        ([(3, 3)], []),
    ],
)
def test_ranges_of_spans_are_sorted_and_apart(spans: list[tuple[int, int]], ranges: list[tuple[int, int]]) -> None:
    assert _joined(Span(*one) for one in spans) == ranges


@pytest.mark.parametrize(
    ("name", "raw", "found"),
    [
        ("qwen_xml", "<think>a</think>b<think>c", [("marker", "<think>"), ("reasoning", "a"), ("marker", "</think>"), ("marker", "<think>"), ("reasoning", "c")]),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {"zone": null}}</tool_call><tool_call>{"name": "now", "arguments": {"zone": "<b>"}}</tool_call> <tool_call> x', [("marker", "<tool_call>"), ("key", '"name"'), ("name", "now"), ("key", '"arguments"'), ("key", '"zone"'), ("number", "null"), ("marker", "</tool_call>"), ("marker", "<tool_call>"), ("key", '"name"'), ("name", "now"), ("key", '"arguments"'), ("key", '"zone"'), ("string", '"<b>"'), ("marker", "</tool_call>"), ("problem", "<tool_call> x")]),
        ("qwen_xml", '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "b", "tags": ["t"], "options": {"k": -1, "l": true}}}</tool_call>', [("marker", "<tool_call>"), ("key", '"name"'), ("name", "write_file"), ("key", '"arguments"'), ("key", '"path"'), ("string", '"a"'), ("key", '"content"'), ("string", '"b"'), ("key", '"tags"'), ("string", '"t"'), ("key", '"options"'), ("key", '"k"'), ("number", "-1"), ("key", '"l"'), ("number", "true"), ("marker", "</tool_call>")]),
        ("qwen_xml", "plain <|im_end|>", [("special", "<|im_end|>")]),
        ("qwen_xml", '<tool_call>{"name": "later", "arguments": {}}</tool_call> `<tool_call>`', [("problem", '<tool_call>{"name": "later", "arguments": {}}</tool_call>')]),
        ("tool_calls_json", '<tool_calls>[{"name": "now", "arguments": {}}, {"name": "now", "arguments": {"zone": "x"}}]</tool_calls>', [("marker", "<tool_calls>"), ("key", '"name"'), ("name", "now"), ("key", '"arguments"'), ("key", '"name"'), ("name", "now"), ("key", '"arguments"'), ("key", '"zone"'), ("string", '"x"'), ("marker", "</tool_calls>")]),
        ("react", 'Thought: a\nAction: now\nAction Input: {"zone": 1}', [("marker", "Action:"), ("name", "now"), ("marker", "Action Input:"), ("key", '"zone"'), ("number", "1")]),
        ("bare_json", '{"name": "now", "id": 5, "ok": true, "arguments": {}}', [("key", '"name"'), ("name", "now"), ("key", '"id"'), ("number", "5"), ("key", '"ok"'), ("number", "true"), ("key", '"arguments"')]),
        ("pythonic", "[now(zone='a'), get_weather(city='Rome', days=3, metric=True)]", [("name", "now"), ("key", "zone"), ("string", "'a'"), ("name", "get_weather"), ("key", "city"), ("string", "'Rome'"), ("key", "days"), ("number", "3"), ("key", "metric"), ("number", "True")]),
        ("glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>", [("marker", "<tool_call>"), ("name", "get_weather"), ("marker", "<arg_key>"), ("key", "city"), ("marker", "</arg_key>"), ("marker", "<arg_value>"), ("string", "Rome"), ("marker", "</arg_value>"), ("marker", "</tool_call>")]),
        ("mistral_args", '[TOOL_CALLS]now[ARGS]{"zone": "a"}', [("marker", "[TOOL_CALLS]"), ("name", "now"), ("marker", "[ARGS]"), ("key", '"zone"'), ("string", '"a"')]),
        ("harmony", '<|channel|>commentary to=functions.now<|message|>{"zone": "a"}<|call|>', [("marker", "<|channel|>"), ("marker", "commentary to=functions."), ("name", "now"), ("marker", "<|message|>"), ("key", '"zone"'), ("string", '"a"'), ("marker", "<|call|>")]),
        ("minimax_m2", '<minimax:tool_call><invoke name="now"><parameter name="zone">a</parameter></invoke></minimax:tool_call>', [("marker", "<minimax:tool_call>"), ("marker", '<invoke name="'), ("name", "now"), ("marker", '">'), ("marker", '<parameter name="'), ("key", "zone"), ("marker", '">'), ("string", "a"), ("marker", "</parameter>"), ("marker", "</invoke>"), ("marker", "</minimax:tool_call>")]),
        ("gemma4", '<|tool_call>call:now{zone:<|"|>a<|"|>}<tool_call|>', [("marker", "<|tool_call>"), ("marker", "call:"), ("name", "now"), ("key", "zone"), ("string", '<|"|>a<|"|>'), ("marker", "<tool_call|>")]),
    ],
)  # fmt: skip
def test_roles_of_a_reply(name: str, raw: str, found: Any) -> None:
    assert repr(
        [
            (one.role, raw[one.span.start : one.span.end])
            for one in get_format(name).regions(raw, get_format(name).parse(raw, tuple(TOOLS.values())))
        ]
    ) == repr(found)


@pytest.mark.parametrize(
    ("name", "raw", "found"),
    [
        ("bare_json", '[{"name": "now", "arguments": {}}]', [("key", '"name"'), ("name", "now"), ("key", '"arguments"')]),
        ("qwen_xml", "<think>a", [("marker", "<think>"), ("reasoning", "a")]),
        ("qwen_xml", "<think></think>", [("marker", "<think>"), ("marker", "</think>")]),
        ("qwen_xml", "a", []),
        ("qwen_xml", "", []),
        ("qwen_xml", '<tool_call>{"name": "write_file", "arguments": {"path": "", "content": "x"}}</tool_call>', [("marker", "<tool_call>"), ("key", '"name"'), ("name", "write_file"), ("key", '"arguments"'), ("key", '"path"'), ("string", '""'), ("key", '"content"'), ("string", '"x"'), ("marker", "</tool_call>")]),
        ("kimi_k2", '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{"zone": "a"}<|tool_call_end|><|tool_calls_section_end|>', [("marker", "<|tool_calls_section_begin|>"), ("marker", "<|tool_call_begin|>"), ("marker", "functions."), ("name", "now"), ("marker", "0"), ("marker", "<|tool_call_argument_begin|>"), ("key", '"zone"'), ("string", '"a"'), ("marker", "<|tool_call_end|>"), ("marker", "<|tool_calls_section_end|>")]),
        ("pythonic", "now()\nText get_weather", [("name", "now")]),
        ("native_openai", '{"content": "x", "tool_calls": [{"function": {"name": "now", "arguments": "{}"}}]}', []),
    ],
)  # fmt: skip
def test_roles_of_more_replies(name: str, raw: str, found: Any) -> None:
    assert repr(
        [
            (one.role, raw[one.span.start : one.span.end])
            for one in get_format(name).regions(raw, get_format(name).parse(raw, tuple(TOOLS.values())))
        ]
    ) == repr(found)


def test_markers_are_coloured_only_where_a_call_is() -> None:
    raw = "A reply with <tool_call> in it, and </tool_call> too."
    spec = get_format("qwen_xml")
    nothing = ParseResult((), raw, "", (), "qwen_xml")
    assert regions(raw, nothing, {}, ["<tool_call>", "</tool_call>"]) == ()
    call = "<tool_call>{}</tool_call>".format('{"name": "now", "arguments": {}}')
    found = regions(call, spec.parse(call, SPECS), {}, ["<tool_call>", "</tool_call>"])
    assert [call[one.span.start : one.span.end] for one in found if one.role == "marker"] == [
        "<tool_call>",
        "</tool_call>",
    ]
