"""Which made call answers which expected one: by sequence alignment, or by best assignment where order is free."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Costs = list[list[float]]
"""Costs of pairing, expected × made: 0 is a full match, under 1 other arguments, `WRONG_TOOL` another tool."""
WRONG_TOOL = 1.5
"""Dearer than other arguments, cheaper than one call missing and one too many."""
SKIP = 1.0


class Pairing(NamedTuple):
    """The result; places are indexes into the two lists."""

    pairs: tuple[tuple[int, int], ...]
    """Expected, made; in the order of the expected ones."""
    displaced: tuple[tuple[int, int], ...]
    """Full matches that stand at another place of the sequence."""
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def pair(costs: Costs, made: int, *, ordered: bool, extra_allowed: bool = False) -> Pairing:
    """Pair with the least cost; `made` is the number of made calls. An allowed extra call costs nothing to leave out."""
    expected = len(costs)
    best = assign(costs, made)
    if not ordered:
        kept = [(e, m) for e, m in best if not (extra_allowed and costs[e][m] >= WRONG_TOOL)]
        return _pairing(kept, [], expected, made)
    perfect = len(best) == expected and all(costs[e][m] == 0 for e, m in best)
    skip_made = 0.01 if extra_allowed else SKIP
    allowed = [[cost if cost == 0 else float("inf") for cost in row] for row in costs] if perfect else costs
    pairs = align(allowed, made, skip_made)
    return _pairing(pairs, _displaced(costs, made, pairs), expected, made)


def _pairing(pairs: list[tuple[int, int]], displaced: list[tuple[int, int]], expected: int, made: int) -> Pairing:
    used_expected = {e for e, _ in pairs + displaced}
    used_made = {m for _, m in pairs + displaced}
    missing = tuple(e for e in range(expected) if e not in used_expected)
    return Pairing(
        tuple(sorted(pairs)), tuple(sorted(displaced)), missing, tuple(m for m in range(made) if m not in used_made)
    )


def _displaced(costs: Costs, made: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Full matches among what the alignment left over."""
    free = [m for m in range(made) if m not in {m for _, m in pairs}]
    found = []
    for e in range(len(costs)):
        if e in {e for e, _ in pairs}:
            continue
        if (match := next((m for m in free if costs[e][m] == 0), None)) is not None:
            free.remove(match)
            found.append((e, match))
    return found


def align(costs: Costs, made: int, skip_made: float = SKIP) -> list[tuple[int, int]]:
    """The cheapest alignment that keeps both orders."""
    expected = len(costs)
    total = [[0.0] * (made + 1) for _ in range(expected + 1)]
    for e in range(expected + 1):
        for m in range(made + 1):
            if e or m:
                total[e][m] = min(_steps(costs, total, e, m, skip_made))
    pairs: list[tuple[int, int]] = []
    e, m = expected, made
    while e or m:
        pairing, skipping_expected, skipping_made = _steps(costs, total, e, m, skip_made)
        cheapest = min(pairing, skipping_expected, skipping_made)
        if pairing == cheapest:
            e, m = e - 1, m - 1
            pairs.append((e, m))
        elif skipping_made == cheapest:
            m -= 1
        else:
            e -= 1
    return pairs[::-1]


def in_order(costs: Costs, made: int, optional: Sequence[bool], *, extra: bool = False) -> list[tuple[int, int]]:
    """Members of a list place by place, where an optional one may have been left out; what is left over stands at the end."""
    expected, nowhere = len(costs), float("inf")
    left = [[0.0 if extra else float(made - m) for m in range(made + 1)]]
    for e in reversed(range(expected)):
        behind = left[0]
        skipped = [behind[m] if optional[e] else behind[m] + SKIP if m == made else nowhere for m in range(made + 1)]
        taken = [costs[e][m] + behind[m + 1] for m in range(made)] + [nowhere]
        left.insert(0, [min(both) for both in zip(skipped, taken, strict=True)])
    pairs, m = [], 0
    for e in range(expected):
        if m < made and left[e][m] == costs[e][m] + left[e + 1][m + 1]:
            pairs.append((e, m))
            m += 1
    return pairs


def _steps(costs: Costs, total: Costs, e: int, m: int, skip_made: float) -> tuple[float, float, float]:
    nowhere = float("inf")
    return (
        total[e - 1][m - 1] + costs[e - 1][m - 1] if e and m else nowhere,
        total[e - 1][m] + SKIP if e else nowhere,
        total[e][m - 1] + skip_made if m else nowhere,
    )


def assign(costs: Costs, made: int) -> list[tuple[int, int]]:
    """The cheapest assignment of as many calls as can be paired (the Hungarian method)."""
    expected = len(costs)
    if not expected or not made:
        return []
    if expected > made:
        turned = [[costs[e][m] for e in range(expected)] for m in range(made)]
        return sorted((e, m) for m, e in assign(turned, expected))
    owner = [0] * (made + 1)  # row of each column, both counted from 1; 0 is nobody
    row_price, column_price = [0.0] * (expected + 1), [0.0] * (made + 1)
    for row in range(1, expected + 1):
        _augment(costs, made, owner, row_price, column_price, row)
    return sorted((owner[column] - 1, column - 1) for column in range(1, made + 1) if owner[column])


def _augment(
    costs: Costs, made: int, owner: list[int], row_price: list[float], column_price: list[float], row: int
) -> None:
    """Find a place for one more row along the cheapest path."""
    owner[0] = row
    least, way, seen = [float("inf")] * (made + 1), [0] * (made + 1), [False] * (made + 1)
    column = 0
    while True:
        seen[column] = True
        here = owner[column]
        for other in range(1, made + 1):
            slack = costs[here - 1][other - 1] - row_price[here] - column_price[other]
            if not seen[other] and slack < least[other]:
                least[other], way[other] = slack, column
        step, following = min((least[other], other) for other in range(1, made + 1) if not seen[other])
        for other in range(made + 1):
            if seen[other]:
                row_price[owner[other]] += step
                column_price[other] -= step
            else:
                least[other] -= step
        column = following
        if not owner[column]:
            break
    while column:
        owner[column], column = owner[way[column]], way[column]
