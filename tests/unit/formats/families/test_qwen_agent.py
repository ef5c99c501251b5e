"""The contract of Qwen-Agent's labels, from its data file."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("qwen_agent")
