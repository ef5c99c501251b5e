"""The contract of the harmony family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("harmony")
