"""The contract of the plain_json family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("function_calls_json", "bare_json")
