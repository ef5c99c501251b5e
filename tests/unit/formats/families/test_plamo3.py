"""The contract of PLaMo 3, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("plamo3")
