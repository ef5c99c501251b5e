"""A recorded run with stars for every key before it leaves: ours that were learned later, and what looks like others'."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.events import ChunkReceived, ExchangeStarted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.events import RunEvent
    from workbench.core.masking import Secrets


def masked(events: Sequence[RunEvent], secrets: Secrets) -> tuple[list[RunEvent], int]:
    """Return the events with stars of the same length for keys, and how many events held any.

    A key that is spread over several pieces of a body is found in the whole body.
    """
    bodies = _masked_bodies(events, secrets)
    out, changed = [], 0
    for event in events:
        if isinstance(event, ChunkReceived):
            data = bodies.get((event.step, event.exchange, event.index), event.data)
            clean: RunEvent = replace(secrets.mask_value(event), data=data)
        else:
            clean = secrets.mask_event(event)
        if isinstance(clean, ExchangeStarted):
            body = secrets.mask_bytes(clean.request.body)
            clean = replace(clean, request=replace(clean.request, body=body))
        changed += clean != event
        out.append(clean)
    return out, changed


def _masked_bodies(events: Iterable[RunEvent], secrets: Secrets) -> dict[tuple[int, int, int], bytes]:
    """The pieces of bodies in which a key stands, by step, exchange and index."""
    pieces: dict[tuple[int, int], list[ChunkReceived]] = {}
    for event in events:
        if isinstance(event, ChunkReceived) and event.data:
            pieces.setdefault((event.step, event.exchange), []).append(event)
    found: dict[tuple[int, int, int], bytes] = {}
    for (step, exchange), chunks in pieces.items():
        body = b"".join(chunk.data for chunk in chunks)
        clean = secrets.mask_bytes(body)
        if clean == body:
            continue
        at = 0
        for chunk in chunks:
            found[step, exchange, chunk.index] = clean[at : at + len(chunk.data)]
            at += len(chunk.data)
    return found
