"""The contract of the gemma_call family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("functiongemma", "gemma4")
