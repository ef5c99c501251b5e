"""Two targets of a batch in a sentence, and the cases that moved. Many pairs at once pay for their number."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.counts import fisher
from workbench.grading.honesty import not_comparable, samples_of
from workbench.grading.matrix import case_rates
from workbench.grading.multiplicity import benjamini_hochberg, holm, holm_levels
from workbench.grading.paired import LEVEL, MARGIN, CasePair, PairedDifference, Word, paired_difference, sentence
from workbench.grading.stopping import first_repeats, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.core.target import Target
    from workbench.grading.rates import Rate
    from workbench.grading.stopping import PairLook
    from workbench.grading.suite import CaseRate


MOST_PAIRS = 190
"""Beyond so many pairs of targets each that is asked for is paid for by their number, without a look at the others."""


class Moved(NamedTuple):
    """A case whose rate is not the same with both targets."""

    case_id: str
    before: Rate
    after: Rate
    p: float
    """Fisher's exact test, adjusted for the number of moved cases (Benjamini–Hochberg)."""

    @property
    def up(self) -> bool:
        """B does better."""
        return self.after.passed * self.before.runs > self.before.passed * self.after.runs

    @property
    def shown(self) -> bool:
        """More than a chance move; mostly it is not."""
        return self.p < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Target B against target A, paired by case."""

    a: int
    b: int
    found: PairedDifference | None
    """None without a case that both were judged on."""
    moved: tuple[Moved, ...]
    """Largest move first."""
    adjusted_p: float
    """Holm over all comparisons shown together."""
    comparisons: int = 1
    """How many those are."""
    warnings: tuple[str, ...] = ()
    """Why the two are not comparable."""
    look: str = ""
    """Which look of a stopping rule speaks, in words; empty where all repeats are looked at once."""

    @property
    def word(self) -> Word:
        """What may be said of B; nothing where the two are not comparable."""
        return self.found.word if self.found is not None and not self.warnings else Word.CANNOT_TELL

    @property
    def shown(self) -> bool:
        """There is a difference, as far as these runs can tell."""
        return self.word in (Word.BETTER, Word.WORSE)

    @property
    def points(self) -> float:
        """B minus A in percentage points; 0 where nothing is known."""
        return 100 * self.found.value if self.found else 0.0

    @property
    def low(self) -> float:
        """Lower end of the interval, points."""
        return 100 * self.found.low if self.found else -100.0

    @property
    def high(self) -> float:
        """Upper end of the interval, points."""
        return 100 * self.found.high if self.found else 100.0

    def sentence(self, a: str = "A", b: str = "B") -> str:
        """`B is better than A by 6 points (paired, 95 %: +1 to +11). 9 cases moved up, 4 down.`"""
        if self.found is None and self.look:
            return f"{b} against {a}: {self.look}"
        if not self.warnings or self.found is None:
            return f"{sentence(self.found, a, b)} {self.look}".rstrip()
        return f"{b} against {a}: not comparable: {', '.join(self.warnings)} differs."

    def among(self, comparisons: int) -> Comparison:
        """The same as one of so many that might have been picked: Bonferroni, which needs none of the others."""
        if self.look:  # a rule has paid for all pairs already
            return self
        if self.found is None:
            return replace(self, comparisons=comparisons)
        p = min(1.0, self.found.p * comparisons)
        return replace(self, found=self.found.at(LEVEL / comparisons), adjusted_p=p, comparisons=comparisons)


def pair_count(batch: Batch) -> int:
    """How many pairs of targets could be picked."""
    return math.comb(len(batch.spec.targets), 2)


def compare(batch: Batch, a: int, b: int, *, margin: float = MARGIN) -> Comparison:
    """Target `b` against target `a` of one batch; `margin` is what counts as the same, as a share of 1.

    Where the batch has a stopping rule, the rule's margin and levels hold.
    """
    if batch.spec.stopping is not None:
        return next(_looked(batch, pair, a, b) for pair in standing(batch).pairs if {pair.a, pair.b} == {a, b})
    return _compare(batch, a, b, case_rates(batch, a), case_rates(batch, b), margin)


def _compare(
    batch: Batch, a: int, b: int, before: Sequence[CaseRate], after: Sequence[CaseRate], margin: float
) -> Comparison:
    pairs = [CasePair(one.case_id, one.cluster, one.rate, other.rate) for one, other in zip(before, after, strict=True)]
    found = paired_difference(pairs, margin=margin, seed=batch.spec.seed)
    differs = not_comparable(samples_of(batch, a), samples_of(batch, b), ("model", "wrapper", "match", "tools", "case"))
    return Comparison(a, b, found, _moved(pairs), found.p if found else 1.0, warnings=differs)


def _looked(batch: Batch, pair: PairLook, a: int, b: int) -> Comparison:
    """A pair as the last look saw it; `a` and `b` are its two, in the order asked for."""
    rule, pairs = batch.spec.stopping, pair_count(batch)
    assert rule is not None
    part = first_repeats(batch, pair.repeats)
    made = _compare(part, a, b, case_rates(part, a), case_rates(part, b), rule.margin)
    if made.found is None or pair.found is None:
        return replace(made, found=None, comparisons=pairs, look="no look was made yet.")
    how = "Decided at" if pair.word is not Word.CANNOT_TELL else "After"
    repeats = "1 repeat" if pair.repeats == 1 else f"{pair.repeats} repeats"
    return replace(
        made, found=made.found.at(pair.level), adjusted_p=min(1.0, made.found.p * rule.level / pair.level),
        comparisons=pairs, look=f"{how} look {pair.look}, {repeats}.",
    )  # fmt: skip


def _moved(pairs: list[CasePair]) -> tuple[Moved, ...]:
    moved = [pair for pair in pairs if pair.before.runs and pair.after.runs and pair.difference]
    adjusted = benjamini_hochberg([fisher(pair.before, pair.after) for pair in moved])
    found = [Moved(pair.case_id, pair.before, pair.after, p) for pair, p in zip(moved, adjusted, strict=True)]
    size = {pair.case_id: abs(pair.difference) for pair in moved}
    return tuple(sorted(found, key=lambda item: -size[item.case_id]))


def compare_all(batch: Batch, *, margin: float = MARGIN) -> tuple[Comparison, ...]:
    """Every pair of targets, the earlier one as A; each interval at the level that Holm holds its p value against.

    Of targets that are asked in several ways, those pairs that differ in one thing: the target or the way.

    Where the batch has a stopping rule, every pair is as its last look saw it.
    """
    if batch.spec.stopping is not None:
        return tuple(_looked(batch, pair, pair.a, pair.b) for pair in standing(batch).pairs)
    rates = [case_rates(batch, target) for target in range(len(batch.spec.targets))]
    asked = [
        (a, b) for a, b in combinations(range(len(rates)), 2) if _asked(*(batch.spec.targets[at] for at in (a, b)))
    ]
    pairs = [_compare(batch, a, b, rates[a], rates[b], margin) for a, b in asked]
    chances = [pair.adjusted_p for pair in pairs]
    return tuple(
        replace(pair, found=pair.found and pair.found.at(level), adjusted_p=p, comparisons=len(pairs))
        for pair, p, level in zip(pairs, holm(chances), holm_levels(chances), strict=True)
    )


def _asked(one: Target, other: Target) -> bool:
    """Two targets asked alike, or one target plain and varied: nobody asks about two things at once, nor pays for it."""
    if one.variation == other.variation:
        return True
    return not (one.variation and other.variation) and replace(one, variation=other.variation) == other


def compare_among_all(
    batch: Batch, a: int, b: int, *, margin: float = MARGIN, pairs: Sequence[Comparison] = ()
) -> Comparison:
    """One pair, in the order asked for, held against the level that it has among all pairs of the batch.

    `pairs` are those of `compare_all`, where somebody has them already; they are made anew otherwise, unless there are more
    than `MOST_PAIRS`.
    """
    if batch.spec.stopping is not None:
        return compare(batch, a, b)
    count = pair_count(batch)
    if not pairs and count > MOST_PAIRS:
        return compare(batch, a, b, margin=margin).among(count)
    for found in pairs or compare_all(batch, margin=margin):
        if {found.a, found.b} == {a, b}:
            if found.a == a:
                return found
            turned, level = compare(batch, a, b, margin=margin), found.found.level if found.found else LEVEL
            return replace(
                turned, found=turned.found and turned.found.at(level),
                adjusted_p=found.adjusted_p, comparisons=found.comparisons,
            )  # fmt: skip
    return compare(batch, a, b, margin=margin).among(count)
