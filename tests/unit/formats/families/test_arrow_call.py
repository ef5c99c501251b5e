"""The contract of calls with arrows, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("arrow_call")
