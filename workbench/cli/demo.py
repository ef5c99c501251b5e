"""`workbench demo`: a comparison of simulated models through the real program, without a key, a network or a display."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli.demo_cases import PROMPTS, TOOLS, messages, targets
from workbench.cli.options import AsJson
from workbench.cli.output import LOOKS, progress, write, write_json, write_table
from workbench.core.calls import Outcome
from workbench.core.errors import ProviderError
from workbench.grading.rates import TOO_FEW, Rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.cli.run_job import Job
    from workbench.core.events import RunEvent
    from workbench.core.run_summary import RunSummary

AT_ONCE = 4
ORIGIN = "demo"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    screenshot: Annotated[str, typer.Option(metavar="PNG", help="Also a picture of the real window.")] = "",
    repeat: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="How often each prompt is run.")] = 3,
    json: AsJson = False,
) -> None:
    """Compare the simulated models on a few prompts, end to end, and print the table.

    Exits with 3 where a run ended in an error: then something is wrong with this installation, not with a model.
    """
    from workbench.cli.picture import picture_place, take_picture

    target = picture_place(screenshot) if screenshot else None
    found = asyncio.run(_compare(repeat))
    found.write(repeat, json=json)
    if target:
        take_picture(target, found.telling)
    if found.errors:
        raise typer.Exit(ProviderError.exit_code)


@dataclass(slots=True)
class TargetSum:
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

    def take(self, run: RunSummary) -> None:
        """Count one run."""
        self.states[run.state.value] += 1
        calls = [call for _, call in run.parsed_calls]
        self.calls.update(call.outcome.value for call in calls)
        lost = sum(problem.outcome is Outcome.REPORTED for _, problem in run.problems)
        self.calls[Outcome.REPORTED.value] += lost
        self.found.update(repair for call in calls for repair in call.repairs)
        self.found.update(run.verdict.codes if run.verdict else ())
        self.strict += run.state == "pass" and all(call.outcome is Outcome.STRICT for call in calls)

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
        from workbench.cli.run_report import rate_interval

        rate = self.rate
        mode = f"boost {self.planner}" if self.planner else "direct"
        noticed = ", ".join(name for name, _ in self.found.most_common(3))
        return (
            self._look(), self.model, self.format, mode, f"{rate.passed}/{rate.runs}",
            rate_interval(rate.passed, rate.runs), f"{self.strict}/{rate.runs}",
            rate_interval(self.strict, rate.runs), self.errors or "", noticed,
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


class DemoSums:
    """What all targets came to: hears of each run of the demo as it ends."""

    def __init__(self) -> None:
        self.sums: dict[str, TargetSum] = {}
        self.telling = ""
        """Id of a run that is worth a picture: a boosted one with more than one round, if there is any."""

    def watcher(self, job: Job) -> Callable[[Sequence[RunEvent]], None]:
        """Nothing is told of a run while it goes on."""
        return job.run.add_all

    def ended(self, job: Job) -> None:
        """Count one run."""
        target, run = job.draft.target, job.run
        planner = target.planner.model if target.planner else ""
        self.sums.setdefault(target.label, TargetSum(target.executor.model, target.format, planner)).take(run)
        if (planner and run.loops > 1) or not self.telling:
            self.telling = run.run_id

    @property
    def errors(self) -> int:
        """Runs that a provider, the network or the program itself ended."""
        return sum(item.states["error"] for item in self.sums.values())

    def write(self, repeat: int, *, json: bool) -> None:
        """Write the table and what its columns mean, or one document."""
        if json:
            rows = [item.document() for item in self.sums.values()]
            write_json({"simulated": True, "cases": list(PROMPTS), "repeat": repeat, "targets": rows})
            return
        write(
            f"Simulated models, no real ones: {len(PROMPTS)} prompts × {repeat}, served and recorded on this computer.\n"
        )
        write_table(
            ("", "model", "format", "mode", "clean", "95 %", "strict", "95 % ", "errors", "noticed most"),
            [item.row() for item in self.sums.values()],
            right=("clean", "strict", "errors"),
        )
        write(
            "\nclean: answered, every call fits its schema, nothing lost, no marker left (intrinsic, not correctness)"
        )
        write("strict: clean, and no call needed a repair; the difference is what a tolerant parser is worth")
        if repeat * len(PROMPTS) < TOO_FEW:
            write(f"Under {TOO_FEW} runs no rate is shown; add --repeat {TOO_FEW}.")
        write("Every run is in the history: workbench history origin:demo")


async def _compare(repeat: int) -> DemoSums:
    from workbench.app import Workbench
    from workbench.cli.run_jobs import Queue

    jobs, found = list(_jobs(repeat)), DemoSums()
    async with Workbench.open() as wb:
        with progress("simulated runs", len(jobs)) as done:
            await Queue(wb, found, AT_ONCE, done).run(jobs)
    return found


def _jobs(repeat: int) -> Iterator[Job]:
    from workbench.app import RunDraft
    from workbench.cli.run_job import Job

    for seed in range(repeat):
        for number, case in enumerate(PROMPTS):
            for target in targets(seed * len(PROMPTS) + number):
                yield Job(case, seed, RunDraft(messages(case), target, TOOLS, None, f"demo: {case}", ORIGIN))
