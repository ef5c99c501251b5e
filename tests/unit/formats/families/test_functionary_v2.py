"""The contract of the functionary_v2 family, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("functionary_v2")
