"""The plan of a batch: its items in order, their seeds, and the draft of each run. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.runs import RunDraft
from workbench.app.simulator import SIMULATOR
from workbench.core.batch import BatchItem, BatchProgress, BatchState, ItemState, TargetProgress
from workbench.core.errors import InvalidInput
from workbench.core.seeds import seed_of
from workbench.core.target import ModelRef, Target
from workbench.core.variations import check_variation, varied
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.batch import BatchSpec, StoppingRule
    from workbench.core.case import Case

ORIGIN = "suite"
MOST = 100_000
"""Runs of one batch."""
_FAST = {"tokens_per_second": 0, "first_token_s": 0}


def fast(target: Target) -> Target:
    """Simulated models without pauses, unless the target sets a pace itself: nobody watches them type in a batch."""
    if target.executor.provider.lower() != SIMULATOR.lower():
        return target
    asked = target.sampling.extra.get("simulate")
    simulate = _FAST | asked if isinstance(asked, dict) else _FAST
    sampling = replace(target.sampling, extra={**target.sampling.extra, "simulate": simulate})
    return replace(target, executor=target.executor._replace(provider=SIMULATOR), sampling=sampling)


def demo_targets() -> tuple[Target, ...]:
    """What the built-in suite is run through where nothing else is asked for: four simulated targets of all kinds."""
    pairs = (
        ("mistral-steady", "native_openai", ""),
        ("qwen-hasty", "qwen_xml", ""),
        ("gemma-tiny", "gemma_function", ""),
        ("aux-stubborn", "native_openai", "plain"),
    )
    return tuple(
        fast(Target(ModelRef(SIMULATOR, model), format_id, ModelRef(SIMULATOR, planner) if planner else None))
        for model, format_id, planner in pairs
    )


def item_seed(seed: int, case_id: str, target: str, repeat: int) -> int:
    """A seed that any machine derives again from the target's identity; positive, 31 bits, as most providers take it."""
    return seed_of(seed, case_id, target, repeat)


def plan_items(spec: BatchSpec) -> tuple[BatchItem, ...]:
    """All runs, repeats outermost: a batch that is stopped early has seen every case. Raise InvalidInput."""
    if not spec.cases:
        raise InvalidInput(f"The suite {spec.suite!r} has no case.", hint="Keep a run as a case first.")
    if not spec.targets:
        raise InvalidInput("There is no target.", hint="Choose at least one model × format × mode.")
    if spec.repeats < 1 or spec.parallel < 1:
        raise InvalidInput("Repeats and parallel runs are at least 1.")
    if spec.stopping is not None:
        _check_rule(spec.stopping, len(spec.targets), varied=any(target.variation for target in spec.targets))
    total = spec.repeats * len(spec.cases) * len(spec.targets)
    if total > MOST:
        raise InvalidInput(f"{total} runs are too many for one batch.", hint=f"At most {MOST}; take fewer repeats.")
    for target in spec.targets:
        check_variation(target.variation)
    names = [target.identity() for target in spec.targets]
    if twice := next((name for name, count in Counter(names).items() if count > 1), ""):
        label = spec.targets[names.index(twice)].label
        raise InvalidInput(f"The target {label!r} is there twice.", hint="Two equal columns show nothing.")
    places = (
        (repeat, case, number)
        for repeat in range(spec.repeats)
        for case in spec.cases
        for number in range(len(spec.targets))
    )
    return tuple(
        BatchItem(position, case.id, number, repeat, item_seed(spec.seed, case.id, names[number], repeat))
        for position, (repeat, case, number) in enumerate(places)
    )


def _check_rule(rule: StoppingRule, targets: int, *, varied: bool) -> None:
    if varied:
        raise InvalidInput(
            "Until decided asks which target is best; varied cases ask how much that hangs on the asking.",
            hint="Run one after the other.",
        )
    if targets < 2:
        raise InvalidInput("Until decided asks which target is best.", hint="Add a second target.")
    if not 0 < rule.level < 0.5 or not 0 <= rule.margin < 1 or rule.every < 1:
        raise InvalidInput(
            "A stopping rule has a level between 0 and 0.5, a margin under 100 points, and a look every 1 repeat or more."
        )


def draft_of(case: Case, target: Target, seed: int) -> RunDraft:
    """What one item runs."""
    case = varied(case, target.variation)
    seeded = replace(target, sampling=replace(target.sampling, seed=seed))
    return RunDraft(case.messages, seeded, case.tools, case.tool_choice, case.title or case.id, ORIGIN, case)


class ItemCounts:
    """Counts of a batch's items, kept up as they change: a look at the progress costs nothing, however many they are."""

    def __init__(self, spec: BatchSpec, items: Iterable[BatchItem]) -> None:
        self._targets = len(spec.targets)
        self._states: Counter[tuple[int, ItemState]] = Counter()
        self._verdicts: Counter[tuple[int, VerdictState]] = Counter()
        for item in items:
            self._count(item, 1)

    def change(self, old: BatchItem, new: BatchItem) -> None:
        """An item is another one now."""
        self._count(old, -1)
        self._count(new, 1)

    def _count(self, item: BatchItem, by: int) -> None:
        self._states[item.target, item.state] += by
        if item.state is ItemState.DONE and item.result:
            self._verdicts[item.target, item.result.verdict.state] += by

    def progress(self, state: BatchState, elapsed_s: float, done_now: int) -> BatchProgress:
        """How far the batch has come; `done_now` runs ended within `elapsed_s` of work."""
        rows = tuple(self._target(number) for number in range(self._targets))
        left = sum(row.left + row.running for row in rows)
        return BatchProgress(
            state,
            total=sum(row.done + row.running + row.left for row in rows),
            done=sum(row.done for row in rows),
            running=sum(row.running for row in rows),
            failed=sum(row.failed for row in rows),
            errors=sum(row.errors for row in rows),
            elapsed_s=elapsed_s,
            left_s=elapsed_s / done_now * left if done_now else None if left else 0.0,
            targets=rows,
        )

    def _target(self, number: int) -> TargetProgress:
        return TargetProgress(
            number,
            self._states[number, ItemState.DONE],
            self._states[number, ItemState.RUNNING],
            self._verdicts[number, VerdictState.FAIL],
            self._verdicts[number, VerdictState.ERROR],
            self._states[number, ItemState.WAITING],
            self._states[number, ItemState.TRIMMED],
        )
