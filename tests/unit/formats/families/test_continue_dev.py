"""The contract of Continue's format, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("continue_dev")
