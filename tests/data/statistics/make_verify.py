"""Make verify.json: intervals of differences between endpoints by scipy and statsmodels, which the tests do not need.

python -m pip install scipy==1.17.1 statsmodels==0.15.0
python tests/data/statistics/make_verify.py > tests/data/statistics/verify.json
"""

from __future__ import annotations

import json
import math
import random

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint


def clustered(rows: list[tuple[int, float, float]]) -> tuple[float, float, int]:
    """Ratio of sums with its cluster-robust error: least squares of a constant, weighted by the denominators."""
    groups, amounts, weights = (np.array(column) for column in zip(*[row for row in rows if row[2]], strict=True))
    fitted = sm.WLS(amounts / weights, np.ones(len(weights)), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    count = len(set(groups.tolist()))
    return float(fitted.params[0]), float(fitted.bse[0]) * math.sqrt(count / (count - 1)), count


def share(rows: list[tuple[int, float, float]]) -> dict[str, float]:
    value, error, clusters = clustered(rows)
    total = sum(row[2] for row in rows)
    effective = clusters if not 0 < value < 1 else min(math.ceil(total), value * (1 - value) / error**2)
    return {"value": value, "effective": effective, "clusters": clusters}


def wilson(found: dict[str, float], factor: float) -> tuple[float, float]:
    low, high = proportion_confint(
        found["value"] * found["effective"], found["effective"], 2 * stats.norm.sf(factor), method="wilson"
    )
    return float(low), float(high)


def newcombe(before: dict[str, float], after: dict[str, float], phi: float, factor: float) -> tuple[float, float]:
    """Method 10 of Newcombe 1998b, written down from the paper's formula."""
    (l1, u1), (l2, u2), p1, p2 = wilson(before, factor), wilson(after, factor), before["value"], after["value"]
    down = math.sqrt((p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2)
    up = math.sqrt((u2 - p2) ** 2 - 2 * phi * (u2 - p2) * (p1 - l1) + (p1 - l1) ** 2)
    return p2 - p1 - down, p2 - p1 + up


def residual_correlation(one: list[tuple[int, float, float]], other: list[tuple[int, float, float]]) -> float:
    def sums(rows: list[tuple[int, float, float]]) -> np.ndarray:
        value = sum(row[1] for row in rows) / sum(row[2] for row in rows)
        found = np.zeros(200)
        for cluster, amount, of in rows:
            found[cluster] += amount - value * of
        return found

    a, b = sums(one), sums(other)
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size else 0.0


def main() -> None:
    """Print the fixture."""
    dice = random.Random(21)
    shares = []
    for clusters, p, q, repeats in (
        (40, 0.9, 0.7, 1),
        (30, 0.5, 0.6, 3),
        (25, 1.0, 0.8, 2),
        (60, 1.0, 1.0, 1),
        (12, 0.3, 0.3, 2),
    ):
        before = [
            (c, float(sum(dice.random() < p for _ in range(2))), 2.0) for c in range(clusters) for _ in range(repeats)
        ]
        after = []
        for c in range(clusters):
            for _ in range(repeats):
                of = dice.choice([0, 1, 1, 2])
                after.append((c, float(sum(dice.random() < q for _ in range(of))), float(of)))
        one, other, phi = share(before), share(after), residual_correlation(before, after)
        level = dice.choice([0.05, 0.1, 0.002])
        factor = float(stats.t.ppf(1 - level / 2, min(one["clusters"], other["clusters"]) - 1))
        shares.append({
            "before": before, "after": after, "level": level, "shares": [one, other], "correlation": phi,
            "interval": newcombe(one, other, phi, factor),
        })  # fmt: skip
    independent = []
    for _ in range(4):
        n, m = dice.randint(20, 90), dice.randint(20, 90)
        a, b = dice.randint(1, n), dice.randint(1, m)
        low, high = confint_proportions_2indep(b, m, a, n, method="newcomb", compare="diff", alpha=0.05)
        independent.append({"before": [a, n], "after": [b, m], "interval": [float(low), float(high)]})
    medians = []
    for count in (7, 12, 35, 90):
        values = [round(dice.gauss(0.2, 1), 3) for _ in range(count)]
        level = dice.choice([0.05, 0.1])
        tested = stats.quantile_test(values, q=0.0, p=0.5)
        ends = tested.confidence_interval(1 - level)
        medians.append(
            {
                "values": values,
                "level": level,
                "p": float(tested.pvalue),
                "interval": [float(ends.low), float(ends.high)],
            }
        )
    ratios = []
    for clusters in (9, 31):
        rows = [[(c, dice.uniform(1, 4), float(dice.choice([1, 1, 2]))) for c in range(clusters)] for _ in range(2)]
        stacked = [(c, a / w, w, side) for side, part in enumerate(rows) for c, a, w in part]
        groups, y, w, side = (np.array(column) for column in zip(*stacked, strict=True))
        fitted = sm.WLS(y, np.column_stack([np.ones(len(y)), side]), weights=w).fit(
            cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
        )
        error = float(fitted.bse[1]) * math.sqrt(clusters / (clusters - 1))
        value = float(fitted.params[1])
        half = float(stats.t.ppf(0.975, clusters - 1)) * error
        ratios.append({"before": rows[0], "after": rows[1], "interval": [value - half, value + half],
                       "p": float(2 * stats.t.sf(abs(value) / error, clusters - 1))})  # fmt: skip
    print(json.dumps({"shares": shares, "independent": independent, "medians": medians, "ratios": ratios}, indent=1))


if __name__ == "__main__":
    main()
