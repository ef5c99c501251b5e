"""Verdicts that people set by hand, counted beside the machine's and never mixed into its rates; and how well a judging
model agrees with them (Cohen's kappa), without which its word is worth nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.rates import Rate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.batch import Batch
    from workbench.core.verdict import Verdict

_JUDGED = (VerdictState.PASS, VerdictState.FAIL)
ENOUGH = 20
"""Labels by hand under which an agreement says nothing."""


class Recount(NamedTuple):
    """One target, by the machine's verdicts and with those set by hand in their place."""

    target: int
    set_by_hand: int
    changed: int
    """Of them, those that say something else than the machine."""
    machine: Rate
    by_hand: Rate


def recount(batch: Batch, states: Mapping[str, VerdictState]) -> tuple[Recount, ...]:
    """Targets with a verdict set by hand; `states` is what holds of each run, by its id."""
    judged: defaultdict[int, list[tuple[Verdict, VerdictState | None]]] = defaultdict(list)
    for item in batch.items if states else ():
        if item.state is not ItemState.DONE or item.result is None:
            continue
        if item.result.verdict.basis is Basis.EXPECTATION or item.run_id in states:
            judged[item.target].append((item.result.verdict, states.get(item.run_id)))
    found = []
    for target, items in sorted(judged.items()):
        if not any(word is not None for _, word in items):
            continue
        machine = [verdict.state for verdict, _ in items if verdict.basis is Basis.EXPECTATION]
        final = [word or verdict.state for verdict, word in items]
        found.append(
            Recount(
                target, sum(word is not None for _, word in items),
                sum(word is not None and word is not verdict.state for verdict, word in items),
                _rate(machine), _rate(final),
            )
        )  # fmt: skip
    return tuple(found)


def _rate(states: Sequence[VerdictState]) -> Rate:
    return Rate(states.count(VerdictState.PASS), sum(state in _JUDGED for state in states))


def recount_line(found: Sequence[Recount], names: Sequence[str]) -> str:
    """`3 verdicts set by hand, counted apart: A 12/20 instead of 10/20 (2 changed).`; empty without any."""
    total = sum(one.set_by_hand for one in found)
    if not total:
        return ""
    parts = [
        f"{names[one.target]} {one.by_hand.passed}/{one.by_hand.runs} instead of"
        f" {one.machine.passed}/{one.machine.runs} ({one.changed} changed)"
        for one in found
    ]
    noun = "verdict" if total == 1 else "verdicts"
    return f"{total} {noun} set by hand, counted apart: {', '.join(parts)}."


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges over the same runs, pass or fail."""

    both_pass: int
    both_fail: int
    first_only: int
    """The first one passed, the second one failed."""
    second_only: int

    @property
    def runs(self) -> int:
        """Runs that both judged."""
        return self.both_pass + self.both_fail + self.first_only + self.second_only

    @property
    def observed(self) -> float | None:
        """Share of runs on which they agree; None without runs."""
        return (self.both_pass + self.both_fail) / self.runs if self.runs else None

    @property
    def kappa(self) -> float | None:
        """Cohen's: agreement beyond chance; None where chance alone would give all of it."""
        if not self.runs:
            return None
        first, second = self.both_pass + self.first_only, self.both_pass + self.second_only
        chance = (first * second + (self.runs - first) * (self.runs - second)) / self.runs**2
        observed = (self.both_pass + self.both_fail) / self.runs
        return None if chance == 1 else (observed - chance) / (1 - chance)

    def sentence(self, first: str, second: str) -> str:
        """`hand and judge agree on 18 of 20 runs (κ = 0.78).`"""
        if not self.runs:
            return f"{first} and {second} have no run in common."
        kappa = "κ is not defined: one of them says the same of all" if self.kappa is None else f"κ = {self.kappa:.2f}"
        few = f" Fewer than {ENOUGH} runs: this says little." if self.runs < ENOUGH else ""
        return f"{first} and {second} agree on {self.both_pass + self.both_fail} of {self.runs} runs ({kappa}).{few}"


def agreement(first: Mapping[str, VerdictState], second: Mapping[str, VerdictState]) -> Agreement:
    """Over runs of which both say pass or fail."""
    seen = Counter((word, second[run]) for run, word in first.items() if word in _JUDGED and second.get(run) in _JUDGED)
    good, bad = _JUDGED
    return Agreement(seen[good, good], seen[bad, bad], seen[good, bad], seen[bad, good])
