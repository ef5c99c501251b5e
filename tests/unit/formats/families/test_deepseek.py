"""The contract of the deepseek family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("deepseek_v3", "deepseek_v31")
