"""Roles for colouring."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from workbench.core.calls import Span
from workbench.formats import get_format
from workbench.formats.kit.regions import _joined

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
