"""The contract of the generic_xml family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("generic_xml")
