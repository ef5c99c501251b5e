"""How often a comparison that is looked at while it runs finds what is not there, and what it spares.

    python tests/bench/stopping.py [SIMULATIONS]

10,000 comparisons of two equal targets with five looks each, then as many of a race of three targets, equal and not. The
promise is at most 5 % with any false finding; the interval is Wilson's.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.looking import LOOKS, raced, simulate
from workbench.grading.paired import Word
from workbench.grading.rates import Rate
from workbench.grading.stopping import standing

CASES, REPEATS = 12, 6


def told(what: str, count: int, draws: int) -> None:
    found = Rate(count, draws)
    low, high = found.interval
    print(f"{what:64} {count:6,} of {draws:,} = {100 * count / draws:5.2f} %  ({100 * low:.2f} – {100 * high:.2f})")


def main() -> None:
    draws, dice = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, random.Random(20)
    ended = [simulate(dice, 0.0)[0] in (Word.BETTER, Word.WORSE) for _ in range(draws)]
    told("two equal targets, five looks: a difference is shown", sum(ended), draws)
    looks = [simulate(dice, 0.28) for _ in range(max(1, draws // 20))]
    told("28 points apart: the better one is found", sum(word is Word.BETTER for word, _ in looks), len(looks))
    print(f"{'':64} after {sum(look for _, look in looks) / len(looks):.2f} of {LOOKS} looks")
    for gains in ((0.0, 0.0, 0.0), (0.0, 0.0, 0.3)):
        wrong = spared = right = 0
        for _ in range(draws):
            found = standing(raced(dice, gains, cases=CASES, repeats=REPEATS))
            best = {at for at, gain in enumerate(gains) if gain == max(gains)}
            wrong += bool(best & found.beaten)
            right += not found.needed and not best & found.beaten
            spared += sum(
                REPEATS - max(pair.repeats for pair in found.pairs if at in (pair.a, pair.b)) for at in range(3)
            )
        told(f"race of targets {gains}: one of the best is called worse", wrong, draws)
        told(f"race of targets {gains}: decided within {REPEATS} repeats, and right", right, draws)
        print(f"{'':64} {100 * spared / draws / 3 / REPEATS:.1f} % of the runs spared")


if __name__ == "__main__":
    main()
