"""What a finished run comes down to: the JSON document of `run --json`, and the closing lines of `run` and `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cli.facts import plain
from workbench.cli.narrate import error_text
from workbench.cli.output import LOOKS, styled, write
from workbench.cli.text import visible
from workbench.core.events import (
    LoopStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    ToolFinished,
    VerdictGiven,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.events import RunEvent, StepReply
    from workbench.core.verdict import Verdict


class Outcome:
    """A run's events folded into what a reader wants first."""

    def __init__(self, events: Iterable[RunEvent], number: int | None, verdict: Verdict | None = None) -> None:
        self.number, self.verdict = number, verdict
        self.started: RunStarted | None = None
        self.finished: RunFinished | None = None
        self.loops = 0
        self.steps: list[tuple[StepStarted, StepReply]] = []
        self.results: list[ToolFinished] = []
        self._asked: dict[int, StepStarted] = {}
        for event in events:
            self._take(event)

    def _take(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self.started = event
            case LoopStarted():
                self.loops += 1
            case StepStarted():
                self._asked[event.step] = event
            case StepFinished():
                self.steps.append((self._asked[event.step], event.reply))
            case ToolFinished():
                self.results.append(event)
            case RunFinished():
                self.finished = event
            case VerdictGiven():
                self.verdict = event.verdict
            case _:
                pass

    @property
    def state(self) -> str:
        """The verdict's state."""
        return self.verdict.state.value if self.verdict else "running"

    def document(self) -> dict[str, Any]:
        """Return the run as one JSON document."""
        started, finished, verdict = self.started, self.finished, self.verdict
        return {
            "id": started.run_id if started else None,
            "number": self.number,
            "target": started.target.label if started else None,
            "simulated": started.executor.simulated if started else None,
            "format": started.executor.format if started else None,
            "verdict": self.state,
            "basis": verdict.basis.value if verdict else None,
            "reason": verdict.reason if verdict else "",
            "codes": list(verdict.codes) if verdict else [],
            "stop": finished.stop.value if finished else None,
            "answer": finished.answer if finished else "",
            "calls": [call for started, reply in self.steps for call in _calls(started.step, reply)],
            "results": [
                {"step": item.step, "index": item.index, "call_id": item.call_id, **item.result.to_json()}
                for item in self.results
            ],
            "problems": [problem for started, reply in self.steps for problem in _problems(started.step, reply)],
            "loops": self.loops,
            "steps": [_step(started, reply) for started, reply in self.steps],
            "usage": {
                "input": finished.totals.input_tokens if finished else None,
                "output": finished.totals.output_tokens if finished else None,
            },
            "seconds": round(finished.totals.duration_us / 1e6, 6) if finished else None,
            "error": plain(finished.error) if finished and finished.error else None,
        }

    def write(self) -> None:
        """Write the answer, then the verdict on a line of its own."""
        if self.finished:
            if self.finished.answer:
                write(visible(self.finished.answer))
            if self.finished.error:
                write(f"▲ {error_text(self.finished.error)}")
        styled(LOOKS[self.state], f"  {self.summary()}")

    def summary(self) -> str:
        """Return why the verdict is so, and the run's size, on one line."""
        told = self.finished is not None and self.finished.error is not None  # stands on a line of its own
        parts = [self.verdict.reason if self.verdict and not told else ""]
        if self.verdict and self.verdict.codes:
            parts.append(" ".join(self.verdict.codes))
        if self.number:
            parts.append(f"run {self.number}")
        if self.finished:
            totals = self.finished.totals
            parts += [_count(totals.steps, "step"), _count(totals.calls, "call")]
            parts += [f"{totals.input_tokens} in / {totals.output_tokens} out", f"{totals.duration_us / 1e6:.2f} s"]
        if self.started and self.started.executor.simulated:
            parts.append("simulated")
        return " · ".join(part for part in parts if part)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _calls(step: int, reply: StepReply) -> list[dict[str, Any]]:
    return [
        {
            "step": step,
            "name": call.name,
            "arguments": call.arguments,
            "id": call.id,
            "outcome": call.outcome.value,
            "repairs": list(call.repairs),
            "span": [call.span.start, call.span.end],
            "format": call.format,
        }
        for call in reply.result.calls
    ]


def _problems(step: int, reply: StepReply) -> list[dict[str, Any]]:
    return [{"step": step, **plain(problem)} for problem in reply.result.problems]


def _step(started: StepStarted, reply: StepReply) -> dict[str, Any]:
    return {
        "step": started.step,
        "loop": started.loop,
        "role": started.role.value,
        "raw": reply.text,
        "reasoning": reply.reasoning,
        "sanitized": reply.sanitized,
        "finish_reason": reply.finish_reason,
        "outcome": reply.result.outcome.value,
        "calls": len(reply.result.calls),
        "served_model": reply.served_model,
        "seconds": round(reply.timing.total / 1e6, 6),
        "error": plain(reply.error) if reply.error else None,
    }


def outcomes_state(states: Sequence[str]) -> str:
    """Return the state of several runs together: theirs if they agree, `flaky`, or `too_few` to say."""
    if states and len(set(states)) == 1 and states[0] not in ("pass", "fail"):
        return states[0]
    judged = [state for state in states if state in ("pass", "fail")]
    if len(judged) < 3:
        return "too_few"
    return judged[0] if len(set(judged)) == 1 else "flaky"
