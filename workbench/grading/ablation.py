"""What boost adds: a boosted target against its planner alone and its executor alone, in the same batch.

A part is found by its model: the same executor in the same format without a planner, and the planner's model by itself.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.comparison import Comparison, compare_among_all
from workbench.grading.paired import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.core.target import Target


class Spent(NamedTuple):
    """What a target's judged runs took."""

    runs: int
    passed: int
    tokens: int
    cost: float | None
    """None where a run's price is not known."""


class Lift(NamedTuple):
    """A boosted target against one of its parts."""

    boost: int
    part: int
    role: str
    """`executor alone` or `planner alone`."""
    found: Comparison
    """The boosted one as B."""
    extra_tokens: float | None
    """Tokens for each success more than the part has; None where there is none."""
    extra_cost: float | None
    """The same in money; None where no price is known, too."""

    def sentence(self, boost: str, part: str) -> str:
        """`Boost C against its executor alone: C is better than A by …. An extra success takes 1,200 tokens more.`

        Of a lift that is not shown it is told what an extra success would take if there is one.
        """
        told = f"Boost {boost} against its {self.role}: {self.found.sentence(part, boost)}"
        if self.extra_tokens is None:
            return f"{told} No extra success to pay for."
        verb = "An extra success takes" if self.found.word is Word.BETTER else "If that is so, an extra success takes"
        money = f" and {_more(self.extra_cost, '.3g')} by the prices of that day" if self.extra_cost else ""
        return f"{told} {verb} {_more(self.extra_tokens, ',.0f', ' tokens')}{money}."


def _more(amount: float, form: str, unit: str = "") -> str:
    """`1,200 tokens more`, `300 tokens less`."""
    return f"{abs(amount):{form}}{unit} {'more' if amount >= 0 else 'less'}"


def ablations(batch: Batch, pairs: Sequence[Comparison] = ()) -> tuple[Lift, ...]:
    """Every boosted target against those of its parts that the batch has; each pair pays for all pairs of the batch.

    `pairs` are all of them, where somebody has them already.
    """
    found = []
    for boost, value in enumerate(batch.spec.targets):
        if value.planner is None:
            continue
        for part, other in enumerate(batch.spec.targets):
            if role := _role(value, other):
                found.append(_lift(batch, boost, part, role, pairs))
    return tuple(found)


def with_parts(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Every target, and behind each boosted one its executor alone and its planner alone; alike ones once."""
    made: list[Target] = []
    for target in targets:
        made.append(target)
        if target.planner is not None:
            alone = replace(target, planner=None, wrapper=None)
            made += [alone, replace(alone, executor=target.planner, format="auto")]
    return tuple({one.identity(): one for one in made}.values())


def missing_parts(target: Target, others: tuple[Target, ...]) -> tuple[str, ...]:
    """Parts of a boosted target that a batch would have to have for an ablation, in words."""
    roles = {role for other in others if (role := _role(target, other))}
    return tuple(role for role in ("executor alone", "planner alone") if target.planner and role not in roles)


def _role(boost: Target, other: Target) -> str:
    if other.planner is not None or other.variation != boost.variation:
        return ""
    if other.executor == boost.executor and other.format == boost.format:
        return "executor alone"
    return "planner alone" if other.executor == boost.planner else ""


def _lift(batch: Batch, boost: int, part: int, role: str, pairs: Sequence[Comparison]) -> Lift:
    more, less = spent(batch, boost), spent(batch, part)
    tokens = cost = None
    if more.runs and less.runs and (extra := more.passed / more.runs - less.passed / less.runs) > 0:
        tokens = (more.tokens / more.runs - less.tokens / less.runs) / extra
        if more.cost is not None and less.cost is not None:
            cost = (more.cost / more.runs - less.cost / less.runs) / extra
    return Lift(boost, part, role, compare_among_all(batch, part, boost, pairs=pairs), tokens, cost)


def spent(batch: Batch, target: int) -> Spent:
    """What the runs of a target took that say something about it."""
    items = [
        (item.sample, item.result.verdict.state is VerdictState.PASS)
        for item in batch.items
        if item.target == target and item.state is ItemState.DONE and item.result
        and item.result.verdict.state in (VerdictState.PASS, VerdictState.FAIL)
    ]  # fmt: skip
    costs = [sample.cost for sample, _ in items if sample.cost is not None]
    return Spent(
        len(items), sum(passed for _, passed in items),
        sum(sample.input_tokens + sample.output_tokens for sample, _ in items),
        math.fsum(costs) if items and len(costs) == len(items) else None,
    )  # fmt: skip
