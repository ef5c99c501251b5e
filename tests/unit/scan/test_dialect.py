from __future__ import annotations

import pytest

from tests.kit.scanning import WEATHER
from workbench.scan.dialect import unknown_markup


@pytest.mark.parametrize(
    "call",
    [
        "<<<get_weather || city :: Rome >>>", "<<call get_weather {city: Rome}>>", "@@get_weather(city=Rome)@@", "<|act|>get_weather<|args|>city=Rome<|end|>",
        "«get_weather city=Rome»", "{{#tool get_weather city='Rome'}}", "<get_weather city='Rome'/>", "[[get_weather|city=Rome]]", "CALL get_weather WITH city=Rome",
        "get_weather\n  city: Rome", '<fn name="get_weather">{"city": "Rome"}</fn>', '<do>{"get_weather": {"city": "Rome"}}</do>',
        "#!get_weather --city Rome #!end", "§call get_weather city=Rome", "[[call:get_weather]][[param:city]]Rome[[/param]][[/call]]",
        'TOOL_CALL: {"tool": "get_weather", "args": {"city": "Rome"}}', "[call]\ntool = get_weather\ncity = Rome\n[end]",
        "[get_weather]\ncity = Rome\ndays = 3", "* Tool: get_weather\n* city: Rome", "- **function name**: get_weather\n  - **city**: Rome",
        "name: get_weather\ncity: Rome",
    ],
)  # fmt: skip
def test_markup_that_nobody_knows(call: str) -> None:
    text = f"I look.\n{call}\n\nThen I tell."
    (found,) = unknown_markup(text, (WEATHER,))
    assert (text[found.span.start : found.span.end], found.tool) == (call, "get_weather")


@pytest.mark.parametrize(
    "text",
    [
        "get_weather takes city: a text.", "`get_weather city=Rome` is how.", "```\n<<get_weather city=Rome>>\n```", "x = get_weather(city='Rome')",
        "print(get_weather(city='Rome'))", "def get_weather(city=None):", "For example: <<get_weather city=Rome>>", "> <<get_weather city=Rome>>",
        "[link](x) get_weather city: Rome", "<div>\nawait get_weather({city: 'Rome'})", "assert self.get_weather(city='Rome')",
        '{"name": "get_weather", "properties": {"city": 1}}', "<<get_weather>> has no arguments", "name: get_weather\ndescription: city: x",
        "* Tool: get_weather\n* It takes a city.", "Tool: get_weather\n\ncity: Rome", "[get_weather]\nWeather in Rome.", "```ini\n[get_weather]\ncity = Rome\n```", "I call get_weather with city=Rome.",
    ],
)  # fmt: skip
def test_code_talk_and_definitions_are_left_alone(text: str) -> None:
    assert list(unknown_markup(text, (WEATHER,))) == []


def test_a_fence_that_is_said_to_be_a_call_is_no_code() -> None:
    assert list(unknown_markup('I look.\n```call get_weather\n{"city": "Rome"}\n```', (WEATHER,)))
    assert not list(unknown_markup('I look.\n```json get_weather\n{"city": "Rome"}\n```', (WEATHER,)))
