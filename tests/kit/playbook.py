"""Decoder tests read as transcripts: bytes in, deltas out, the same for every cutting."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.core.errors import ErrorInfo
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    Headers,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.wires import get_wire


def decode(
    wire: str,
    body: bytes,
    *,
    cut: int = 0,
    cuts: Sequence[int] = (),
    status: int = 200,
    headers: Headers = (),
    stream: bool = True,
) -> list[Delta]:
    """Decode a body in pieces of `cut` bytes (0: at once), or cut at the given places."""
    decoder = get_wire(wire).decoder(status=status, headers=headers, stream=stream)
    if cuts:
        marks = [0, *sorted(cuts), len(body)]
        pieces = [body[a:b] for a, b in itertools.pairwise(marks)]
    else:
        step = cut or max(1, len(body))
        pieces = [body[i : i + step] for i in range(0, len(body), step)]
    out: list[Delta] = []
    for piece in pieces:
        out += decoder.feed(piece)
    return out + decoder.close()


@dataclass
class Call:
    """A native call, joined."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Reply:
    """What a list of deltas adds up to."""

    text: str = ""
    reasoning: str = ""
    calls: list[Call] = field(default_factory=list)
    usage: Usage = Usage()
    finish: str = ""
    model: str = ""
    faults: list[ErrorInfo] = field(default_factory=list)
    notices: dict[str, Any] = field(default_factory=dict)

    @property
    def fault_kinds(self) -> list[str]:
        return [str(info.kind) for info in self.faults]

    @property
    def plain_calls(self) -> list[tuple[str, str, str]]:
        return [(call.id, call.name, call.arguments) for call in self.calls]


def fold(deltas: Sequence[Delta]) -> Reply:
    """Add deltas up, by the rules that the engine follows: ids and names are set, arguments appended."""
    reply = Reply()
    for delta in deltas:
        match delta:
            case TextDelta():
                reply.text += delta.text
            case ReasoningDelta():
                reply.reasoning += delta.text
            case CallDelta():
                assert delta.number <= len(reply.calls), "calls are numbered in the order of their appearance"
                if delta.number == len(reply.calls):
                    reply.calls.append(Call())
                call = reply.calls[delta.number]
                assert not (call.id and delta.id and call.id != delta.id), "an id is set once"
                call.id = call.id or delta.id
                call.name = call.name or delta.name
                call.arguments += delta.arguments
            case UsageDelta():
                reply.usage = delta.usage
            case FinishDelta():
                reply.finish = delta.reason
            case ModelDelta():
                reply.model = delta.model
            case FaultDelta():
                reply.faults.append(delta.error)
            case NoticeDelta():
                reply.notices[delta.code] = delta.data
    return reply


def read(wire: str, body: bytes, *, status: int = 200, headers: Headers = (), stream: bool = True) -> Reply:
    """Decode whole, in 1, 7 and 4096 bytes; insist that all agree; return what it adds up to."""
    whole = decode(wire, body, status=status, headers=headers, stream=stream)
    for cut in (1, 7, 4096):
        assert decode(wire, body, cut=cut, status=status, headers=headers, stream=stream) == whole, f"cut {cut}"
    for delta in whole:
        assert 0 <= delta.at[0] <= delta.at[1] <= len(body)
    return fold(whole)
