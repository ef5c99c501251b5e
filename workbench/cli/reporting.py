"""How `workbench run` shows its runs: told as text, as JSON documents, or as a stream of facts."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from workbench.cli.facts import fact
from workbench.cli.failures import OutputClosed
from workbench.cli.narrate import Narrator
from workbench.cli.outcome import outcomes_state
from workbench.cli.output import LOOKS, styled, write, write_json, write_table
from workbench.cli.text import one_line
from workbench.grading.rates import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.cli.jobs import Job, Plan
    from workbench.cli.outcome import Outcome
    from workbench.core.events import RunEvent

TOO_FEW = 3
"""Below this many judged runs no rate is shown."""


class Reporter:
    """Gets every committed batch of every run, and every end, in the order of the plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ends: list[tuple[Job, Outcome]] = []
        self.closed = False
        """Whoever read our output has gone."""

    def watcher(self, job: Job) -> Callable[[Sequence[RunEvent]], None]:
        """Return what gets a job's batches after they were committed."""
        narrator = None
        if self._plan.output != "events" and not self._plan.quiet and self._plan.parallel == 1:
            narrator = Narrator(sys.stderr)

        def watch(events: Sequence[RunEvent]) -> None:
            job.take(events)
            if narrator is not None:
                narrator(events)
            if self._plan.output == "events":
                self._write_facts(job, events)

        return watch

    def _write_facts(self, job: Job, events: Sequence[RunEvent]) -> None:
        """Print facts. A reader who leaves does not end the run: it is recorded all the same."""
        if self.closed:
            return
        try:
            for event in events:
                write_json({"run": job.run_id, **fact(event)})
        except OutputClosed:
            self.closed = True

    def ended(self, job: Job) -> Outcome:
        """Show one run's end."""
        outcome = job.outcome()
        self._ends.append((job, outcome))
        if self._plan.output == "json":
            write_json({"case": job.case or None, "repetition": job.repetition, **outcome.document()})
        elif self._plan.output == "text":
            self._write_text(job, outcome)
        return outcome

    def _write_text(self, job: Job, outcome: Outcome) -> None:
        if self._plan.size == 1:
            outcome.write()
            return
        name = f"{job.case} " if job.case else ""
        look = LOOKS[outcome.state]
        styled(look, f"  {name}{outcome.summary()}")
        if outcome.finished and outcome.finished.answer:
            write(f"  {one_line(outcome.finished.answer, 160)}")

    def close(self) -> None:
        """Show the sums of several runs."""
        if self.closed:
            raise OutputClosed
        if self._plan.output != "text" or self._plan.size == 1 or not self._ends:
            return
        write("")
        cases = dict.fromkeys(job.case for job, _ in self._ends)
        rows = [self._sum(case) for case in cases]
        write_table(("case", "", "passed", "95 % interval", "not judged"), rows)

    def _sum(self, case: str) -> tuple[object, ...]:
        states = [outcome.state for job, outcome in self._ends if job.case == case]
        passed, judged = states.count("pass"), states.count("pass") + states.count("fail")
        state = LOOKS[outcomes_state(states)]
        return (
            case or "prompt",
            state,
            f"{passed}/{judged}",
            interval_text(passed, judged),
            _not_judged(states),
        )


def _not_judged(states: Sequence[str]) -> str:
    """Say how many runs were not judged, and why."""
    counts = Counter(state for state in states if state not in ("pass", "fail"))
    return ", ".join(f"{count} {LOOKS[state].word}" for state, count in counts.most_common())


def interval_text(passed: int, judged: int) -> str:
    """Return a rate's interval; under three runs there is no rate."""
    if judged < TOO_FEW:
        return "too few"
    low, high = wilson(passed, judged)
    return f"{low:.2f} – {high:.2f}"
