"""The contract of the json_scaffold family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("json_scaffold")
