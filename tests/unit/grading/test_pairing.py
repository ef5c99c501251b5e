from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.pairing import WRONG_TOOL, align, assign, in_order, pair

COSTS = st.integers(1, 4).flatmap(
    lambda expected: st.integers(1, 5).flatmap(
        lambda made: st.lists(
            st.lists(st.sampled_from([0.0, 0.3, 0.9, WRONG_TOOL]), min_size=made, max_size=made),
            min_size=expected,
            max_size=expected,
        )
    )
)


@given(COSTS)
def test_no_assignment_is_cheaper(costs: list[list[float]]) -> None:
    expected, made = len(costs), len(costs[0])
    found = assign(costs, made)

    assert len(found) == min(expected, made)
    assert len({e for e, _ in found}) == len({m for _, m in found}) == len(found)
    if expected <= made:
        best = min(sum(costs[e][m] for e, m in enumerate(order)) for order in permutations(range(made), expected))
    else:
        best = min(sum(costs[e][m] for m, e in enumerate(order)) for order in permutations(range(expected), made))
    assert sum(costs[e][m] for e, m in found) <= best + 1e-9


@given(COSTS)
def test_an_alignment_keeps_both_orders(costs: list[list[float]]) -> None:
    found = align(costs, len(costs[0]))

    assert found == sorted(found)
    assert len({m for _, m in found}) == len(found)
    assert [m for _, m in found] == sorted(m for _, m in found)


@given(COSTS, st.booleans(), st.booleans())
def test_every_call_has_one_place(costs: list[list[float]], ordered: bool, extra: bool) -> None:
    made = len(costs[0])
    found = pair(costs, made, ordered=ordered, extra_allowed=extra)

    both = [*found.pairs, *found.displaced]
    assert sorted([e for e, _ in both] + list(found.missing)) == list(range(len(costs)))
    assert sorted([m for _, m in both] + list(found.extra)) == list(range(made))


def test_swapped_calls_are_one_moved_call() -> None:
    found = pair([[0.9, 0.0], [0.0, 0.9]], 2, ordered=True)

    assert len(found.pairs) == len(found.displaced) == 1
    assert not found.missing
    assert not found.extra


def test_swapped_calls_are_fine_in_any_order() -> None:
    assert pair([[0.9, 0.0], [0.0, 0.9]], 2, ordered=False).pairs == ((0, 1), (1, 0))


def test_another_tool_in_the_place_of_the_right_one_is_a_pair() -> None:
    assert pair([[WRONG_TOOL]], 1, ordered=True).pairs == ((0, 0),)


def test_other_tool_is_an_extra_call() -> None:
    for ordered in (True, False):
        found = pair([[WRONG_TOOL]], 1, ordered=ordered, extra_allowed=True)
        assert (found.pairs, found.missing, found.extra) == ((), (0,), (0,))


def test_nothing_expected_or_nothing_made() -> None:
    assert pair([], 2, ordered=True).extra == (0, 1)
    assert pair([[], []], 0, ordered=False).missing == (0, 1)


@pytest.mark.parametrize(
    ("costs", "made", "optional", "extra", "pairs"),
    [
        ([[0, 1], [1, 1], [1, 0]], 2, [False, True, False], False, [(0, 0), (2, 1)]),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], 3, [False, True, False], False, [(0, 0), (1, 1), (2, 2)]),
        ([[0, 1], [1, 1]], 2, [False, True], True, [(0, 0)]),
        ([[1], [0]], 1, [True, False], False, [(1, 0)]),
        ([[0]], 1, [False], False, [(0, 0)]),
        ([[0], [1]], 1, [False, False], False, [(0, 0)]),
        ([], 2, [], False, []),
    ],
)
def test_an_optional_member_leaves_its_place_to_the_next(
    costs: list[list[float]], made: int, optional: list[bool], extra: bool, pairs: list[tuple[int, int]]
) -> None:
    assert in_order(costs, made, optional, extra=extra) == pairs
