"""The contract of the arg_pairs family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import told

TestFamily = contract("hy_v3", "longcat", "solar_open2")


def test_pairs_with_a_suffix_behind_a_broken_tag_are_told() -> None:
    pairs = "<arg_key:x>city</arg_key:x><arg_value:x>Oslo</arg_value:x>"
    raw = f"<tool_calls:x><tool_call:xget_weather{pairs}</tool_call:x><tool_call:x>now</tool_call:x></tool_calls:x>"
    found = told("hy_v3", raw)
    assert [call[0] for call in found.calls] == ["now"]
    assert [problem[0] for problem in found.problems] == ["unread_call"]


def test_a_value_of_solar_that_holds_the_token_behind_one_is_no_sure_one() -> None:
    value = "<|tool_arg:start|>city<|tool_arg:value|>Rome<|tool_arg:end|>days3<|tool_arg:end|>"
    found = told("solar_open2", f"<|tool_call:start|>get_weather{value}<|tool_call:end|>")
    assert [call[2] for call in found.calls] == ["open_value"]
    assert [problem[0] for problem in found.problems] == ["absorbed_parameter"]
