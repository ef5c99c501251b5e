"""The contract of the gemma_function family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("gemma_function")
