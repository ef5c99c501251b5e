"""Ten billion replies, on paper: how long re-reading them takes on a cluster, what it costs, and what ends the growth.

python tests/bench/scale.py [--replies N] [--rate REPLIES_PER_CORE_SECOND] [--group REPLIES_PER_PIECE]

Nothing is read. Pieces of a simulated job go to simulated workers as `jobs/dask_cluster.py` hands them out: three a worker ahead,
results taken in order, a lost worker's piece done again. The rate is what `jobs.py` measures here; the scheduler's share of a piece
and the prices are assumptions that can be given.
"""

from __future__ import annotations

import argparse
import heapq
import random
from collections import deque
from typing import NamedTuple

AHEAD = 3
SPREAD = 0.25
"""Pieces take their time give or take a quarter: other replies, other neighbours on the machine."""
WORKERS = (1, 16, 128, 1_024, 4_096, 16_384)


class Job(NamedTuple):
    """What is assumed."""

    replies: int
    rate: float
    group: int
    scheduler_s: float
    lost_an_hour: float
    bytes_each: int
    core_hour: float
    gb_read: float

    @property
    def pieces(self) -> int:
        """How many there are."""
        return -(-self.replies // self.group)


class Outcome(NamedTuple):
    """What a simulated job came to."""

    seconds: float
    busy: float
    """Share of the workers' time in which they work."""
    again: int
    """Pieces that were done twice."""


def simulate(job: Job, workers: int, chance: random.Random, most: int = 200_000) -> Outcome:
    """Hand out the pieces; of a longer job the first `most`, its length in proportion."""
    count = min(job.pieces, max(most, workers * 20))
    alone = job.group / job.rate
    lost = job.lost_an_hour * alone / 3600
    free = [0.0] * workers
    waiting: deque[float] = deque()
    handed = worked = end = 0.0
    again = 0
    for _ in range(count):
        if len(waiting) >= workers * AHEAD:
            handed = max(handed, waiting.popleft())  # the oldest result is taken before the next piece is handed out
        handed += job.scheduler_s
        taken = alone * max(0.1, chance.gauss(1, SPREAD))
        if chance.random() < lost:
            again, taken = again + 1, taken * 1.5
        done = max(heapq.heappop(free), handed) + taken
        heapq.heappush(free, done)
        waiting.append(done)
        worked, end = worked + taken, max(end, done)
    return Outcome(end * job.pieces / count, worked / (end * workers), round(again * job.pieces / count))


def main() -> None:
    """Print one line for each size of a cluster."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--replies", type=float, default=1e10)
    options.add_argument("--rate", type=float, default=7_500, help="replies a core reads in a second")
    options.add_argument("--group", type=int, default=50_000, help="replies of a piece")
    options.add_argument("--scheduler-ms", type=float, default=1.0, help="what the scheduler needs for a piece")
    options.add_argument("--lost", type=float, default=0.01, help="losses of a worker in an hour")
    options.add_argument("--bytes", type=int, default=600, help="of a reply in a compressed file, question and answer")
    options.add_argument("--core-hour", type=float, default=0.04, help="price of a core for an hour")
    options.add_argument("--gb", type=float, default=0.0004, help="price of reading a GB in the same region")
    given = options.parse_args()
    job = Job(
        int(given.replies), given.rate, given.group, given.scheduler_ms / 1000, given.lost, given.bytes, given.core_hour, given.gb
    )  # fmt: skip
    work_h = job.replies / job.rate / 3600
    print(
        f"{job.replies:,} replies, {job.replies * job.bytes_each / 1e12:.1f} TB in {job.pieces:,} pieces, {work_h:,.0f} core hours of work"
    )
    print(f"\n{'cores':>7} {'hours':>9} {'of the cores busy':>18} {'done again':>11} {'cost':>8}")
    for workers in WORKERS:
        found = simulate(job, workers, random.Random(1))
        hours = found.seconds / 3600
        cost = hours * workers * job.core_hour + job.replies * job.bytes_each / 1e9 * job.gb_read
        print(f"{workers:7,} {hours:9,.2f} {found.busy:18.0%} {found.again:11,} {cost:8,.0f}")
    limit = job.group / job.scheduler_s
    print(
        f"\nThe scheduler ends the growth: {limit:,.0f} replies a second, {limit / job.rate:,.0f} cores with pieces of {job.group:,}."
    )


if __name__ == "__main__":
    main()
