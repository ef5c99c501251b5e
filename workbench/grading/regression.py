"""A batch against an earlier one of the same targets: did anything get worse, as far as the runs can tell?

The earlier batch is the baseline because somebody named it; it never moves by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.grading.honesty import GateState, not_comparable, samples_of
from workbench.grading.matrix import case_rates, labels
from workbench.grading.paired import CasePair, PairedDifference, paired_difference, sentence
from workbench.grading.rates import Rate

if TYPE_CHECKING:
    from workbench.core.batch import Batch

MARGIN, LEVEL = 0.05, 0.9
"""A drop of five points counts, and it must be likelier than nine to one."""


@dataclass(frozen=True, slots=True)
class Regression:
    """One target now and then."""

    target: int
    """Its place in the new batch."""
    label: str
    state: GateState
    chance: float
    """That the true score is lower by more than the margin."""
    found: PairedDifference | None
    """Now against then, over cases that are the same in both; None without any."""
    worse: tuple[tuple[str, Rate, Rate], ...]
    """Cases with a lower rate, then and now, largest drop first."""
    changed: tuple[str, ...] = ()
    """Cases that are not what they were, or were not there: left out."""
    warnings: tuple[str, ...] = ()
    """What else differs, such as the served model: worth knowing, and perhaps the cause."""

    @property
    def told(self) -> str:
        """The difference alone, in words."""
        return sentence(self.found, "the earlier one", "This batch")

    def sentence(self) -> str:
        """`Simulator/a: regressed. This batch is worse than the earlier one by 12 points (paired, 95 %: …). …`"""
        return f"{self.label}: {self.state}. {self.told}"


def regressions(
    batch: Batch, baseline: Batch, *, margin: float = MARGIN, level: float = LEVEL
) -> tuple[Regression, ...]:
    """Every target of the batch that the baseline has too, by its whole configuration."""
    known = {target.identity(): place for place, target in enumerate(baseline.spec.targets)}
    names = labels(batch.spec.targets)
    found = []
    for place, target in enumerate(batch.spec.targets):
        if (before := known.get(target.identity())) is not None:
            found.append(_regression(batch, place, names[place], baseline, before, margin, level))
    return tuple(found)


def _regression(
    batch: Batch, place: int, label: str, baseline: Batch, before: int, margin: float, level: float
) -> Regression:
    old = {item.case_id: item for item in case_rates(baseline, before)}
    same = same_cases(batch, baseline)
    pairs = [
        CasePair(item.case_id, item.cluster, old[item.case_id].rate, item.rate)
        for item in case_rates(batch, place)
        if item.case_id in same
    ]
    moved = [pair for pair in pairs if pair.before.runs and pair.after.runs and pair.difference < 0]
    difference = paired_difference(pairs, margin=margin, seed=batch.spec.seed)
    chance = difference.chance_below(-margin) if difference else 0.0
    held = GateState.HELD if difference else GateState.UNKNOWN
    state = GateState.FAILED if chance > level else GateState.MOVED if moved else held
    return Regression(
        place, label, state, chance, difference,
        tuple((pair.case_id, pair.before, pair.after) for pair in sorted(moved, key=lambda pair: pair.difference)),
        tuple(case.id for case in batch.spec.cases if case.id not in same),
        not_comparable(samples_of(baseline, before), samples_of(batch, place), ("case", "tools", "match")),
    )  # fmt: skip


def same_cases(batch: Batch, baseline: Batch) -> set[str]:
    """Cases that ask the same and expect the same; title, notes and tags may have changed."""
    old = {case.id: (case.messages, case.tools, case.tool_choice, case.expectation) for case in baseline.spec.cases}
    return {
        case.id
        for case in batch.spec.cases
        if old.get(case.id) == (case.messages, case.tools, case.tool_choice, case.expectation)
    }
