"""Fakes written once: a model client that plays a script, a clock that is told the time, a recorder in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import (
    NO_STEP,
    ChunkReceived,
    ExchangeEnded,
    ExchangeEvent,
    ExchangeStarted,
    PartyInfo,
    ResponseStarted,
    RunEvent,
)
from workbench.core.exchange import (
    CallDelta,
    Delta,
    Endpoint,
    FinishDelta,
    NoticeDelta,
    TextDelta,
    Usage,
    UsageDelta,
    WireRequest,
)
from workbench.core.messages import ChatRequest, Message
from workbench.core.protocols import Format
from workbench.core.target import ModelRef, Target
from workbench.core.tools import ToolResult, ToolSetup, ToolSpec
from workbench.engine import Party, RunPlan

WEATHER = ToolSpec(
    "get_weather",
    "Current weather of a city",
    {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
)
READ_FILE = ToolSpec(
    "read_file",
    "Read a file",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)


class FakeClock:
    """Every look at the clock moves it by a millisecond."""

    def __init__(self) -> None:
        self.ticks = 0

    def now_us(self) -> int:
        return 1_760_000_000_000_000 + self.ticks

    def tick_us(self) -> int:
        self.ticks += 1000
        return self.ticks


@dataclass
class Reply:
    """One scripted reply: text in pieces, native calls, or an error."""

    text: str | Sequence[str] = ""
    calls: Sequence[tuple[str, str, str]] = ()
    """`(id, name, arguments)`."""
    finish: str = "stop"
    error: ErrorInfo | None = None
    retry_in: float | None = None
    hang: bool = False
    """Never end after the text: somebody must cancel."""
    send_back: dict[str, Any] = field(default_factory=dict)


@dataclass
class FakeClient:
    """Answers the k-th exchange with the k-th reply; asking once too often is a test's error."""

    replies: list[Reply]
    endpoint: Endpoint = Endpoint("fake", "openai_chat", "http://127.0.0.1:1/v1", simulated=True)
    requests: list[ChatRequest] = field(default_factory=list)

    def encode(self, request: ChatRequest) -> WireRequest:
        body = json.dumps([message.to_openai() for message in request.messages]).encode()
        return WireRequest("POST", f"{self.endpoint.base_url}/chat/completions", (), body)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        self.requests.append(request)
        clock, number = FakeClock(), 0
        while True:
            reply = self.replies.pop(0)
            yield ExchangeStarted(NO_STEP, number, self.encode(request), clock.tick_us())
            if reply.error is None:
                yield ResponseStarted(NO_STEP, number, 200, (), clock.tick_us())
            for index, deltas in enumerate(_chunks(reply)):
                yield ChunkReceived(NO_STEP, number, index, repr(deltas).encode(), clock.tick_us(), deltas)
            if reply.hang:
                await asyncio.Event().wait()
            yield ExchangeEnded(NO_STEP, number, clock.tick_us(), reply.error, reply.retry_in)
            if reply.retry_in is None:
                return
            number += 1


def _chunks(reply: Reply) -> Iterable[tuple[Delta, ...]]:
    for piece in [reply.text] if isinstance(reply.text, str) else reply.text:
        if piece:
            yield (TextDelta(piece),)
    for number, (call_id, name, arguments) in enumerate(reply.calls):
        yield (CallDelta(number, call_id, name, ""),)
        yield (CallDelta(number, "", "", arguments),)
    if reply.send_back:
        yield (NoticeDelta("send_back", "", data=reply.send_back),)
    if reply.error is None:
        yield (FinishDelta(reply.finish), UsageDelta(Usage(10, 5)))


class FakeTools:
    """Gives back a result that names the call."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, object]]] = []

    async def run(self, setup: ToolSetup, call: object, place: object = None) -> ToolResult:
        self.ran.append((call.name, call.arguments))  # type: ignore[attr-defined]
        return ToolResult(True, f"result of {setup.spec.name}")


class RequiredOnly:
    """A schema checker that knows `required` only."""

    def problems(self, tool: ToolSpec, arguments: dict[str, object]) -> list[tuple[tuple[str | int, ...], str]]:
        return [((name,), "is required") for name in tool.required if name not in arguments]


class MemoryRecorder:
    """Keeps what was committed, batch by batch."""

    def __init__(self, fail_after: int | None = None, error: Exception | None = None) -> None:
        self.batches: list[tuple[str, list[RunEvent]]] = []
        self._fail_after, self._error = fail_after, error

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
        await asyncio.sleep(0)
        if self._error is not None and len(self.batches) >= (self._fail_after or 0):
            raise self._error
        self.batches.append((run_id, list(events)))

    @property
    def events(self) -> list[RunEvent]:
        return [event for _, batch in self.batches for event in batch]


REFUSED = ErrorInfo(ErrorKind.AUTH, "The provider refused the key.", status=401)


def party(client: FakeClient, chosen: Format | None) -> Party:
    """A party over a fake client."""
    info = PartyInfo(
        "fake",
        "fake-model",
        "openai_chat",
        client.endpoint.base_url,
        chosen.id if chosen else "none",
        bool(chosen and chosen.native),
        simulated=True,
    )
    return Party(client, info, chosen)


def plan(
    executor: FakeClient,
    chosen: Format,
    *,
    planner: FakeClient | None = None,
    tools: Sequence[ToolSetup] = (ToolSetup(WEATHER), ToolSetup(READ_FILE)),
    target: Target | None = None,
    messages: Sequence[Message] = (Message("user", "Weather in Rome?"),),
    tool_choice: object = None,
) -> RunPlan:
    """A plan over fake clients."""
    from workbench.engine.wrapper import default_wrapper

    return RunPlan(
        run_id="01900000-0000-7000-8000-000000000001",
        messages=tuple(messages),
        target=target or Target(ModelRef("fake", "fake-model"), chosen.id),
        executor=party(executor, chosen),
        planner=party(planner, None) if planner else None,
        tools=tuple(tools),
        tool_choice=tool_choice,  # type: ignore[arg-type]
        wrapper=default_wrapper(),
    )
