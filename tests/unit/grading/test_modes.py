from __future__ import annotations

from workbench.core.case import Matching
from workbench.grading.modes import MODES, mode_of


def test_a_mode_is_known_by_its_rules() -> None:
    assert mode_of(MODES["bfcl"]) == "bfcl"
    assert mode_of(Matching()) == ""
