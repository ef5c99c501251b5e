"""The contract of the arg_pairs family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("hy_v3", "longcat", "solar_open2")
