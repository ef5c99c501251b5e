"""A reply that somebody recorded, and what it answered: all that is needed to make a run of it without any server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import CallDelta, FinishDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.core.messages import ChatRequest
from workbench.wires import get_server
from workbench.wires.kit.server import ReplyHead, Served

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Case
    from workbench.core.exchange import Delta
    from workbench.core.messages import NativeCall
    from workbench.wires.kit.server import WireServer

PROVIDER = "Imported"
"""The provider's name in runs that were imported."""
WIRE = "openai_chat"
"""The protocol in which a reply is kept whose own bytes nobody has."""


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One reply of a model."""

    place: str
    """File and line."""
    case: Case
    """What was sent; its tools only record, its expectation judges."""
    model: str
    body: bytes
    """Of the HTTP answer: the provider's own, or one that says the same."""
    wire: str = WIRE
    streamed: bool = False
    """The body is a stream of events."""
    text: str = ""
    """What the model wrote beside structured calls: a format is chosen by it."""
    structured: bool = False
    """It has calls in a field of their own."""
    format: str = ""
    """As somebody said; empty: to be chosen."""
    suite: str = ""
    """Name under which the run is counted with others; empty: the file's."""
    duration_us: int = 0
    started_us: int = 0
    """UTC; 0: now."""
    error: str = ""
    """Why there is no reply."""
    calls: tuple[NativeCall, ...] = ()
    """The structured calls, where nobody says which tools there were."""
    tools_unknown: bool = False
    """The record does not say which tools were offered: those that were called were."""
    unsaid: bool = False
    """What was said is not in the record, only that nothing was called."""


def reply_body(
    model: str,
    text: str,
    calls: Sequence[tuple[str, Any]] = (),
    *,
    reasoning: str = "",
    finish: str = "",
    usage: Usage = Usage(),  # noqa: B008  a tuple
) -> bytes:
    """A body of an OpenAI Chat Completion that says what a record says; calls are names with arguments, text or value."""
    deltas: list[Delta] = [ReasoningDelta(reasoning)] if reasoning else []
    deltas += [TextDelta(text)] if text else []
    deltas += [
        CallDelta(number, f"call_{number + 1}", name, given if isinstance(given, str) else _json(given))
        for number, (name, given) in enumerate(calls)
    ]
    deltas += [UsageDelta(usage), FinishDelta(finish or ("tool_calls" if calls else "stop"))]
    head = ReplyHead(Served(ChatRequest(model, ()), WIRE), "imported", 0)
    return _server().whole(head, deltas)


@cache
def _server() -> WireServer:
    return get_server(WIRE)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
