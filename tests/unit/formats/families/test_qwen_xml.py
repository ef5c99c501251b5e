"""The contract of the qwen_xml family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("qwen_xml")
