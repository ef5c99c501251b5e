"""How much longer a larger input takes: a ratio, so that it says the same on every machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

_SHORTEST_S = 0.002
"""What takes less is measured as this: below it the clock and the allocator speak louder than the work."""


def growth(work: Callable[[int], object], small: int, times: int = 4) -> float:
    """How many times longer `work(small * times)` takes than `work(small)`: about `times` where it is linear.

    CPU time of this process, the best of three: what else the machine does does not count.
    """

    def took(size: int) -> float:
        best = float("inf")
        for _ in range(3):
            begin = time.process_time()
            work(size)
            best = min(best, time.process_time() - begin)
        return max(best, _SHORTEST_S)

    gc.collect()
    gc.freeze()  # what earlier tests left behind is not walked again and again
    try:
        return took(small * times) / took(small)
    finally:
        gc.unfreeze()
