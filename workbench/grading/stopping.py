"""Which target is best? A batch with a stopping rule is looked at while it runs, and ends when that is decided.

After every so many repeats of all cases there is a look at every open pair of targets. A pair is open until it has a
word other than "cannot tell", and while neither of the two is shown to be worse than any other target: what is beaten
cannot be best, and is run no further. Each look has its own share of the level (`sequential.planned_level`), which Holm's
procedure divides among the pairs that were not told apart before. So the level holds for all looks at all pairs together,
whatever is taken out on the way: a pair of equal targets is among those that count, until it is wrongly told apart. "The
same" is held against the share of all pairs.

All of it follows from the recorded results alone, a look after r repeats from the first r repeats: a batch that was
killed and resumed comes to the same looks.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.grading.matrix import case_rates
from workbench.grading.paired import (
    FEW_CLUSTERS,
    LEVEL,
    MANY_CLUSTERS,
    CasePair,
    PairedDifference,
    Word,
    paired_difference,
)
from workbench.grading.sequential import planned_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.batch import Batch, BatchSpec, StoppingRule


class PairLook(NamedTuple):
    """The last look at a pair of targets."""

    a: int
    b: int
    look: int = 0
    """Counted from 1; 0: there was none yet."""
    repeats: int = 0
    """It saw so many repeats of every case."""
    level: float = 0.0
    """Its share of the rule's level."""
    found: PairedDifference | None = None
    """Held against that level."""

    @property
    def word(self) -> Word:
        """What may be said."""
        return self.found.word if self.found is not None else Word.CANNOT_TELL

    @property
    def beaten(self) -> int | None:
        """The target that is shown to be worse; None where neither is."""
        return self.b if self.word is Word.WORSE else self.a if self.word is Word.BETTER else None


class Standing(NamedTuple):
    """How far the question is decided."""

    looks: int
    """Looks that were made."""
    planned: int
    """Looks at most."""
    repeats: int
    """Repeats that the last look saw."""
    pairs: tuple[PairLook, ...]
    """Every pair of targets, the earlier one first."""
    needed: frozenset[int]
    """Targets that an open pair still needs; empty: it is decided."""

    @property
    def beaten(self) -> frozenset[int]:
        """Targets that are shown to be worse than another."""
        return frozenset(pair.beaten for pair in self.pairs if pair.beaten is not None)


def looks_of(rule: StoppingRule, repeats: int) -> tuple[int, ...]:
    """Return after how many repeats there are looks, the last repeat always among them."""
    return (*range(rule.every, repeats, rule.every), repeats)


def standing(batch: Batch) -> Standing:
    """Go through the looks that the results allow; raise ValueError for a batch without a rule."""
    spec, rule = batch.spec, batch.spec.stopping
    if rule is None:
        raise ValueError("this batch has no stopping rule")
    planned, complete = looks_of(rule, spec.repeats), _complete(batch)
    pairs = {pair: PairLook(*pair) for pair in combinations(range(len(spec.targets)), 2)}
    needed, made, seen = frozenset(range(len(spec.targets))), 0, 0
    for look, repeats in enumerate(planned, 1):
        needed = needed - {target for target in needed if complete[target] < repeats and _taken_out(batch, target)}
        needed = _needed(pairs, needed)
        if not needed or any(complete[target] < repeats for target in needed):
            break
        made, seen = look, repeats
        part, share = first_repeats(batch, repeats), planned_level(look, len(planned), rule.level)
        rates = {target: case_rates(part, target) for target in needed}
        found = {}
        for (a, b), before in pairs.items():
            if a in needed and b in needed and before.word is Word.CANNOT_TELL:
                cases = [CasePair(one.case_id, one.cluster, one.rate, other.rate)
                         for one, other in zip(rates[a], rates[b], strict=True)]  # fmt: skip
                found[a, b] = paired_difference(cases, margin=rule.margin, seed=spec.seed)
        told = sum(pair.beaten is not None for pair in pairs.values())
        for (a, b), level in _levels(found, share, len(pairs), told).items():
            one = found[a, b]
            pairs[a, b] = PairLook(a, b, look, repeats, level, one and one.at(level))
        needed = _needed(pairs, needed)
    return Standing(made, len(planned), seen, tuple(pairs.values()), needed)


def _levels(
    found: Mapping[tuple[int, int], PairedDifference | None], share: float, pairs: int, told: int
) -> dict[tuple[int, int], float]:
    """The level of each pair at a look: Holm's, as far as he rejects; `told` of all pairs were told apart before."""
    levels, left, going = {}, pairs - told, True
    for pair, one in sorted(found.items(), key=lambda item: item[1].p if item[1] else 1.0):
        going = going and one is not None and one.at(share / left).shown
        levels[pair] = share / left if going else share / pairs
        left -= going
    return levels


def first_repeats(batch: Batch, repeats: int) -> Batch:
    """The batch as a look sees it."""
    return replace(batch, items=tuple(item for item in batch.items if item.repeat < repeats))


