"""The contract of the glm family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import contract

TestFamily = contract("glm45", "glm47", "glm4_legacy")
