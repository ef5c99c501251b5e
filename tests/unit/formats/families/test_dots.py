from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("dots")
