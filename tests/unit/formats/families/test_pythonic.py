"""The contract of the pythonic family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("gemma_tool_code", "pythonic", "lfm2", "olmo3", "openfunctions")
