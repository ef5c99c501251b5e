"""Replay live: what was asked once is asked again, as a new run, and what the model does now is held against the record.

Who sends is handed in. What counts is what was done: calls, problems, results, how it ended. Other words around the same
deeds are no change, since hardly a model says the same twice; they stand in the difference all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.run_summary import RunSummary
from workbench.core.verdict import VerdictState
from workbench.replay.difference import Difference, compare_json
from workbench.replay.offline import outcome_json
from workbench.replay.replay_basis import judged, then
from workbench.replay.result import Replayed, ReplayVerdict, flip

if TYPE_CHECKING:
    from workbench.core.case import Case
    from workbench.core.events import PartyInfo
    from workbench.core.protocols import SchemaChecker
    from workbench.core.verdict import Verdict
    from workbench.store.rows import StoredRun

_SILENT = {
    VerdictState.ERROR: "the provider failed",
    VerdictState.CANCELLED: "it was stopped",
    VerdictState.RUNNING: "it has not ended",
}
"""Verdicts that say nothing about the model, in words."""
ONE_EACH = "One run against one: chance may have done it; repeats in a comparison tell."


@dataclass(frozen=True, slots=True)
class LiveReplay:
    """The record and the run that was made now."""

    verdict: ReplayVerdict
    before: Verdict
    after: Verdict
    difference: Difference
    note: str = ""


def compare_live(stored: StoredRun, fresh: StoredRun, check: SchemaChecker, case: Case | None = None) -> LiveReplay:
    """Hold the run that was made now against the record, both judged by the case if there is one."""
    before = then(stored.verdict, stored.events, case, check)
    after = judged(fresh.events, case, check)
    recorded, sent = stored.summary(), fresh.summary()
    difference = compare_json(outcome_json(recorded), outcome_json(sent))
    notes = [*_moved_on(recorded, sent)]
    silent = [
        f"{when} {_SILENT[one.state]}" for when, one in (("then", before), ("now", after)) if one.state in _SILENT
    ]
    if silent:
        notes.insert(0, f"Nothing to compare: {', '.join(silent)}.")
        return LiveReplay(ReplayVerdict.NOT_COMPARABLE, before, after, difference, " ".join(notes))
    verdict = flip(before, after)
    if verdict in (ReplayVerdict.FIXED, ReplayVerdict.REGRESSED):
        notes.append(ONE_EACH)
    elif verdict is None and compare_json(_deeds(recorded), _deeds(sent)):
        verdict = ReplayVerdict.CHANGED
    elif verdict is None and difference:
        notes.append("Other words, the same deeds.")
    return LiveReplay(verdict or ReplayVerdict.SAME, before, after, difference, " ".join(notes))


def live_result(stored: StoredRun, fresh: StoredRun, check: SchemaChecker, case: Case | None = None) -> Replayed:
    """The same in the shape of all replays."""
    found, row = compare_live(stored, fresh, check, case), stored.run
    return Replayed(
        row.number, row.id, "live", found.verdict, found.before, found.after, (("", found.difference),), found.note,
        row.parser_version, fresh.number, fresh.run.id, case.id if case else "",
    )  # fmt: skip


def not_sent(stored: StoredRun, why: str) -> Replayed:
    """A run that cannot be sent again, such as to a provider that is configured no more."""
    row = stored.run
    return Replayed(
        row.number, row.id, "live", ReplayVerdict.NOT_COMPARABLE, stored.verdict, None, note=why,
        parser_version=row.parser_version,
    )  # fmt: skip


def _deeds(run: RunSummary) -> dict[str, Any]:
    """The outcome without its wording."""
    outcome = outcome_json(run)
    steps = [{key: value for key, value in step.items() if key != "shown"} for step in outcome["steps"]]
    return {"stop": outcome["stop"], "steps": steps, "results": outcome["results"]}


def _moved_on(before: RunSummary, after: RunSummary) -> list[str]:
    """What is not as it was then, beside the reply: each as a sentence."""
    then_by, now_by = _parties(before), _parties(after)
    asked = "" if _asked(before) == _asked(after) else "The case asks something else than was asked then."
    return [
        *filter(None, [asked]),
        *(
            f"The {name} was {then_by[name]!r}, now it is {now_by[name]!r}."
            for name in then_by
            if name in now_by and then_by[name] != now_by[name]
        ),
    ]


def _asked(run: RunSummary) -> Any:
    started = run.started
    return started and (started.messages, started.tools, started.tool_choice)


def _parties(run: RunSummary) -> dict[str, str]:
    started = run.started
    if started is None:
        return {}
    found = _party("", started.executor)
    if started.planner:
        found |= _party("planner's ", started.planner)
    return found | ({"served model": run.served_model} if run.served_model else {})


def _party(whose: str, info: PartyInfo) -> dict[str, str]:
    # the simulator's port is another one at each start, and says nothing
    address = {} if info.simulated else {f"{whose}address": info.base_url}
    return {f"{whose}format": info.format, f"{whose}protocol": info.wire, **address}
