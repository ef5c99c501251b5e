"""A marked name, then JSON."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("body", "arguments", "repairs"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}, ()),
        ("{'city': 'Rome'}", {"city": "Rome"}, ("single_quotes",)),
        ('"{\\"city\\": \\"Rome\\"}"', {"city": "Rome"}, ("double_encoded",)),
        ('{"city": "Rome"', {"city": "Rome"}, ("missing_brace",)),
        ('{"city": "Rome"}}', {"city": "Rome"}, ("extra_brace",)),
    ],
)
def test_arguments(body: str, arguments: object, repairs: tuple[str, ...]) -> None:
    raw = f"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{body}<|call|>"
    (call,) = get_format("harmony").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == (arguments, repairs)
    assert call.span.end == len(raw)


def test_nothing_follows() -> None:
    raw = "<|channel|>commentary to=functions.get_weather<|message|>"
    assert [problem.code for problem in get_format("harmony").parse(raw, SPECS).problems] == ["truncated"]
