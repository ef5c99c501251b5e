"""Stored events made whole again: what chunks decoded to is rebuilt from the recorded bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, ExchangeEnded, ResponseStarted, RunEvent, StepStarted
from workbench.wires import get_wire, learn_tool_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.protocols import Decoder


def rehydrate(events: Iterable[RunEvent]) -> Iterator[RunEvent]:
    """Yield the events with `ChunkReceived.deltas` filled by today's decoder of the step's wire.

    What a decoder says only at the end of a body comes as a chunk without bytes before `ExchangeEnded`.
    """
    step: StepStarted | None = None
    decoder: Decoder | None = None
    for event in events:
        match event:
            case StepStarted():
                step, decoder = event, None
                learn_tool_names(tool.name for tool in event.request.tools)
            case ResponseStarted(status=status, headers=headers) if step is not None:
                decoder = get_wire(step.wire).decoder(status=status, headers=headers, stream=step.request.stream)
            case ChunkReceived(data=data) if decoder is not None and data:
                event = replace(event, deltas=tuple(decoder.feed(data)))
            case ExchangeEnded() if decoder is not None:
                if last := tuple(decoder.close()):
                    yield ChunkReceived(event.step, event.exchange, -1, b"", event.at_us, last)
                decoder = None
        yield event
