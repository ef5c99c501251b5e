"""The contract of the invoke family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("deepseek_dsml", "minimax_m2", "anthropic_xml", "step3", "minicpm5")
