"""The contract of the native_openai family, from its data files, and lists that may be calls."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from workbench.formats import get_format

TestFamily = contract("native_openai")


@pytest.mark.parametrize(
    ("raw", "called"),
    [
        ('[{"name": "John", "age": 5}]', []),
        ('[{"name": "Paris"}, {"name": "Rome"}]', []),
        ('[{"name": "now", "arguments": {}}]', ["now"]),
        ('[{"type": "function", "name": "now"}]', ["now"]),
        ('[{"function": {"name": "now"}}]', ["now"]),
    ],
)
def test_a_list_of_names_is_no_list_of_calls_without_tools(raw: str, called: list[str]) -> None:
    found = get_format("native_openai").parse(raw)
    assert [call.name for call in found.calls] == called
    assert found.text == ("" if called else raw)
