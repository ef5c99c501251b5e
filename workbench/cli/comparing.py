"""Carrying out the demo: runs through the app, sums by target, a table."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.app import RunDraft, Workbench
from workbench.cli.demo_cases import PROMPTS, TOOLS, messages, targets
from workbench.cli.jobs import Job
from workbench.cli.output import LOOKS, progress, write, write_json, write_table
from workbench.cli.reporting import interval_text
from workbench.core.calls import Outcome as CallOutcome
from workbench.grading.rates import TOO_FEW, Rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cli.outcome import Outcome

AT_ONCE = 4
ORIGIN = "demo"


@dataclass(slots=True)
class Sum:
    """What one target came to."""

    model: str
    format: str
    planner: str
    states: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """Repairs and failure codes."""
    strict: int = 0
    """Clean runs in which no call needed a repair."""

    def take(self, outcome: Outcome) -> None:
        """Count one run."""
        self.states[outcome.state] += 1
        calls = [call for _, reply in outcome.steps for call in reply.result.calls]
        self.calls.update(call.outcome.value for call in calls)
        self.calls[CallOutcome.REPORTED.value] += sum(len(reply.result.lost) for _, reply in outcome.steps)
        self.found.update(repair for call in calls for repair in call.repairs)
        self.found.update(outcome.verdict.codes if outcome.verdict else ())
        self.strict += outcome.state == "pass" and all(call.outcome is CallOutcome.STRICT for call in calls)

    @property
    def rate(self) -> Rate:
        """Clean runs among those that say something about the model."""
        return Rate(self.states["pass"], self.states["pass"] + self.states["fail"])

    @property
    def errors(self) -> int:
        """Runs that say nothing about it."""
        return sum(self.states.values()) - self.rate.runs

    def row(self) -> tuple[Any, ...]:
        """Return the line of the table."""
        rate = self.rate
        mode = f"boost {self.planner}" if self.planner else "direct"
        noticed = ", ".join(name for name, _ in self.found.most_common(3))
        return (
            self._look(), self.model, self.format, mode, f"{rate.passed}/{rate.runs}",
            interval_text(rate.passed, rate.runs), f"{self.strict}/{rate.runs}",
            interval_text(self.strict, rate.runs), self.errors or "", noticed,
        )  # fmt: skip

    def _look(self) -> Any:
        if self.rate.too_few:
            return LOOKS["too_few"]
        return LOOKS["pass" if self.rate.passed == self.rate.runs else "flaky" if self.rate.passed else "fail"]

    def document(self) -> dict[str, Any]:
        """Return the sums as JSON."""
        rate = self.rate
        return {
            "model": self.model,
            "format": self.format,
            "planner": self.planner or None,
            "clean": rate.passed,
            "runs": rate.runs,
            "interval": None if rate.too_few else [round(bound, 4) for bound in rate.interval],
            "errors": self.errors,
            "calls": dict(self.calls),
            "strict": self.strict,
            "found": dict(self.found),
        }


def compare(repeat: int, *, json: bool) -> str:
    """Run the comparison and print it; return the id of a telling run, for a picture."""
    sums, last = asyncio.run(_compare(repeat))
    if json:
        rows = [item.document() for item in sums]
        write_json({"simulated": True, "cases": list(PROMPTS), "repeat": repeat, "targets": rows})
        return last
    write(f"Simulated models, no real ones: {len(PROMPTS)} prompts × {repeat}, served and recorded on this computer.\n")
    write_table(
        ("", "model", "format", "mode", "clean", "95 %", "strict", "95 % ", "errors", "noticed most"),
        [item.row() for item in sums],
        right=("clean", "strict", "errors"),
    )
    write("\nclean: answered, every call fits its schema, nothing lost, no marker left (intrinsic, not correctness)")
    write("strict: clean, and no call needed a repair; the difference is what a tolerant parser is worth")
    if repeat * len(PROMPTS) < TOO_FEW:
        write(f"Under {TOO_FEW} runs no rate is shown; add --repeat {TOO_FEW}.")
    write("Every run is in the history: workbench history origin:demo")
    return last


async def _compare(repeat: int) -> tuple[list[Sum], str]:
    jobs = list(_jobs(repeat))
    sums: dict[str, Sum] = {}
    telling = ""
    async with Workbench.open() as wb:
        with progress("simulated runs", len(jobs)) as done:
            async for job in _finished(wb, jobs, done):
                target, outcome = job.draft.target, job.outcome()
                planner = target.planner.model if target.planner else ""
                key = f"{target.executor.model} {target.format} {planner}"
                sums.setdefault(key, Sum(target.executor.model, target.format, planner)).take(outcome)
                if (planner and outcome.loops > 1) or not telling:
                    telling = job.run_id
    return list(sums.values()), telling


def _jobs(repeat: int) -> Iterator[Job]:
    for seed in range(repeat):
        for number, case in enumerate(PROMPTS):
            for target in targets(seed * len(PROMPTS) + number):
                yield Job(case, seed, RunDraft(messages(case), target, TOOLS, None, f"demo: {case}", ORIGIN))


async def _finished(wb: Workbench, jobs: list[Job], done: Callable[[int], None]) -> Any:
    """Yield jobs as they end, in order, a few under way at a time."""
    under_way: list[Job] = []
    for job in [*jobs, None]:
        if job is not None:
            job.handle = await wb.runs.start(job.draft, job.take)
            under_way.append(job)
        while under_way and (job is None or len(under_way) >= AT_ONCE):
            first = under_way.pop(0)
            await first.finish(wb.store)
            done(1)
            yield first
