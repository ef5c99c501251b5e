"""How `workbench run` shows its runs: told as text, as JSON documents, or as a stream of events."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from workbench.cli.failures import OutputClosed
from workbench.cli.output import LOOKS, styled, write, write_json, write_table
from workbench.cli.run_json import event_json, run_json
from workbench.cli.run_text import Narrator, ending_text, write_ending
from workbench.cli.text import one_line
from workbench.grading.rates import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.cli.run_job import Job
    from workbench.cli.run_order import RunOrder
    from workbench.core.events import RunEvent

TOO_FEW = 3
"""Below this many judged runs no rate is shown."""


class Reporter:
    """Gets every committed batch of every run, and every end, in the order of the plan."""

    def __init__(self, order: RunOrder) -> None:
        self._order = order
        self._ended: list[Job] = []
        self.closed = False
        """Whoever read our output has gone."""

    def watcher(self, job: Job) -> Callable[[Sequence[RunEvent]], None]:
        """Return what gets a job's batches after they were committed."""
        narrator = None
        if self._order.output != "events" and not self._order.quiet and self._order.parallel == 1:
            narrator = Narrator(sys.stderr)

        def watch(events: Sequence[RunEvent]) -> None:
            job.run.add_all(events)
            if narrator is not None:
                narrator(events)
            if self._order.output == "events":
                self._write_events(job, events)

        return watch

    def _write_events(self, job: Job, events: Sequence[RunEvent]) -> None:
        """Print events. A reader who leaves does not end the run: it is recorded all the same."""
        if self.closed:
            return
        try:
            for event in events:
                write_json({"run": job.run.run_id, **event_json(event)})
        except OutputClosed:
            self.closed = True

    def ended(self, job: Job) -> None:
        """Show one run's end."""
        self._ended.append(job)
        if self._order.output == "json":
            write_json({"case": job.case or None, "repetition": job.repetition, **run_json(job.run, job.number)})
        elif self._order.output == "text" and self._order.size == 1:
            write_ending(job.run, job.number)
        elif self._order.output == "text":
            name = f"{job.case} " if job.case else ""
            styled(LOOKS[job.run.state], f"  {name}{ending_text(job.run, job.number)}")
            if job.run.finished and job.run.finished.answer:
                write(f"  {one_line(job.run.finished.answer, 160)}")

    def close(self) -> None:
        """Show the sums of several runs."""
        if self.closed:
            raise OutputClosed
        if self._order.output != "text" or self._order.size == 1 or not self._ended:
            return
        write("")
        cases = dict.fromkeys(job.case for job in self._ended)
        rows = [self._sum(case) for case in cases]
        write_table(("case", "", "passed", "95 % interval", "not judged"), rows)

    def _sum(self, case: str) -> tuple[object, ...]:
        states = [job.run.state.value for job in self._ended if job.case == case]
        passed, judged = states.count("pass"), states.count("pass") + states.count("fail")
        state = LOOKS[joint_state(states)]
        return (
            case or "prompt",
            state,
            f"{passed}/{judged}",
            rate_interval(passed, judged),
            _not_judged(states),
        )


def _not_judged(states: Sequence[str]) -> str:
    """Say how many runs were not judged, and why."""
    counts = Counter(state for state in states if state not in ("pass", "fail"))
    return ", ".join(f"{count} {LOOKS[state].word}" for state, count in counts.most_common())


def rate_interval(passed: int, judged: int) -> str:
    """Return a rate's interval; under three runs there is no rate."""
    if judged < TOO_FEW:
        return "too few"
    low, high = wilson(passed, judged)
    return f"{low:.2f} – {high:.2f}"


def joint_state(states: Sequence[str]) -> str:
    """Return the state of several runs together: theirs if they agree, `flaky`, or `too_few` to say."""
    if states and len(set(states)) == 1 and states[0] not in ("pass", "fail"):
        return states[0]
    judged = [state for state in states if state in ("pass", "fail")]
    if len(judged) < TOO_FEW:
        return "too_few"
    return judged[0] if len(set(judged)) == 1 else "flaky"
