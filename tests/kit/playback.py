"""Runs made by the real engine over recorded replies, for tests of everything that reads runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing

from workbench.core.errors import ErrorInfo
from workbench.core.events import CancelCause, PartyInfo, RunEvent, StepRole, VerdictGiven
from workbench.core.exchange import Endpoint, WireRequest
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.target import ModelRef, Policy, Target
from workbench.core.tools import MockRule, ToolSetup, ToolSpec
from workbench.engine import CancelNote, Party, RunPlan, run
from workbench.engine.wrapper import default_wrapper
from workbench.formats import get_format
from workbench.grading.intrinsic import judge
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry
from workbench.schema import JsonSchemaChecker
from workbench.tools.runner import Tools

WEATHER = ToolSetup(
    ToolSpec(
        "get_weather",
        "Current weather of a city",
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    ),
    mock=MockRule("fixed", {"sky": "clear"}),
)
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
BROKEN_CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ro'
STARTED_US = 1_700_000_000_000_000
STREAM = (("content-type", "text/event-stream"),)


def sse(*pieces: str, finish: str | None = "stop", done: bool = True) -> list[bytes]:
    """Server-sent events of an OpenAI stream, one a piece."""
    out = [_record({"content": piece}) for piece in pieces]
    if finish:
        out.append(_record({}, finish))
    return [*out, b"data: [DONE]\n\n"] if done else out


def _record(delta: dict[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'model': 'm', 'choices': [choice]})}\n\n".encode()


def reply(
    *pieces: str,
    finish: str | None = "stop",
    done: bool = True,
    stopped: bool = False,
    error: ErrorInfo | None = None,
    request: WireRequest | None = None,
) -> RecordedStep:
    """One recorded reply: a chunk every millisecond."""
    chunks = tuple((1000 * (i + 1), data) for i, data in enumerate(sse(*pieces, finish=finish, done=done)))
    end = 1000 * (len(chunks) + 1)
    return RecordedStep((RecordedTry(200, STREAM, 500, chunks, end, error, None, request),), stopped=stopped)


def play(
    *steps: RecordedStep,
    planner: Sequence[RecordedStep] = (),
    format_id: str = "qwen_xml",
    policy: Policy = Policy.TOLERANT,
    run_id: str = "01890000-0000-7000-8000-000000000001",
    tools: tuple[ToolSetup, ...] = (WEATHER,),
) -> list[RunEvent]:
    """Run the engine over the replies; return its events, verdict included."""
    return asyncio.run(_play(steps, planner=planner, format_id=format_id, policy=policy, run_id=run_id, tools=tools))


async def _play(
    steps: Sequence[RecordedStep],
    *,
    planner: Sequence[RecordedStep],
    format_id: str,
    policy: Policy,
    run_id: str,
    tools: tuple[ToolSetup, ...],
) -> list[RunEvent]:
    clock = RecordedClock(STARTED_US)
    endpoint = Endpoint("Recorded", "openai_chat", "https://recorded.invalid/v1")
    clients = {
        StepRole.EXECUTOR: RecordedClient(endpoint, steps, clock),
        StepRole.PLANNER: RecordedClient(endpoint, planner, clock),
    }
    found = get_format(format_id)
    info = PartyInfo("Recorded", "m", "openai_chat", endpoint.base_url, found.id, found.native)
    plans = PartyInfo("Recorded", "p", "openai_chat", endpoint.base_url, "none", False)
    ref = ModelRef("Recorded", "p") if planner else None
    plan = RunPlan(
        run_id,
        (Message("user", "How is the weather in Rome?"),),
        Target(ModelRef("Recorded", "m"), found.id, ref, policy=policy),
        Party(clients[StepRole.EXECUTOR], info, found),
        Party(clients[StepRole.PLANNER], plans, None) if planner else None,
        tools,
        wrapper=default_wrapper(),
        title="Weather",
    )
    events: list[RunEvent] = []
    try:
        note = CancelNote(CancelCause.USER)
        async with aclosing(run(plan, Tools(), JsonSchemaChecker(), clock=clock, cancel=note)) as produced:
            async for event in produced:
                events.append(event)
    except asyncio.CancelledError:
        if not any(client.stopped for client in clients.values()):
            raise
    return [*events, VerdictGiven(judge(summarize(events), JsonSchemaChecker()))]
