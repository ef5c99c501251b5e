"""The contract of the kimi_k3 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("kimi_k3")
