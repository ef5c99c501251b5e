from __future__ import annotations

from dataclasses import replace

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.tools import MockRule, ToolMode, ToolSetup
from workbench.tools.set_diff import FieldChange, ToolChange, diff_sets

ONE, TWO = ToolSetup(WEATHER), ToolSetup(READ_FILE)


def test_nothing_differs_from_itself() -> None:
    assert diff_sets((ONE, TWO), (TWO, ONE)) == ()


def test_added_and_removed_tools_are_told() -> None:
    assert diff_sets((ONE,), (TWO,)) == (ToolChange("read_file", "added"), ToolChange("get_weather", "removed"))


def test_changes_are_told_field_by_field() -> None:
    schema = {**WEATHER.parameters, "properties": {"city": {"type": "string", "description": "Where."}}}
    spec = replace(WEATHER, description="Weather", parameters=schema)
    (change,) = diff_sets((ONE,), (ToolSetup(spec, ToolMode.ASK, MockRule("fixed", 1)),))
    assert change.kind == "changed"
    assert FieldChange(("description",), "Current weather of a city", "Weather") in change.fields
    assert FieldChange(("parameters", "properties", "city", "description"), None, "Where.") in change.fields
    assert FieldChange(("parameters", "properties", "days"), {"type": "integer"}, None) in change.fields
    assert FieldChange(("mode",), ToolMode.MOCK, ToolMode.ASK) in change.fields
    assert FieldChange(("mock", "result"), None, 1) in change.fields
