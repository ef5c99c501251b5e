from __future__ import annotations

import pytest

from tests.kit.new_dialects import TOOLS
from workbench.formats.drafting.call_places import call_places


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<<call get_weather {"city": "Rome"}>>', "json"),
        ('[[do]]{"tool": "get_weather", "args": {"city": "Rome"}}', "inside"),
        ('<do>{"get_weather": {"city": "Rome"}}</do>', "json"),
        ("<<call get_weather city :: Rome>>", "pairs"),
        ("#!get_weather --city Rome", "pairs"),
        ("[tool.get_weather]\ncity = Rome", "pairs"),
    ],
)
def test_a_name_and_its_arguments_are_a_call(text: str, kind: str) -> None:
    (place,) = call_places(text, TOOLS)
    assert (place.kind, place.tool.name) == (kind, "get_weather")
    assert text[place.start : place.end] == "get_weather"


@pytest.mark.parametrize(
    "text",
    [
        "get_weather",
        "self.get_weather(city)",
        "The tool get_weather is there for you, and takes the city: a name.",
        "<</get_weather city=Rome>>",
        'get_weather {"town": "Rome"}',
    ],
)
def test_names_without_arguments_of_theirs_are_none(text: str) -> None:
    assert list(call_places(text, TOOLS)) == []


def test_a_name_in_the_arguments_is_no_call_of_its_own() -> None:
    text = '<<call get_weather {"city": "read_file path=x"}>> <<call read_file path=x>>'
    assert [place.tool.name for place in call_places(text, TOOLS)] == ["get_weather", "read_file"]
