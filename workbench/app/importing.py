"""Recorded replies become runs: each is played through the real engine, judged and recorded, without any server.

Where a reply has a case with an expectation, the runs of an import are also a batch, so that suites' reports, Compare and
later judgements know them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.app.pasted import tools_of
from workbench.core.batch import Batch, BatchItem, BatchSpec, BatchState, CaseVerdict, ItemState
from workbench.core.clock import Clock, new_id
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import PartyInfo, RunEvent, RunFinished, StopReason, VerdictGiven
from workbench.core.exchange import Endpoint
from workbench.core.masking import Secrets
from workbench.core.run_summary import summarize
from workbench.core.target import FamilyFlags, ModelRef, RunLimits, Target
from workbench.core.tools import ToolMode, ToolResult, ToolSetup
from workbench.core.verdict import VerdictState
from workbench.engine import Party, RunPlan, run
from workbench.export.masked import masked
from workbench.formats import get_format
from workbench.grading.expectation import judge_case
from workbench.grading.sample import sample_of
from workbench.imports.recorded import PROVIDER
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.case import Case
    from workbench.core.protocols import Format, SchemaChecker
    from workbench.core.tools import CallPlace
    from workbench.imports.recorded import RecordedReply
    from workbench.store import Store

ORIGIN = "import"
BASE_URL = "https://recorded.invalid/v1"
TOGETHER = 64
"""Runs that are written in one go."""
MOST = 20_000
"""Runs of one batch; a longer import becomes several."""


_ONCE = RunLimits(iterations=1, feedback_per_iteration=0)
"""There is one reply, and nobody to be told of its faults."""


class _NothingRuns:
    """The tools of recorded calls: they are noted, never executed."""

    async def run(self, setup: ToolSetup, call: ParsedCall, place: CallPlace) -> ToolResult:  # noqa: ARG002
        """Say so, should it ever be asked."""
        return ToolResult(False, None, "Tools of imported replies are not executed.", ToolMode.RECORD)


async def play(reply: RecordedReply, check: SchemaChecker, secrets: Secrets) -> tuple[list[RunEvent], CaseVerdict]:
    """Make the run of one reply, judged; nothing is recorded."""
    started = reply.started_us or Clock().now_us()
    plan = _plan(reply, started, secrets)
    client = plan.executor.client
    assert isinstance(client, RecordedClient)
    events: list[RunEvent] = []
    async with aclosing(run(plan, _NothingRuns(), check, clock=client.clock)) as produced:
        async for event in produced:
            if reply.unsaid and isinstance(event, RunFinished):
                event = replace(event, stop=StopReason.RECORDED, reason="the record tells of no call, and of no words")
            events.append(event)
    events, _ = masked(events, secrets)
    result = secrets.mask_value(judge_case(summarize(events), reply.case, check))
    return [*events, VerdictGiven(result.verdict)], result


def target_of(reply: RecordedReply) -> Target:
    """Under what its run is counted."""
    return Target(ModelRef(PROVIDER, reply.model), reply.format, limits=_ONCE, stream=reply.streamed)


def _plan(reply: RecordedReply, started_us: int, secrets: Secrets) -> RunPlan:
    chosen, target = get_format(reply.format), target_of(reply)
    attempt = RecordedTry(
        200,
        (("content-type", "text/event-stream" if reply.streamed else "application/json"),),
        chunks=((reply.duration_us, secrets.mask_bytes(reply.body)),),
        done_us=reply.duration_us,
    )
    if reply.error:
        attempt = RecordedTry(error=ErrorInfo(ErrorKind.PROTOCOL, reply.error, "imported record"))
    client = RecordedClient(
        Endpoint(PROVIDER, reply.wire, BASE_URL), [RecordedStep((attempt,))], RecordedClock(started_us)
    )
    info = PartyInfo(PROVIDER, reply.model, reply.wire, BASE_URL, chosen.id, chosen.native)
    tools = tuple(replace(setup, mode=ToolMode.RECORD) for setup in reply.case.tools) or _tools_of(reply, chosen)
    return RunPlan(
        run_id=new_id(started_us),
        messages=reply.case.messages,
        target=target,
        executor=Party(client, info, chosen, FamilyFlags()),
        tools=tools,
        tool_choice=reply.case.tool_choice,
        title=reply.case.title,
        origin=ORIGIN,
    )


def _tools_of(reply: RecordedReply, chosen: Format) -> tuple[ToolSetup, ...]:
    """The tools that were called, where the record does not say which were offered."""
    if not reply.tools_unknown:
        return ()
    read = chosen.read_native(reply.text, reply.calls, None) if reply.calls else chosen.parse(reply.text, None)
    return tuple(ToolSetup(spec, ToolMode.RECORD) for spec in tools_of(read.calls))


class ImportedBatch(NamedTuple):
    """Runs of one suite that were imported together."""

    id: str
    suite: str
    runs: int
    passed: int

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        return self._asdict()


class _Made(NamedTuple):
    """One run of a batch to be."""

    case: Case
    target: Target
    run_id: str
    result: CaseVerdict
    item: BatchItem


@dataclass(slots=True)
class ReplyImport:
    """Takes recorded replies; `finish` writes what is left, also after a cancel."""

    store: Store
    check: SchemaChecker
    secrets: Secrets
    verdicts: Counter[VerdictState] = field(default_factory=Counter)
    first: int = 0
    """Number of the first run."""
    last: int = 0
    batches: list[ImportedBatch] = field(default_factory=list)
    """The batches that were made."""
    _waiting: list[tuple[str, list[RunEvent]]] = field(default_factory=list)
    _made: dict[str, list[_Made]] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many were recorded, or are about to be."""
        return self.verdicts.total()

    async def take(self, reply: RecordedReply) -> None:
        """Make and judge the run of a reply; raise WorkbenchError where it cannot be one."""
        reply = replace(reply, case=self.secrets.mask_value(reply.case))  # it is kept with the batch
        events, result = await play(reply, self.check, self.secrets)
        summary = summarize(events)
        self._waiting.append((summary.run_id, events))
        self.verdicts[result.verdict.state] += 1
        if reply.case.expectation is not None:
            suite = reply.suite or "imported"
            item = BatchItem(
                0, reply.case.id, 0, 0, 0, ItemState.DONE, summary.run_id, result, sample_of(summary, reply.case)
            )
            made = self._made.setdefault(suite, [])
            made.append(_Made(reply.case, target_of(reply), summary.run_id, result, item))
        if len(self._waiting) >= TOGETHER:
            await self._write()
        if len(self._made.get(reply.suite or "imported", ())) >= MOST:
            await self._write()
            self._keep(reply.suite or "imported")

    async def finish(self) -> None:
        """Write everything that waits."""
        await self._write()
        for suite in list(self._made):
            self._keep(suite)

    async def _write(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        await asyncio.gather(*(self.store.recorder.commit(run_id, events) for run_id, events in waiting))
        self.first = self.first or self.store.find(waiting[0][0]).number
        self.last = self.store.find(waiting[-1][0]).number

    def _keep(self, suite: str) -> None:
        made = self._made.pop(suite)
        if not made:
            return
        batch = batch_of(suite, made)
        self.store.batches.add(batch)
        passed = sum(one.result.verdict.state is VerdictState.PASS for one in made)
        self.batches.append(ImportedBatch(batch.spec.id, suite, len(made), passed))


def batch_of(suite: str, made: list[_Made]) -> Batch:
    """The runs as a batch that is done: cases by id, targets by model and format, repeats as they came."""
    cases = {one.case.id: one.case for one in made}
    targets = {one.target.identity(): one.target for one in made}
    places = {identity: place for place, identity in enumerate(targets)}
    seen: Counter[tuple[str, str]] = Counter()
    items = []
    for position, one in enumerate(made):
        key = one.case.id, one.target.identity()
        items.append(replace(one.item, position=position, target=places[key[1]], repeat=seen[key]))
        seen[key] += 1
    now = Clock().now_us()
    spec = BatchSpec(
        new_id(now), f"{suite} (imported)", suite, tuple(cases.values()), tuple(targets.values()),
        max(seen.values()), 0, 1, now,
    )  # fmt: skip
    return Batch(spec, tuple(items), BatchState.DONE)
