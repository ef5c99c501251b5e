"""The contract of the native_openai family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("native_openai")
