"""The contract of the mistral family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("mistral_json", "mistral_args")
