"""A reply that a person wrote, recorded as a run of its own, so that what an agent got is always in the history."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.clock import Clock
from workbench.core.events import (
    NO_STEP,
    ChunkReceived,
    ExchangeEnded,
    ExchangeStarted,
    ParentRun,
    PartyInfo,
    ResponseStarted,
)
from workbench.core.exchange import Endpoint
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.engine import Party
from workbench.formats import get_format
from workbench.store.rows import REPLY
from workbench.wires import get_server, get_wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from workbench.app import Workbench
    from workbench.app.runs import RunDraft
    from workbench.core.events import ExchangeEvent
    from workbench.core.exchange import Delta, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import Recorder
    from workbench.wires.kit.server import ReplyHead

PROVIDER, MODEL = "By hand", "written here"
WIRE, FORMAT = "openai_chat", "native_openai"
EDITED_REQUEST, EDITED_REPLY, ANSWERED = "request edited", "reply edited", "answered here"
"""What a person did, as `ClientRequest.by_hand` has it."""
_ADDRESS = "https://by-hand.invalid/v1"


class HandClient:
    """Implements `ModelClient`: gives one written reply, as a body of Chat Completions."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._clock = Clock()

    @property
    def endpoint(self) -> Endpoint:
        """No server stands behind it."""
        return Endpoint(PROVIDER, WIRE, _ADDRESS)

    def encode(self, request: ChatRequest) -> WireRequest:
        """What a model would have been sent."""
        return get_wire(WIRE).encode(request, self.endpoint)

    async def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Give the reply."""
        tick, headers = self._clock.tick_us(), (("content-type", "application/json"),)
        decoder = get_wire(WIRE).decoder(status=200, headers=headers, stream=False)
        yield ExchangeStarted(NO_STEP, 0, self.encode(request), tick)
        yield ResponseStarted(NO_STEP, 0, 200, headers, tick)
        yield ChunkReceived(NO_STEP, 0, 0, self._body, tick, tuple(decoder.feed(self._body)))
        if last := tuple(decoder.close()):
            yield ChunkReceived(NO_STEP, 0, -1, b"", tick, last)
        yield ExchangeEnded(NO_STEP, 0, tick)


async def record_by_hand(
    wb: Workbench,
    draft: RunDraft,
    head: ReplyHead,
    deltas: Sequence[Delta],
    did: str,
    recorder: Recorder | None,
    model: str = "",
) -> str:
    """Record what a person wrote as the answer to a draft; return the run's id. Raise StoreError.

    `model` is the run of a model's reply that was edited: the new run names it.
    """
    assert draft.client is not None
    info = PartyInfo(PROVIDER, MODEL, WIRE, _ADDRESS, FORMAT, native=True)
    neutral = head._replace(served=replace(head.served, tools={}))  # under the names that the record's tools have
    party = Party(HandClient(get_server(WIRE).whole(neutral, deltas)), info, get_format(FORMAT))
    target = Target(ModelRef(PROVIDER, MODEL), FORMAT, limits=RunLimits(1, feedback_per_iteration=0), stream=False)
    client = replace(draft.client, by_hand=(*draft.client.by_hand, did))
    parent = ParentRun(model, edits=(REPLY,)) if model else draft.parent
    draft = replace(draft, target=target, client=client, parent=parent)
    handle = await wb.runs.start(draft, executor=party, recorder=recorder)
    await handle.wait()
    return handle.run_id
