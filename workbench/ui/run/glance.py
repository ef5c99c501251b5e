"""A recorded run at a glance: the step that tells most, its texts, and what crossed the wire for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.events import StepRole
from workbench.ui.run.run_fold import fold
from workbench.ui.run.run_view import StepState
from workbench.ui.run.run_words import step_chips, step_place
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.app import Workbench
    from workbench.core.calls import Region
    from workbench.store import StoredRun
    from workbench.ui.run.run_view import RunView, StepView

_BODY_SHOWN = 64 * 1024


@dataclass(frozen=True, slots=True)
class Glance:
    """What a preview shows of a run."""

    run: RunView
    regions: Mapping[int, Sequence[Region]] = field(default_factory=dict)
    """Roles of the raw text's characters, by step."""

    @property
    def steps(self) -> list[StepView]:
        """All steps in order."""
        return [self.run.steps[number] for number in sorted(self.run.steps)]

    def telling_step(self) -> StepView | None:
        """The first step with a problem, else the last executor's step, else the last."""
        steps = self.steps
        for step in steps:
            if step_chips(step) or step.state in (StepState.FAILED, StepState.UNREADABLE, StepState.CANCELLED):
                return step
        executors = [step for step in steps if step.role is StepRole.EXECUTOR]
        calling = [step for step in executors if step.calls]
        told = calling or executors or steps
        return told[-1] if told else None


def step_name(step: StepView) -> str:
    """Name a step for the menu above the texts."""
    return f"{step_place(step)} · {counted(len(step.calls), 'call')}" if step.calls else step_place(step)


def calls_heading(step: StepView) -> str:
    """`Parsed: 1 of 2 calls`, counting attempts that were lost."""
    if step.role is StepRole.PLANNER:
        return tr("Parsed reply")
    lost = sum(problem.outcome is not None and problem.outcome.value == "reported" for problem in step.problems)
    made = len(step.calls)
    if lost:
        return tr("Parsed: {made} of {calls}", made=made, calls=counted(made + lost, "call"))
    return tr("Parsed: {calls}", calls=counted(made, "call")) if made else tr("Parsed: no call")


def wire_text(step: StepView) -> str:
    """Everything that crossed the wire in a step's exchanges, as text; bodies are cut at 64 kB each."""
    parts = []
    for exchange in step.exchanges:
        request = exchange.request
        parts.append(f"{request.method} {request.url}")
        parts += [f"{name}: {value}" for name, value in request.headers]
        parts += ["", _body(request.body)]
        if exchange.status is not None:
            parts += ["", tr("HTTP {status}", status=exchange.status)]
            parts += [f"{name}: {value}" for name, value in exchange.headers]
            parts += ["", _body(exchange.body())]
        if exchange.error is not None:
            parts += ["", f"{exchange.error.kind.value}: {exchange.error.message}"]
        parts += ["", ""]
    return "\n".join(parts).rstrip("\n")


def _body(data: bytes) -> str:
    text = data[:_BODY_SHOWN].decode("utf-8", errors="replace")
    rest = len(data) - _BODY_SHOWN
    return tr("{text}\n… {rest:,} more bytes", text=text, rest=rest) if rest > 0 else text


REGIONS_UP_TO = 200_000
"""Characters of a reply up to which its roles are read for a preview."""


def glance_of(wb: Workbench, stored: StoredRun) -> Glance:
    """Fold a run and read the roles of its texts."""
    regions: dict[int, Sequence[Region]] = {}
    for step in stored.summary().steps.values():
        if step.plan is not None:
            regions[step.number] = wb.planner_regions(step.plan)
        elif step.reply is not None and len(step.reply.text) <= REGIONS_UP_TO:
            regions[step.number] = wb.regions(step.reply)
    return Glance(fold(stored.events), regions)
