from __future__ import annotations

from workbench.app.rehydrate import rehydrate
from workbench.core.events import ChunkReceived, ExchangeEnded, ResponseStarted, StepRole, StepStarted
from workbench.core.exchange import FaultDelta, TextDelta
from workbench.core.messages import ChatRequest, Message

REQUEST = ChatRequest("m", (Message("user", "x"),))
BODY = b'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[{"index":0,"delta":{"content":" you"}}]}\n\n'


def events(*chunks: bytes) -> list:
    head = ResponseStarted(0, 0, 200, (("content-type", "text/event-stream"),), 2)
    return [
        StepStarted(0, 0, StepRole.EXECUTOR, REQUEST, "qwen_xml", "openai_chat", (), 1),
        head,
        *[ChunkReceived(0, 0, index, data, 3 + index) for index, data in enumerate(chunks)],
        ExchangeEnded(0, 0, 9),
    ]


def test_deltas_are_rebuilt_from_any_chunks() -> None:
    for cut in range(1, len(BODY)):
        found = [event for event in rehydrate(events(BODY[:cut], BODY[cut:])) if isinstance(event, ChunkReceived)]
        text = "".join(delta.text for event in found for delta in event.deltas if isinstance(delta, TextDelta))
        assert text == "Hello you"


def test_final_deltas_precede_the_exchange_end() -> None:
    found = list(rehydrate(events(BODY)))
    assert isinstance(found[-1], ExchangeEnded)
    last = found[-2]
    assert isinstance(last, ChunkReceived)
    assert any(isinstance(delta, FaultDelta) for delta in last.deltas), "the stream has no end mark: it was cut off"


def test_other_events_pass_unchanged() -> None:
    given = events()
    assert [event for event in rehydrate(given) if not isinstance(event, ChunkReceived)] == given
