"""Names of tools out of calls, where nobody says which tools there were."""

from __future__ import annotations

import pytest

from workbench.app.pasted_names import supposed_tools


@pytest.mark.parametrize(
    "text",
    [
        'court\n<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n</invoke>',
        '<invoke id="1" name=get_weather>',
        "I look.\n<function=get_weather>\n<parameter=city>",
        'Sure. {"name": "get_weather", "arguments": {"city": "Rome"}}',
        '[{"tool_name": "get_weather", "tool_args": {"city": "Rome"}}]',
        "<get_weather><city>Rome</city></get_weather>",
        'get_weather(city="Rome")',
        '```python\nget_weather(city="Rome", days=2)\n```',
        "get_weather()",
        'Thought: I look.\n```py\nget_weather(city="Rome")\n```\nThen I answer.',
    ],
)
def test_names_of_what_is_called(text: str) -> None:
    assert [tool.name for tool in supposed_tools(text)] == ["get_weather"]


def test_several_names_once_each() -> None:
    text = "".join(f'<invoke name="{name}">' for name in ("a", "b", "a", *(f"c{number}" for number in range(20))))
    assert [tool.name for tool in supposed_tools(text)][:3] == ["a", "b", "c0"]
    assert len(supposed_tools(text)) == 8


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Call me (later).",
            "<p><b>fine</b></p>",
            "<html><body>x</body></html>",
            "see f(x) and g(y)",
            '{"name": "Rome"}',
        ),
        *("<tool_calls><tool_call>f</tool_call></tool_calls>", "<think>\n<b>x</b></think>"),
        "for i in range(10):\n    print(i)",
        "print('hello')",
    ],
)
def test_other_texts_name_no_tools(text: str) -> None:
    assert supposed_tools(text) == ()
