"""A long run of damaged calls: something is given out or told of each that can still be seen; not part of the test suite.

    python tests/fuzz/silence.py --count 200000 --seed 1

The formats take turns; one to three places of a call are lost, doubled, cut, inserted, quoted or fenced. Silent is a reply in
which the format's own marker or a declared tool's name with more than itself is left, and of which nothing is said.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.adversarial import damaged, is_silent

SHOWN = 40


def main() -> int:
    options = argparse.ArgumentParser(description="Damaged calls of which nothing is said.")
    options.add_argument("--count", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    silent = 0
    for one in damaged(range(chosen.count), chosen.seed):
        if is_silent(one):
            silent += 1
            if silent <= SHOWN:
                print(f"{one.spec.id}: {one.raw!r}")
    print(f"{chosen.count:,} damaged calls of seed {chosen.seed}: {silent} silent")
    return 1 if silent else 0


if __name__ == "__main__":
    raise SystemExit(main())
