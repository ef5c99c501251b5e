"""The contract of Code World Model, from its data file."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import told

TestFamily = contract("cwm")


@pytest.mark.parametrize(
    ("raw", "calls", "problems"),
    [
        ("<tool: get_weather><tool: get_weather>\nRome\n</tool>", [("get_weather", {"city": "Rome"}, "name_dup")], []),
        ('<tool: get_weather>\n<tool: get_weather>\n{"city": "Rome"}\n</tool>', [("get_weather", {"city": "Rome"}, "name_dup")], []),
        ("<tool: now><tool: now></tool>", [("now", {}, "name_dup")], []),
        ("<tool: get_weather><tool: now>\n</tool>", [("now", {}, "")], ["missing_argument"]),
        ("<tool: now>\n<tool: get_weather>\nRome\n</tool>", [("now", {}, "missing_close_tag"), ("get_weather", {"city": "Rome"}, "")], []),
    ],
)  # fmt: skip
def test_the_tag_of_a_call_right_behind_another_is_no_argument(
    raw: str, calls: list[tuple[str, dict[str, str], str]], problems: list[str]
) -> None:
    found = told("cwm", raw)
    assert [call[:3] for call in found.calls] == calls
    assert [problem[0] for problem in found.problems] == problems
