"""The contract of the json_lists family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract(
    "minimax_m1",
    "tool_calls_json",
    "granite",
    "granite_20b",
    "phi4_functools",
    "internlm",
    "nemotron_toolcall",
    "apertus",
    "gigachat3",
    "openpangu",
    "inkling",
)
