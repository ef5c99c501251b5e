from __future__ import annotations

import pytest

from workbench.ui.compare.verify.policy_words import policy_lines
from workbench.verify.policy import load_policy, policy_names


@pytest.mark.parametrize("name", policy_names())
def test_every_policy_has_words(name: str) -> None:
    lines = policy_lines(load_policy(name))
    assert len(lines) >= 2
    assert all(line.endswith(".") for line in lines)


def test_default_names_the_noise() -> None:
    assert any("2 times the reference's noise" in line for line in policy_lines(load_policy()))
