"""A pasted reply as a run: played through the real engine as if a model had just said it, so that it can be kept.

Nothing is sent and nothing is executed: tools are only recorded, and the run ends after the calls.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.app.examples import PROVIDER, WIRE, play_plan
from workbench.core.clock import Clock
from workbench.core.events import PartyInfo, StepRole
from workbench.core.exchange import Endpoint
from workbench.core.messages import Message
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.engine import Party, RunPlan
from workbench.formats import get_format
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry
from workbench.tools.runner import Tools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.forensics import Specimen
    from workbench.core.calls import ParsedCall
    from workbench.core.protocols import SchemaChecker
    from workbench.store.rows import StoredRun

MODEL = "pasted"
RUN_ID = "pasted"
"""Of a run that is in no history."""
PASTED = "pasted"
"""Origin of such a run."""
UNKNOWN_PROMPT = "(What the model was asked is not known: write it here.)"
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


async def play_reply(specimen: Specimen, format_id: str, check: SchemaChecker) -> StoredRun:
    """Return the run that this reply makes when `format_id` is asked for; it is in no history (number 0)."""
    found = get_format(format_id)
    tools = specimen.tools or tools_of(found.parse(specimen.text, None, specimen.reason or None).calls)
    clock = RecordedClock(Clock().now_us())
    endpoint = Endpoint(PROVIDER, WIRE, "https://recorded.invalid/v1")
    client = RecordedClient(endpoint, [RecordedStep((_exchange(specimen),))], clock)
    info = PartyInfo(PROVIDER, MODEL, WIRE, endpoint.base_url, found.id, found.native)
    plan = RunPlan(
        run_id=RUN_ID,
        messages=(Message("user", specimen.title or UNKNOWN_PROMPT),),
        target=Target(ModelRef(PROVIDER, MODEL), found.id, limits=RunLimits(iterations=1, feedback_per_iteration=0)),
        executor=Party(client, info, found, specimen.flags),
        planner=None,
        tools=tuple(ToolSetup(tool, ToolMode.RECORD) for tool in tools),
        wrapper="",
        title=specimen.title or "Pasted reply",
        origin=PASTED,
    )
    return await play_plan(plan, {StepRole.EXECUTOR: client}, Tools(), check)


def tools_of(calls: Sequence[ParsedCall]) -> tuple[ToolSpec, ...]:
    """Tools that would allow these calls, where nobody said which tools there were."""
    properties: dict[str, dict[str, Any]] = {}
    for call in calls:
        known = properties.setdefault(call.name, {})
        known |= {key: {"type": _TYPES[type(value)]} for key, value in call.arguments.items() if type(value) in _TYPES}
    return tuple(
        ToolSpec(name, "", {"type": "object", "properties": known}) for name, known in properties.items() if name
    )


def _exchange(specimen: Specimen) -> RecordedTry:
    """The reply as a stream of one chunk, or of the chunks in which it came."""
    pieces = [chunk.text for chunk in specimen.chunks if chunk.text]
    if "".join(pieces) != specimen.text:
        pieces = [specimen.text]
    return chat_stream([{"content": piece} for piece in pieces], specimen.reason)


def chat_stream(deltas: Sequence[dict[str, Any]], reason: str, usage: dict[str, Any] | None = None) -> RecordedTry:
    """A reply of OpenAI's chat protocol as a stream, one chunk for each delta, a millisecond apart."""
    records: list[dict[str, Any]] = [{"delta": delta, "finish_reason": None} for delta in deltas]
    records.append({"delta": {}, "finish_reason": reason or "stop"})
    events: list[dict[str, Any]] = [{"choices": [{"index": 0, **record}]} for record in records]
    if usage:
        events.append({"choices": [], "usage": usage})
    chunks = [(number * 1_000, f"data: {json.dumps(event)}\n\n".encode()) for number, event in enumerate(events)]
    end = len(events) * 1_000
    return RecordedTry(200, (("content-type", "text/event-stream"),), 0, (*chunks, (end, b"data: [DONE]\n\n")), end)
