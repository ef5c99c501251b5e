"""Two batches of the same suite side by side: which targets, cases and verdicts are no longer what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.counts import fisher
from workbench.grading.matrix import case_rates, labels
from workbench.grading.multiplicity import benjamini_hochberg
from workbench.grading.rates import Rate
from workbench.grading.regression import Regression, regressions, same_cases

if TYPE_CHECKING:
    from workbench.core.batch import Batch


class Flip(NamedTuple):
    """A case and target whose rate changed from one batch to the other."""

    case_id: str
    target: int
    """Its place in the later batch."""
    before: Rate
    after: Rate
    p: float
    """Fisher's exact test, adjusted for the number of cells that changed (Benjamini–Hochberg)."""
    whole: bool
    """From none to all of the runs, or the other way round."""

    @property
    def up(self) -> bool:
        """The later batch does better."""
        return self.after.passed * self.before.runs > self.before.passed * self.after.runs


class BatchDifference(NamedTuple):
    """The later batch against the earlier one."""

    common: tuple[tuple[int, str], ...]
    """Targets of both, by their place in the later one."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    changed: tuple[str, ...]
    """Cases that do not ask or expect the same in both, or stand in one alone: left out."""
    flips: tuple[Flip, ...]
    """Whole flips first, then the largest change."""
    moves: tuple[Regression, ...]
    """Each common target in a sentence."""

    @property
    def words(self) -> str:
        """`8 cells changed: 0 up, 8 down; 3 of them whole flips`."""
        count, whole = len(self.flips), sum(one.whole for one in self.flips)
        told = f"{count} cell{'' if count == 1 else 's'} changed: {self.up} up, {self.down} down"
        return (
            f"{told}; {whole} of them {'a whole flip' if whole == 1 else 'whole flips'}" if count else "no cell changed"
        )

    @property
    def up(self) -> int:
        """Cells that do better now."""
        return sum(one.up for one in self.flips)

    @property
    def down(self) -> int:
        """Cells that do worse now."""
        return len(self.flips) - self.up


def difference(before: Batch, after: Batch) -> BatchDifference:
    """Hold two batches against each other, over the targets and cases that both have."""
    old = {target.identity(): place for place, target in enumerate(before.spec.targets)}
    new = {target.identity(): place for place, target in enumerate(after.spec.targets)}
    same, told = same_cases(after, before), labels(after.spec.targets)
    found = []
    for identity, place in new.items():
        if identity not in old:
            continue
        rates = {one.case_id: one.rate for one in case_rates(before, old[identity])}
        found += [
            (one.case_id, place, rates[one.case_id], one.rate)
            for one in case_rates(after, place)
            if one.case_id in same and one.rate.runs and rates[one.case_id].runs
            and one.rate.passed * rates[one.case_id].runs != rates[one.case_id].passed * one.rate.runs
        ]  # fmt: skip
    chances = benjamini_hochberg([fisher(one, other) for _, _, one, other in found])
    flips = [
        Flip(case, place, one, other, p, abs(one.passed / one.runs - other.passed / other.runs) == 1)
        for (case, place, one, other), p in zip(found, chances, strict=True)
    ]
    ids = {case.id for batch in (before, after) for case in batch.spec.cases}
    return BatchDifference(
        tuple((place, told[place]) for identity, place in new.items() if identity in old),
        tuple(label for label, target in zip(labels(before.spec.targets), before.spec.targets, strict=True)
              if target.identity() not in new),
        tuple(told[place] for identity, place in new.items() if identity not in old),
        tuple(sorted(ids - same)),
        tuple(sorted(flips, key=lambda one: (not one.whole, -_size(one), one.case_id, one.target))),
        regressions(after, before),
    )  # fmt: skip


def _size(flip: Flip) -> float:
    return abs(flip.after.passed / flip.after.runs - flip.before.passed / flip.before.runs)
