"""Seeds: recorded ones stay what they are."""

from __future__ import annotations

from workbench.core.seeds import seed_of


def test_seeds_are_the_same_everywhere() -> None:
    assert seed_of(0, "one", "p/m", 1) == seed_of("0|one|p/m|1") == 421023813
    assert seed_of(0, "\ud800", "p/m", 1) != seed_of(0, "\ud801", "p/m", 1)
