"""Make paired.json: p values and intervals of paired differences by scipy and statsmodels, which the tests do not need.

python -m pip install scipy==1.17.1 statsmodels==0.15.0
python tests/data/statistics/make_paired.py > tests/data/statistics/paired.json
"""

from __future__ import annotations

import json
import random

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep


def sign_flip_p(differences: np.ndarray) -> float:
    """Exact two-sided randomisation test of a mean of 0."""
    return float(
        stats.permutation_test(
            (differences,), lambda values, axis: np.abs(values.mean(axis=axis)),
            permutation_type="samples", n_resamples=np.inf, vectorized=True, alternative="greater",
        ).pvalue
    )  # fmt: skip


def cluster_t(differences: np.ndarray, groups: np.ndarray, level: float) -> dict[str, object]:
    """Ordinary least squares on a constant with cluster-robust errors."""
    fitted = sm.OLS(differences, np.ones(len(differences))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    low, high = fitted.conf_int(level)[0]
    return {"p": float(fitted.pvalues[0]), "low": float(low), "high": float(high)}


def main() -> None:
    """Print the fixture."""
    dice = random.Random(20)
    flips, t, newcombe = [], [], []
    for count in (6, 7, 9, 12, 13):
        # odd denominators: no two sums of signs are equal, where floating point and integers could differ
        counts = [(dice.randint(0, 7), dice.randint(0, 11)) for _ in range(count)]
        differences = np.array([after / 11 - before / 7 for before, after in counts])
        shifts = [round(dice.uniform(-0.5, 0.5), 3) for _ in range(4)]
        flips.append({
            "counts": counts, "runs": [7, 11], "p": sign_flip_p(differences),
            "p_at": [[shift, sign_flip_p(differences - shift)] for shift in shifts],
        })  # fmt: skip
    for cases, clusters in ((20, 20), (40, 20), (60, 25), (33, 30)):
        counts = [(dice.randint(0, 10), dice.randint(2, 10)) for _ in range(cases)]
        groups = [case % clusters for case in range(cases)]
        level = dice.choice([0.05, 0.01, 0.1])
        differences = np.array([(after - before) / 10 for before, after in counts])
        t.append(
            {"counts": counts, "groups": groups, "level": level, **cluster_t(differences, np.array(groups), level)}
        )
    for _ in range(12):
        first, second = dice.randint(3, 30), dice.randint(3, 30)
        passed = (dice.randint(0, first), dice.randint(0, second))
        level = dice.choice([0.05, 0.01, 0.1])
        low, high = confint_proportions_2indep(
            passed[1], second, passed[0], first, compare="diff", method="newcomb", alpha=level
        )
        newcombe.append({
            "before": [passed[0], first], "after": [passed[1], second], "level": level, "low": float(low), "high": float(high),
        })  # fmt: skip
    print(json.dumps({"sign_flip": flips, "cluster_t": t, "newcombe": newcombe}, indent=1))


if __name__ == "__main__":
    main()
