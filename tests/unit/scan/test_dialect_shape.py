"""How a call is written, without its values."""

from __future__ import annotations

import pytest

from workbench.scan.dialect_shape import shape_of


@pytest.mark.parametrize(
    ("text", "tool", "shape"),
    [
        ("<<call get_weather city :: Rome>>", "get_weather", "<<call NAME … >>"),
        ("<<call read_file path :: a/b.txt>>", "read_file", "<<call NAME … >>"),
        ("{{#tool get_weather city='New Oslo' days=3}}", "get_weather", "{{#tool NAME … }}"),
        ('<<use get_weather {"city": "Rome"}>>', "get_weather", "<<use NAME … >>"),
        ('<<use get_weather {"a": {"b": [1]}}>>', "get_weather", "<<use NAME … >>"),
        ("<~run:get_weather>city=Rome</~run>", "get_weather", "<~run:NAME … </~run>"),
        ("CALL get_weather WITH city=Rome", "get-weather", "CALL NAME …"),
        ("nothing of it", "get_weather", ""),
    ],
)
def test_the_way_of_writing_has_no_values(text: str, tool: str, shape: str) -> None:
    assert shape_of(text, tool) == shape
