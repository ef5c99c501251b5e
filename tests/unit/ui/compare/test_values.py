from __future__ import annotations

import pytest

from workbench.ui.compare.values import (
    BatchChoice,
    Moved,
    ProgressLine,
    ProgressView,
    TaxLine,
    duration_words,
)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (40, "40 s"), (150, "2 min"), (3600, "1 h 00 min"), (4800, "1 h 20 min")]
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_progress_in_words() -> None:
    assert ProgressView("running", 37, 120, 4, 2, 150.0).words == (
        "37 of 120 runs · 4 running · 2 errors · about 2 min left"
    )
    assert ProgressView("paused", 37, 120, left_s=10.0).words == "37 of 120 runs · paused"
    assert ProgressView("running", 3, 9, cost=0.01234).words == "3 of 9 runs · cost 0.01234"
    assert ProgressView("running", 3, 9, cost=0.5, max_cost=2).words == "3 of 9 runs · cost 0.5 of 2"
    assert ProgressLine("one", 3, 1, 0, 0, 6, 2).total == 10


def test_an_unfinished_batch_offers_to_go_on() -> None:
    assert BatchChoice("id", "demo", "", 37, 1200, True).resume_words == "Resume 37 of 1,200"


def test_directions_and_points() -> None:
    assert Moved("case", (1, 5), (4, 10)).up
    assert not Moved("case", (3, 3), (5, 6)).up
    assert TaxLine("react", 0.66, 0.83, 100).points == 17
