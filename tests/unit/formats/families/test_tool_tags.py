"""The contract of tags that bear the tool's own name, from its data file."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import Drawn, drawn, told

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


DATA = "Use:\n<write_file>\n<path>x</path>\n<content>y</content>\n</write_file>"


@pytest.mark.parametrize(
    ("body", "content", "repairs"),
    [
        ("<content><content>x</content>", "x", "near_miss_tag"),
        ("<content>\n<content>\nx\n</content>", "x", "near_miss_tag"),
        (f"<content><content>{DATA}</content>", DATA, "near_miss_tag"),
        (f"<content>{DATA}</content>", DATA, ""),
        ("<content><content>x</content></content>", "<content>x</content>", ""),
        ("<content>x <content> y</content>", "x <content> y", ""),
    ],
)
def test_an_opening_tag_that_is_written_twice_is_no_part_of_the_value(body: str, content: str, repairs: str) -> None:
    (call,) = told("tool_tags", f"<write_file>\n<path>a</path>\n{body}\n</write_file>").calls
    assert call[1:3] == ({"path": "a", "content": content}, repairs)
