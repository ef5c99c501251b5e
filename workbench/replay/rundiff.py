"""Two recorded runs beside each other: what was asked differently, and what came of it differently.

Ids, times and numbers of runs are no differences. Where the configuration differs, other outcomes are no wonder: that is
said apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import parse_json
from workbench.core.run_summary import RunSummary
from workbench.replay.difference import Change, Difference, compare_json
from workbench.store.codec import to_json

if TYPE_CHECKING:
    from workbench.core.events import StepReply
    from workbench.core.target import Target
    from workbench.core.verdict import Verdict
    from workbench.store.rows import StoredRun


SEED = "configuration.sampling.seed"


@dataclass(frozen=True, slots=True)
class RunDifference:
    """Where two runs differ."""

    asked: Difference
    """Configuration, messages, tools, parser."""
    came: Difference
    """Verdict, calls, problems, results, answer, raw replies."""

    @property
    def word(self) -> str:
        """`same`, `config differed` or `changed`; another seed alone is a repeat, no other configuration."""
        if any(change.path != SEED for change in self.asked.changes):
            return "config differed"
        return "changed" if self else "same"

    @property
    def changes(self) -> tuple[Change, ...]:
        """All places, what was asked first."""
        return (*self.asked.changes, *self.came.changes)

    @property
    def folded(self) -> tuple[str, ...]:
        """What was treated as equal."""
        return (*self.asked.folded, *self.came.folded)

    def __bool__(self) -> bool:
        return bool(self.asked or self.came)


def compare_runs(first: StoredRun, second: StoredRun) -> RunDifference:
    """Compare two recorded runs."""
    one, other = first.summary(), second.summary()
    return RunDifference(
        compare_json(_asked(one), _asked(other)),
        compare_json(_came(one, first.verdict), _came(other, second.verdict)),
    )


def _asked(run: RunSummary) -> dict[str, Any]:
    started = run.started
    if started is None:
        return {}
    return {
        "configuration": _configuration(started.target),
        "messages": _plain(started.messages),
        "tools": _plain(started.tools),
        "tool_choice": _plain(started.tool_choice),
        "parser_version": started.parser_version,
    }


def _configuration(target: Target) -> dict[str, Any]:
    """With provider and model by name, not by their place in a pair."""
    planner = target.planner._asdict() if target.planner else None
    return {**_plain(target), "executor": target.executor._asdict(), "planner": planner}


def _came(run: RunSummary, verdict: Verdict) -> dict[str, Any]:
    started, finished = run.started, run.finished
    replies = [reply for _, reply in run.replies]
    return {
        "verdict": verdict.state.value,
        "codes": list(verdict.codes),
        "stop": finished.stop.value if finished else None,
        "format": started.executor.format if started else None,
        "calls": [call for reply in replies for call in _calls(reply)],
        "problems": [_problem(reply, place) for reply in replies for place in range(len(reply.result.problems))],
        "results": [ended.result.to_json() for ended in run.results],
        "answer": finished.answer if finished else None,
        "loops": run.loops,
        "replies": [reply.text for reply in replies],
    }


def _calls(reply: StepReply) -> list[dict[str, Any]]:
    return [
        {
            "name": call.name,
            "arguments": call.arguments,
            "outcome": call.outcome.value,
            "repairs": sorted(call.repairs),
            "format": call.format,
        }
        for call in reply.result.calls
    ]


def _problem(reply: StepReply, place: int) -> dict[str, Any]:
    problem = reply.result.problems[place]
    return {"code": problem.code, "outcome": problem.outcome.value if problem.outcome else None}


def _plain(value: Any) -> Any:
    return parse_json(to_json(value))
