"""The contract of the kimi_k2 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("kimi_k2")
