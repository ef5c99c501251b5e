"""The contract of the deepseek family, from its data files; every beginning of its tokens, in any glyphs, is held back."""

from __future__ import annotations

import re

import pytest

from tests.kit.parser_contract import TOOLS, contract
from workbench.core.calls import ParseResult
from workbench.formats import get_format
from workbench.formats.families.deepseek import deepseek_hold

TestFamily = contract("deepseek_v3", "deepseek_v31")


@pytest.mark.parametrize(
    "token", ["<｜tool▁calls▁begin｜>", "<|tool_call_begin|>", "<||tool▁sep||>", "<‖tool calls end‖>"]
)
def test_prefixes(token: str) -> None:
    hold = re.compile(deepseek_hold())
    for size in range(1, len(token)):
        assert hold.fullmatch(token[:size]), token[:size]


def test_other_text_is_not_held() -> None:
    assert re.compile(deepseek_hold()).fullmatch("<b") is None


@pytest.mark.parametrize("body", ['{"ty": "Rome"}', "[1]", '"x"', "{x}", ""])
def test_hidden_head_before_json_is_read_or_told(body: str) -> None:
    def read(label: str) -> ParseResult:
        return get_format("deepseek_v3").parse(
            f"functionget_weather\n```{label}\n{body}", tuple(TOOLS.values()), "stop"
        )

    told = read("json")
    assert told.calls or told.lost
    assert read("python").calls == ()
