"""Prompt pieces made from real tools."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS
from workbench.formats.kit.prompt import choice_sentence, definitions, sample_call, sample_value, shown

SPECS = tuple(TOOLS.values())


def test_definitions_are_one_json_line_each() -> None:
    lines = definitions(SPECS).splitlines()
    assert len(lines) == len(SPECS)
    assert '"name": "get_weather"' in lines[0]


def test_choices() -> None:
    assert choice_sentence(None) == choice_sentence("auto") == ""
    assert "at least one" in choice_sentence("required")
    assert "`now`" in choice_sentence({"type": "function", "function": {"name": "now"}})


def test_samples_fit_their_schema() -> None:
    assert sample_call(TOOLS["get_weather"]).arguments == {"city": "some city"}
    assert sample_call(TOOLS["now"]).arguments == {"zone": "some zone"}
    assert sample_value("x", {"enum": ["a", "b"]}) == "a"
    assert sample_value("x", {"type": "integer"}) == 1
    assert sample_value("x", {"type": "array", "items": {"type": "integer"}}) == [1]
    assert sample_value("x", {"type": "object", "properties": {"y": {"type": "boolean"}}}) == {"y": True}
    assert sample_value("x", {"default": 7, "type": "integer"}) == 7
    assert sample_value("x", {"default": False, "type": "boolean"}) is False


def test_shown_lists_are_counted() -> None:
    assert "Several calls" in shown(SPECS, "EXAMPLE", several=True)
    assert "only one call" in shown(SPECS, "EXAMPLE", several=False)
