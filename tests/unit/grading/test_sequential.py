from __future__ import annotations

import random

import pytest

from tests.kit.looking import LOOKS, simulate
from workbench.grading.paired import Word
from workbench.grading.sequential import decided, look_level, rule


def test_all_looks_together_spend_at_most_the_level() -> None:
    assert look_level(1) == 0.025
    assert sum(look_level(look) for look in range(1, 10_000)) == pytest.approx(0.05, abs=1e-5)
    assert rule() == "the k-th look decides at 0.05 / (k (k + 1))"
    with pytest.raises(ValueError, match="counted from 1"):
        look_level(0)


def test_false_findings_stay_under_the_level_at_any_look(request: pytest.FixtureRequest) -> None:
    dice, draws = random.Random(4), 10_000 if request.config.getoption("--long") else 800
    false = sum(simulate(dice, 0.0)[0] in (Word.BETTER, Word.WORSE) for _ in range(draws))

    assert false / draws <= 0.05


def test_a_large_difference_ends_the_run_early() -> None:
    dice = random.Random(8)
    ended = [simulate(dice, 0.28) for _ in range(60)]

    assert sum(word is Word.BETTER for word, _ in ended) >= 50
    assert not any(word is Word.WORSE for word, _ in ended)
    assert sum(look for _, look in ended) / len(ended) < LOOKS - 1


def test_nothing_in_common_goes_on() -> None:
    assert decided(None, 1) is None