def _complete(batch: Batch) -> dict[int, int]:
    """How many of its first repeats each target has come through in every case."""
    done = Counter((item.target, item.repeat) for item in batch.items if item.state is ItemState.DONE)
    found = {}
    for target in range(len(batch.spec.targets)):
        whole = (done[target, repeat] == len(batch.spec.cases) for repeat in range(batch.spec.repeats))
        found[target] = next((repeat for repeat, every in enumerate(whole) if not every), batch.spec.repeats)
    return found


def _taken_out(batch: Batch, target: int) -> bool:
    """By hand, where a look still wanted it."""
    return any(item.target == target and item.state is ItemState.TRIMMED for item in batch.items)


def _needed(pairs: Mapping[tuple[int, int], PairLook], alive: frozenset[int]) -> frozenset[int]:
    beaten = {pair.beaten for pair in pairs.values()}
    open_pairs = [
        (a, b) for (a, b), pair in pairs.items()
        if pair.word is Word.CANNOT_TELL and {a, b} <= alive and not {a, b} & beaten
    ]  # fmt: skip
    return frozenset(target for pair in open_pairs for target in pair)


def rule_words(spec: BatchSpec) -> str:
    """The rule as it was fixed, to be printed with every result that came by it; empty without one."""
    rule = spec.stopping
    if rule is None:
        return ""
    pairs, looks = len(spec.targets) * (len(spec.targets) - 1) // 2, len(looks_of(rule, spec.repeats))
    every = "every repeat" if rule.every == 1 else f"every {rule.every} repeats"
    budget = "" if rule.max_cost is None else f", no run started beyond a cost of {rule.max_cost:g}"
    among = "" if pairs == 1 else f" by Holm among {pairs} pairs"
    return (
        f"Rule fixed beforehand: a look after {every}, {_repeats(spec.repeats)} at most{budget}; the k-th look decides"
        f" at {rule.level:g} (1 / {2 * looks} + 1 / (2 k (k + 1))){among}; the same means within"
        f" ±{100 * rule.margin:g} points. {_weakness(spec)}"
    ).rstrip()


def power_words(cases: int, targets: int, looks: int, level: float = LEVEL) -> str:
    """Where so many families of cases are too few for the rule: which looks can tell targets apart at all, and how many
    cases let every look do so. Empty where that is no question.

    From six cases on the signs of the cases decide, whose least p value is 2 in 2 to the power of their number; with fewer
    the runs alone do, and from twenty on a t test.
    """
    pairs = targets * (targets - 1) // 2
    if pairs < 1 or not FEW_CLUSTERS <= cases < MANY_CLUSTERS:
        return ""
    able = sum(2.0 ** (1 - cases) <= planned_level(look, looks, level) / pairs for look in range(1, looks + 1))
    if able == looks:
        return ""
    wanted = math.ceil(1 + math.log2(pairs / planned_level(looks, looks, level)))
    which = "no look" if not able else "only the first look" if able == 1 else f"only the first {able} looks"
    return (
        f"Few cases: with {cases} of them {which} of {looks} can tell targets apart, however far apart they are;"
        f" {min(wanted, MANY_CLUSTERS)} cases let every look do so."
    )


def _weakness(spec: BatchSpec) -> str:
    """The same of a planned batch; cases of one family count once."""
    assert spec.stopping is not None
    families, looks = {case.family or case.id for case in spec.cases}, len(looks_of(spec.stopping, spec.repeats))
    return power_words(len(families), len(spec.targets), looks, spec.stopping.level)


def stop_words(batch: Batch) -> str:
    """Why the batch stopped, or what it waits for; empty without a rule."""
    if batch.spec.stopping is None:
        return ""
    found, spared = standing(batch), sum(item.state is ItemState.TRIMMED for item in batch.items)
    looked = f"look {found.looks} of at most {found.planned}, after {_repeats(found.repeats)}"
    if not found.needed:
        saved = f" {spared:,} of {len(batch.items):,} planned runs were not needed." if spared else ""
        return f"Stopped because it is decided: {looked}.{saved}"
    if found.looks == found.planned:
        return f"Stopped at the last repeat without a decision: {looked}.{_wanted(found)}"
    if not found.looks:
        return "Not decided yet: no look was made."
    return f"Not decided yet: {looked}."


def _wanted(found: Standing) -> str:
    """What would decide the open pair that needs most, in a comparison of its own."""
    beaten = found.beaten
    needed = [
        pair.found for pair in found.pairs
        if pair.found is not None and pair.word is Word.CANNOT_TELL and not {pair.a, pair.b} & beaten
    ]  # fmt: skip
    if not needed:
        return ""
    most = max(needed, key=lambda one: one.needed())
    what = "repeats" if most.clusters < FEW_CLUSTERS else "cases like these"
    return f" About {most.needed():,} {what} in a new comparison would decide, 4 times in 5."


def _repeats(count: int) -> str:
    return "1 repeat" if count == 1 else f"{count} repeats"
