"""The contract of the dspy family, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("dspy")
