"""The contract of the qwen3_coder family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("qwen3_coder_xml", "seed_oss")
