from __future__ import annotations

from workbench.grading.ranks import RankRange, rank_ranges

CASES = [f"c{place}" for place in range(12)]


def test_a_clear_order_has_sharp_ranks() -> None:
    scores = [[0.9] * 12, [0.5] * 12, [0.1] * 12]

    assert rank_ranges(scores, CASES) == (RankRange(1, 1), RankRange(2, 2), RankRange(3, 3))


def test_equals_share_their_places() -> None:
    assert rank_ranges([[0.5] * 12, [0.5] * 12], CASES) == (RankRange(1, 2), RankRange(1, 2))


def test_undecided_ranks_are_ranges() -> None:
    scores = [[1.0, 0.0] * 6, [0.0, 1.0] * 6, [0.0] * 12]
    first, second, third = rank_ranges(scores, CASES)

    assert first == second == RankRange(1, 2)
    assert third == RankRange(3, 3)
    assert (str(first), str(third)) == ("1–2", "3")


def test_nothing_is_known_without_cases() -> None:
    assert rank_ranges([[], []], []) == (RankRange(1, 2), RankRange(1, 2))
