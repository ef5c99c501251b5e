"""The contract of tags that bear the tool's own name, from its data file."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import Drawn, drawn

TestFamily = contract("tool_tags")


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("tool_tags", "stop", True, Drawn("⟦<‹get_weather›>«<x:city>Rome</x:city>»</get_weather>⟧", [("get_weather", {"city": "Rome"}, "name_prefix")])),
        ("tool_tags", "stop", True, Drawn("⟦<‹x:get_weather›>«<y:city>Rome</y:city>»</x:get_weather>⟧", [("get_weather", {"city": "Rome"}, "name_prefix")])),
        ("tool_tags", "stop", True, Drawn("⟦<‹get_weather›>«<city>Rome</city><x:days>3</x:days>»</get_weather>⟧", [("get_weather", {"city": "Rome", "days": 3}, "name_prefix")])),
        ("tool_tags", "stop", True, Drawn("⟦<‹get_weather›>«<x:other>Rome</x:other><city>Rome</city>»</get_weather>⟧", [("get_weather", {"x:other": "Rome", "city": "Rome"}, "")])),
    ],
)  # fmt: skip
def test_parameters_in_a_namespace(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
