"""The contract of tags that bear the tool's own name, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("tool_tags")
