"""Recorded failures to explore without a key: shipped recordings, played through the real engine when opened.

Nothing about the outcome is stored but what the list shows; verdict, calls and problems are what today's parser makes
of the recorded bytes.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.events import (
    CancelCause,
    PartyInfo,
    RunEvent,
    StepRole,
    VerdictGiven,
)
from workbench.core.exchange import Endpoint
from workbench.core.json_text import parse_json
from workbench.core.messages import message_from_openai
from workbench.core.resources import resource_path
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.target import FamilyFlags, ModelRef, RunLimits, Sampling, Target
from workbench.engine import CancelNote, Party, RunPlan, run
from workbench.engine.wrapper import default_wrapper
from workbench.formats import get_format
from workbench.grading.intrinsic import judge
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry
from workbench.store.rows import RunRow, StoredRun
from workbench.tools.toolset import setups_from_json

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from workbench.core.protocols import SchemaChecker, ToolRunner
    from workbench.core.verdict import Verdict

PROVIDER = "Recorded"
WIRE = "openai_chat"
RECORDED_US = 1_763_596_800_000_000
"""When the recordings are said to have been made: the same in each playback."""


@dataclass(frozen=True, slots=True)
class Example:
    """One line of the list of recorded failures, and what is explained beside it."""

    id: str
    title: str
    subtitle: str
    """The telling part of the raw output."""
    format: str
    """Format id, `boost · …` with a planner."""
    code: str
    """The failure code that counts, or what to notice in a good run."""
    state: str
    """A verdict state."""
    headline: str
    what: str
    where: str
    next: str


class Examples:
    """The shipped recordings."""

    def __init__(self, tools: ToolRunner, check: SchemaChecker, folder: Path | None = None) -> None:
        self._tools, self._check = tools, check
        self._folder = folder or resource_path("examples")
        self._documents: dict[str, dict[str, Any]] = {}

    def list(self) -> tuple[Example, ...]:
        """All recordings in order; nothing is run for it."""
        return tuple(_example(name, document) for name, document in self._all().items())

    async def open(self, example_id: str) -> StoredRun:
        """Play one through the engine; return it as a stored run (number 0: it is not in the history)."""
        document = self._all().get(example_id)
        if document is None:
            raise UnknownName("recorded example", example_id, self._all())
        clock = RecordedClock(RECORDED_US)
        clients = {role: RecordedClient(_endpoint(), _steps(document, role), clock) for role in StepRole}
        return await play_plan(_plan(example_id, document, clients), clients, self._tools, self._check)

    def _all(self) -> dict[str, dict[str, Any]]:
        if not self._documents:
            for path in sorted(self._folder.glob("*.json")):
                self._documents[path.stem] = _read(path)
        return self._documents


async def play_plan(
    plan: RunPlan, clients: dict[StepRole, RecordedClient], tools: ToolRunner, check: SchemaChecker
) -> StoredRun:
    """Run a plan over recorded clients, which share a clock; judge what comes of it."""
    clock = clients[StepRole.EXECUTOR].clock
    events = await _play(run(plan, tools, check, clock=clock, cancel=CancelNote(CancelCause.USER)), clients)
    summary = summarize(events)
    verdict = judge(summary, check)
    return StoredRun(_row(summary, verdict), (*events, VerdictGiven(verdict)))


async def _play(produced: AsyncGenerator[RunEvent, None], clients: dict[StepRole, RecordedClient]) -> list[RunEvent]:
    events: list[RunEvent] = []
    try:
        async with aclosing(produced):
            async for event in produced:
                events.append(event)  # noqa: PERF401 - what came before a cancel is kept
    except asyncio.CancelledError:
        # a recorded cancel is raised by the recording itself; any other one is meant for us
        if not any(client.stopped for client in clients.values()):
            raise
    return events


def _read(path: Path) -> dict[str, Any]:
    try:
        document = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"The recorded example {path.name!r} cannot be read: {error}.") from error
    if not isinstance(document, dict):
        raise InvalidInput(f"The recorded example {path.name!r} is not an object.")
    return document


def _example(name: str, document: dict[str, Any]) -> Example:
    told, target = document["explanation"], document["target"]
    return Example(
        id=name,
        title=document["title"],
        subtitle=document["subtitle"],
        format=f"boost · {target['format']}" if "planner" in target else target["format"],
        code=document["code"],
        state=document["state"],
        headline=told["headline"],
        what=told["what"],
        where=told["where"],
        next=told["next"],
    )


def _endpoint() -> Endpoint:
    return Endpoint(PROVIDER, WIRE, "https://recorded.invalid/v1")


def _steps(document: dict[str, Any], role: StepRole) -> list[RecordedStep]:
    return [
        RecordedStep(tuple(_try(attempt) for attempt in step["tries"]), stopped=bool(step.get("stopped")))
        for step in document["exchanges"]
        if step["role"] == role.value
    ]


def _try(attempt: dict[str, Any]) -> RecordedTry:
    return RecordedTry(
        status=attempt["status"],
        headers=tuple((name, value) for name, value in attempt["headers"]),
        head_us=attempt["head_us"],
        chunks=tuple((at_us, text.encode()) for at_us, text in attempt["chunks"]),
        done_us=attempt["done_us"],
        retry_in=attempt.get("retry_in"),
    )


def _plan(example_id: str, document: dict[str, Any], clients: dict[StepRole, RecordedClient]) -> RunPlan:
    told = document["target"]
    found = get_format(told["format"])
    planner = told.get("planner")
    target = Target(
        ModelRef(PROVIDER, told["model"]),
        found.id,
        ModelRef(PROVIDER, planner) if planner else None,
        Sampling(temperature=told.get("temperature"), max_tokens=told.get("max_tokens"), seed=told.get("seed")),
        limits=RunLimits(iterations=told.get("iterations", RunLimits().iterations)),
        stream=told.get("stream", True),
    )
    endpoint = clients[StepRole.EXECUTOR].endpoint
    info = PartyInfo(PROVIDER, told["model"], WIRE, endpoint.base_url, found.id, found.native)
    return RunPlan(
        run_id=f"example:{example_id}",
        messages=tuple(message_from_openai(item) for item in document["messages"]),
        target=target,
        executor=Party(clients[StepRole.EXECUTOR], info, found, FamilyFlags()),
        planner=_planner(planner, clients[StepRole.PLANNER]) if planner else None,
        tools=setups_from_json({"tools": document["tools"], "mocks": document["mocks"]}, repr(example_id)),
        wrapper=default_wrapper() if planner else "",
        title=document["title"],
        origin="example",
    )


def _planner(model: str, client: RecordedClient) -> Party:
    return Party(client, PartyInfo(PROVIDER, model, WIRE, client.endpoint.base_url, "none", False), None)


def _row(run: RunSummary, verdict: Verdict) -> RunRow:
    started, finished = run.started, run.finished
    assert started is not None
    assert finished is not None
    target = started.target
    return RunRow(
        number=0,
        id=started.run_id,
        started_us=started.started_us,
        title=started.title,
        prompt=run.prompt,
        provider=started.executor.provider,
        model=started.executor.model,
        format=started.executor.format,
        mode=target.mode,
        planner=started.planner.model if started.planner else "",
        wire=started.executor.wire,
        origin=started.origin,
        simulated=False,
        verdict=verdict,
        duration_us=run.duration_us,
        steps=run.step_count,
        calls=run.call_count,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        stop=finished.stop.value,
        target=target.label,
        target_id=started.target_id,
        parser_version=started.parser_version,
        tools=run.called_tools,
    )
