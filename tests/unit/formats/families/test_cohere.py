"""The contract of the cohere family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("command_a", "command_r")
