"""The contract of the invoke family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import told

TestFamily = contract("deepseek_dsml", "minimax_m2", "anthropic_xml", "step3", "minicpm5")


BEGIN, SEP, END = "<｜tool_call_begin｜>", "<｜tool_sep｜>", "<｜tool_call_end｜>"
CALL = f'{BEGIN}function{SEP}<steptml:invoke name="now"></steptml:invoke>{END}'
OTHER = f"{BEGIN}code{SEP}x = 1{END}"


@pytest.mark.parametrize(
    ("entries", "calls", "problems"),
    [
        (OTHER + CALL, ["now"], ["bad_json"]),
        (CALL + OTHER + CALL, ["now", "now"], ["bad_json"]),
        (OTHER + OTHER + CALL, ["now"], ["bad_json", "bad_json"]),
        (f"{BEGIN}code{SEP}{END}{CALL}", ["now"], ["bad_json"]),
        (OTHER, [], ["bad_json"]),
        (CALL + CALL, ["now", "now"], []),
    ],
)
def test_an_entry_of_step3_that_is_no_call_loses_itself_alone(
    entries: str, calls: list[str], problems: list[str]
) -> None:
    found = told("step3", f"<｜tool_calls_begin｜>{entries}<｜tool_calls_end｜>")
    assert [(call[0], call[2]) for call in found.calls] == [(name, "") for name in calls]
    assert ([problem[0] for problem in found.problems], found.text) == (problems, "")
