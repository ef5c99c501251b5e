"""Roles for colouring."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS
from workbench.formats import get_format

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
    assert found["key"] == ['"city"', '"days"']
    assert found["string"] == ['"Rome"']
    assert found["number"] == ["3"]
    assert found["problem"] == ['<tool_call>{"name": "nope", "arguments": {}}</tool_call>']
    assert found["special"] == ["<|im_end|>"]
    assert found["marker"][0] == "<think>"


def test_regions_are_sorted_and_apart() -> None:
    spec = get_format("harmony")
    raw = '<|channel|>commentary to=functions.now<|message|>{"zone": "CET"}<|call|>'
    regions = spec.regions(raw, spec.parse(raw, SPECS))
    edges = [edge for region in regions for edge in (region.span.start, region.span.end)]
    assert edges == sorted(edges)
