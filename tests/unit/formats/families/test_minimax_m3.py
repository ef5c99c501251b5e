"""The contract of the minimax_m3 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("minimax_m3")
