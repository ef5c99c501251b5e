"""The HTTP tries of a run, each folded into one value: what was sent, what came, and when each piece of it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted, ResponseStarted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.errors import ErrorInfo
    from workbench.core.exchange import Headers, WireRequest
    from workbench.export.exported_run import ExportedRun

UNPACKED = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers that speak of the bytes on the wire; recorded bodies are unpacked."""


@dataclass(slots=True)
class RecordedExchange:
    """One try; times are microseconds."""

    run_id: str
    step: int
    exchange: int
    request: WireRequest
    begun_us: int
    """UTC."""
    status: int = 0
    """0: no response came."""
    headers: Headers = ()
    first_us: int = 0
    """When the response's head came, since the request; here and below."""
    chunks: list[tuple[int, bytes]] = field(default_factory=list)
    """When each piece of the body came, and its bytes."""
    ended_us: int = 0
    error: ErrorInfo | None = None

    @property
    def body(self) -> bytes:
        """The response's body as far as it came, unpacked."""
        return b"".join(data for _, data in self.chunks)

    @property
    def name(self) -> str:
        """How it is named to people."""
        return f"run {self.run_id}, step {self.step}, try {self.exchange}"

    def header(self, name: str) -> str:
        """A header of the response; empty if there is none."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def recorded_exchanges(exported: ExportedRun) -> list[RecordedExchange]:
    """All tries of a run, in the order in which they began."""
    found: dict[tuple[int, int], RecordedExchange] = {}
    begun: dict[tuple[int, int], int] = {}
    for event in exported.events:
        if isinstance(event, ExchangeStarted):
            key = event.step, event.exchange
            begun[key] = event.at_us
            at_us = exported.started.started_us + event.at_us
            found[key] = RecordedExchange(exported.started.run_id, *key, event.request, at_us)
        elif isinstance(event, ResponseStarted | ChunkReceived | ExchangeEnded):
            key = event.step, event.exchange
            if key in found:
                _add(found[key], event, event.at_us - begun[key])
    return list(found.values())


def _add(exchange: RecordedExchange, event: ResponseStarted | ChunkReceived | ExchangeEnded, after_us: int) -> None:
    exchange.ended_us = max(exchange.ended_us, after_us)
    match event:
        case ResponseStarted():
            exchange.status, exchange.headers, exchange.first_us = event.status, event.headers, after_us
        case ChunkReceived():
            if event.data:
                exchange.chunks.append((after_us, event.data))
        case ExchangeEnded():
            exchange.error = event.error


def all_exchanges(runs: Sequence[ExportedRun]) -> list[RecordedExchange]:
    """Those of several runs, one run after the other."""
    return [exchange for exported in runs for exchange in recorded_exchanges(exported)]
