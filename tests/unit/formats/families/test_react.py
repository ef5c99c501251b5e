"""The contract of the react family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("react")
