"""The contract of the llama3 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("llama3_json", "llama31_function")
