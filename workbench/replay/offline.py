"""Replay offline: the whole engine runs again over a run's recorded exchanges and tool results. Never the network.

The planner, the parsers, the feedback and the loop are today's; what the models and tools said is what was recorded.
A request that differs today is noted and answered all the same; where nothing is recorded any more, the run has taken
another way.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.approvals import ApprovalDecision, DecidedBy
from workbench.core.clock import new_id
from workbench.core.errors import InvalidInput
from workbench.core.events import StepRole
from workbench.core.exchange import Endpoint
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.tools import ToolResult
from workbench.engine import Party, RunPlan, run
from workbench.engine.wrapper import default_wrapper
from workbench.formats import get_format
from workbench.replay.difference import Difference, compare_json, same_json
from workbench.replay.recorded import RecordedClient, RecordedClock, RequestChange, recorded_steps
from workbench.replay.replay_basis import judged, then
from workbench.replay.result import ReplayVerdict, flip

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from workbench.core.approvals import ApprovalRequest
    from workbench.core.calls import ParsedCall
    from workbench.core.case import Case
    from workbench.core.events import PartyInfo, RunEvent, RunStarted
    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import CallPlace, ToolSetup
    from workbench.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class OfflineReplay:
    """What came of it."""

    verdict: ReplayVerdict
    before: Verdict
    after: Verdict
    events: tuple[RunEvent, ...]
    """Today's run."""
    difference: Difference
    """Between the recorded outcome and today's."""
    requests: tuple[RequestChange, ...] = ()
    """Requests that are not what was sent then."""
    note: str = ""


class RecordedTools:
    """Gives the recorded results back: that of the same call if there is one, else the next of the same tool."""

    def __init__(self, run: RunSummary) -> None:
        self._left = list(run.executed_calls)
        self.missing = 0
        """Calls that were never recorded."""

    async def run(self, setup: ToolSetup, call: ParsedCall, place: CallPlace) -> ToolResult:  # noqa: ARG002
        """Return a recorded result, or say that there is none."""
        same_tool = [i for i, (name, _, _) in enumerate(self._left) if name == call.name]
        exact = [i for i in same_tool if same_json(self._left[i][1], call.arguments)]
        if not same_tool:
            self.missing += 1
            return ToolResult(False, None, f"No result of {setup.spec.name!r} was recorded for this call.", setup.mode)
        return self._left.pop((exact or same_tool)[0])[2]


class RecordedApprovals:
    """Gives the recorded decisions again; implements `core.approvals.Approver`."""

    def __init__(self, run: RunSummary) -> None:
        self._decisions = run.decisions
        self.missing = 0
        """Calls that nobody was asked about then."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Return what was decided about the same call, or refuse."""
        found = self._decisions.get((request.step, request.index))
        if found is None:
            self.missing += 1
        return found or ApprovalDecision(False, DecidedBy.NOBODY)


async def replay_offline(
    events: Sequence[RunEvent], before: Verdict, check: SchemaChecker, case: Case | None = None
) -> OfflineReplay:
    """Run a recorded run again over its record; raise UnknownName if its format is gone."""
    summary = summarize(events)
    started = summary.started
    if started is None:
        raise InvalidInput("The record does not say how the run began, so it cannot be run again.")
    clock = RecordedClock(started.started_us)
    recorded = recorded_steps(events)
    clients = {role: RecordedClient(_endpoint(_party(started, role)), recorded[role], clock) for role in StepRole}
    tools, approvals = RecordedTools(summary), RecordedApprovals(summary)
    plan = _plan(started, clients)
    found = await _events_of(run(plan, tools, check, approver=approvals, clock=clock), clients)
    before, after = then(before, events, case, check), judged(found, case, check)
    return _conclude(
        events, found, before=before, after=after, clients=clients, missing=tools.missing + approvals.missing
    )


async def _events_of(
    produced: AsyncGenerator[RunEvent, None], clients: dict[StepRole, RecordedClient]
) -> list[RunEvent]:
    """Today's events; a cancel that is part of the record ends them, one that is meant for us goes on."""
    found: list[RunEvent] = []
    task = asyncio.current_task()
    try:
        async with aclosing(produced) as today:
            async for event in today:
                found.append(event)  # noqa: PERF401  what came before a cancel counts
    except asyncio.CancelledError:
        if task is None or task.cancelling() or not any(client.stopped for client in clients.values()):
            raise
    return found


def _conclude(
    events: Sequence[RunEvent],
    today: list[RunEvent],
    *,
    before: Verdict,
    after: Verdict,
    clients: dict[StepRole, RecordedClient],
    missing: int,
) -> OfflineReplay:
    difference = compare_json(outcome_json(summarize(events)), outcome_json(summarize(today)))
    off_the_record = any(client.exhausted for client in clients.values()) or missing > 0
    requests = tuple(change for client in clients.values() for change in client.changes)
    verdict, note = ReplayVerdict.SAME, ""
    if off_the_record:
        verdict, note = ReplayVerdict.CHANGED, "The run goes another way today, beyond what was recorded."
    elif difference:
        verdict = flip(before, after) or ReplayVerdict.CHANGED
    return OfflineReplay(verdict, before, after, tuple(today), difference, requests, note)


def outcome_json(run: RunSummary) -> dict[str, Any]:
    """Return what counts in a run's outcome, as JSON: calls, problems, results, answer, why it stopped."""
    finished = run.finished
    return {
        "stop": finished.stop.value if finished else None,
        "answer": finished.answer if finished else None,
        "steps": [
            {
                "calls": [
                    {"name": call.name, "arguments": call.arguments, "outcome": call.outcome.value}
                    for call in reply.result.calls
                ],
                "problems": [problem.code for problem in reply.result.problems],
                "shown": reply.sanitized,
            }
            for _, reply in run.replies
        ],
        "results": [ended.result.to_json() for ended in run.results],
    }


def _party(started: RunStarted, role: StepRole) -> PartyInfo:
    return started.planner if role is StepRole.PLANNER and started.planner else started.executor


def _endpoint(info: PartyInfo) -> Endpoint:
    return Endpoint(info.provider, info.wire, info.base_url, simulated=info.simulated)


def _plan(started: RunStarted, clients: dict[StepRole, RecordedClient]) -> RunPlan:
    info = started.executor
    planner = Party(clients[StepRole.PLANNER], started.planner, None) if started.planner else None
    return RunPlan(
        run_id=new_id(started.started_us),
        messages=started.messages,
        target=started.target,
        executor=Party(clients[StepRole.EXECUTOR], info, get_format(info.format), info.family),
        planner=planner,
        tools=started.tools,
        tool_choice=started.tool_choice,
        wrapper=started.target.wrapper or default_wrapper(),
        title=started.title,
        origin="replay",
    )
