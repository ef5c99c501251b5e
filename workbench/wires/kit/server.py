"""The frame of every server side: requests read, replies written whole and streamed, refusals in the caller's shape. No I/O.

A wire adds what its fields mean (`decode`), how its reply looks (`body`, a `ReplyWriter`) and its error shape (`refuse`).
The frame sees to the rest: JSON, fields that the neutral request does not know, tools of foreign kinds, deltas folded.
A reply is given as the deltas that the client side of any wire yields, so whatever is read from one provider can be
served to another's client. What a request says and the neutral request cannot is kept for the same wire and named in
`Served.left_out` for all others; only what no answer can be given to is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import (
    CallDelta,
    Delta,
    Ending,
    FaultDelta,
    FinishDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
    ending_of,
)
from workbench.core.json_text import parse_json
from workbench.wires.kit.deltas import SEND_BACK
from workbench.wires.kit.jsons import compact_bytes
from workbench.wires.kit.request_notes import RequestNotes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.core.messages import ChatRequest, Reasoning
    from workbench.wires.kit.request_notes import ClientTool


@dataclass(frozen=True, slots=True)
class Served:
    """One request of a client, read."""

    request: ChatRequest
    """Its `by_wire` holds, under this wire's id, whatever the neutral fields cannot say."""
    wire: str
    path: str = ""
    left_out: tuple[str, ...] = ()
    """What only the same wire can pass on, each with its place: `tools[8]: web_search, run by the provider`."""
    tools: Mapping[str, ClientTool] = field(default_factory=dict)
    """Tools that the client knows by another name or kind than the neutral request does, by their neutral name."""

    reasoning: Reasoning | None = None
    """How much the client wants to be thought, for targets of other wires that can be told: not part of `request`, since a
    model that takes no such setting refuses it."""

    @property
    def unknown(self) -> dict[str, Any]:
        """Body fields that the neutral request does not know."""
        found: dict[str, Any] = self.request.by_wire.get(self.wire, {})
        return found


class ReplyHead(NamedTuple):
    """What identifies one reply."""

    served: Served
    id: str
    """Without the wire's prefix."""
    created: int
    """UTC seconds."""

    @property
    def model(self) -> str:
        """The model's name as the client asked for it."""
        return self.served.request.model


class Refusal(NamedTuple):
    """Why a request gets no reply."""

    status: int
    message: str
    code: str = ""
    param: str = ""


_STATUS = {
    ErrorKind.AUTH: 401,
    ErrorKind.QUOTA: 402,
    ErrorKind.NOT_FOUND: 404,
    ErrorKind.RATE_LIMIT: 429,
    ErrorKind.BAD_REQUEST: 400,
    ErrorKind.CONTEXT_LENGTH: 400,
    ErrorKind.CONTENT_FILTER: 400,
    ErrorKind.TIMEOUT: 504,
    ErrorKind.INTERNAL: 500,
}


def refusal_of(error: ErrorInfo) -> Refusal:
    """Return the refusal that tells a client of an upstream error: the status that came, else one that fits its kind."""
    status = error.status if error.status and error.status >= 400 else _STATUS.get(error.kind, 502)
    return Refusal(status, error.message, error.code)


class Folded(NamedTuple):
    """A reply's deltas, folded: neighbouring pieces joined, each call whole."""

    parts: tuple[TextDelta | ReasoningDelta | CallDelta, ...] = ()
    usage: Usage = Usage()
    reason: str = ""
    error: ErrorInfo | None = None
    send_back: Mapping[str, Any] = {}

    @property
    def calls(self) -> list[CallDelta]:
        """The calls, in order."""
        return [part for part in self.parts if isinstance(part, CallDelta)]

    @property
    def text(self) -> str:
        """All text, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, TextDelta))

    @property
    def reasoning(self) -> str:
        """All reasoning, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, ReasoningDelta))

    @property
    def ending(self) -> Ending:
        """Why the reply ended."""
        return ending_of(self.reason, called=bool(self.calls))


def fold(deltas: Iterable[Delta]) -> Folded:
    """Join the deltas of a whole reply."""
    parts: list[TextDelta | ReasoningDelta | CallDelta] = []
    places: dict[int, int] = {}
    pieces: list[list[str]] = []
    out = Folded()
    for delta in deltas:
        match delta:
            case TextDelta(text=text) | ReasoningDelta(text=text):
                if text and not _goes_on(parts, delta):
                    parts.append(delta)
                    pieces.append([])
                if text:
                    pieces[-1].append(text)
                if isinstance(delta, ReasoningDelta) and delta.seal:
                    _seal(parts, pieces, delta)
            case CallDelta(number=number):
                if number not in places:
                    places[number] = len(parts)
                    parts.append(delta)
                    pieces.append([])
                pieces[places[number]].append(delta.arguments)
            case UsageDelta(usage=usage):
                out = out._replace(usage=usage)
            case FinishDelta(reason=reason):
                out = out._replace(reason=reason)
            case FaultDelta(error=error):
                out = out._replace(error=out.error or error)
            case NoticeDelta(code=code, data=dict() as data) if code == SEND_BACK:
                out = out._replace(send_back={**out.send_back, **data})
            case _:
                pass
    joined = ["".join(texts) for texts in pieces]
    whole = [
        part._replace(arguments=text) if isinstance(part, CallDelta) else part._replace(text=text)
        for part, text in zip(parts, joined, strict=True)
    ]
    return out._replace(parts=tuple(whole))


def _goes_on(parts: Sequence[TextDelta | ReasoningDelta | CallDelta], delta: Delta) -> bool:
    """Whether a piece of text or reasoning belongs to the part before it; what is sealed is closed."""
    last = parts[-1] if parts else None
    return type(last) is type(delta) and not (isinstance(last, ReasoningDelta) and last.seal)


def _seal(parts: list[TextDelta | ReasoningDelta | CallDelta], pieces: list[list[str]], delta: ReasoningDelta) -> None:
    last = parts[-1] if parts else None
    if isinstance(last, ReasoningDelta) and (not last.seal or delta.text):
        parts[-1] = last._replace(seal=delta.seal)
    else:
        parts.append(delta)
        pieces.append([])


class ReplyWriter:
    """Writes one streamed reply: `start`, `feed` for each delta, `finish`; a wire adds what each piece looks like."""

    def __init__(self, head: ReplyHead) -> None:
        self.head = head
        self.usage = Usage()
        self.reason = ""
        self.called = False
        self.error: ErrorInfo | None = None

    @property
    def ending(self) -> Ending:
        """Why the reply ended, as far as it is known."""
        return ending_of(self.reason, called=self.called)

    def feed(self, delta: Delta) -> bytes:
        """Return the bytes for one delta; empty for what only counts at the end, and after an error."""
        if self.error is not None:
            return b""
        match delta:
            case TextDelta(text=text) if text:
                return self.text(text)
            case ReasoningDelta(text=text, seal=seal) if text or seal:
                return self.reasoning(text, seal)
            case CallDelta():
                self.called = True
                return self.call(delta)
            case FinishDelta(reason=reason):
                self.reason = reason
            case UsageDelta(usage=usage):
                self.usage = usage
            case FaultDelta(error=error):
                self.error = error
                return self.fault(error)
            case NoticeDelta(code=code, data=dict() as data) if code == SEND_BACK:
                return self.send_back(data)
            case _:
                pass
        return b""

    def finish(self) -> bytes:
        """Return what ends the reply."""
        return self.end() if self.error is None else self.end_of_fault()

    # -- what a wire adds ------------------------------------------------------------------------------------------

    def start(self) -> bytes:
        """Return what stands before the first delta."""
        return b""

    def ping(self) -> bytes:
        """Return what keeps a waiting client in patience and says nothing."""
        return b": ping\n\n"

    def text(self, text: str) -> bytes:
        """Return a piece of text."""
        raise NotImplementedError

    def reasoning(self, text: str, seal: str) -> bytes:
        """Return a piece of reasoning, or what seals a block of it."""
        raise NotImplementedError

    def call(self, delta: CallDelta) -> bytes:
        """Return a piece of a call."""
        raise NotImplementedError

    def fault(self, error: ErrorInfo) -> bytes:
        """Return an error that came after the reply had begun."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return what ends a reply that went well."""
        raise NotImplementedError

    def end_of_fault(self) -> bytes:
        """Return what ends a reply that failed."""
        return b""

    def send_back(self, data: dict[str, Any]) -> bytes:
        """Return what the client must give back with this turn, where the wire has a place for it at the end."""
        return b""


class WireServer:
    """The server side of one wire."""

    wire = ""
    """The wire's id."""
    known: frozenset[str] = frozenset()
    """Body fields that the neutral request knows; all others are kept as they are."""
    streams_as = "text/event-stream"
    """Content type of a streamed reply."""

    def read(self, body: bytes, path: str = "") -> Served:
        """Read a request; raise InvalidInput where no answer can be given."""
        try:
            value = parse_json(body)
        except ValueError as error:
            raise InvalidInput("The request body is not valid JSON.", hint=str(error)) from error
        if not isinstance(value, dict):
            raise InvalidInput("The request body is not a JSON object.")
        notes = RequestNotes(path)
        value = self.named(value)
        request = self.decode(value, notes)
        unknown = {name: item for name, item in value.items() if name not in self.known}
        own = {**unknown, **request.by_wire.get(self.wire, {})}
        if notes.foreign_tools or notes.tools:
            own["tools"] = value["tools"]
        request = replace(request, by_wire={self.wire: own} if own else {})
        left_out = (*(f"{name}: known to this protocol only" for name in unknown), *notes.left_out)
        return Served(request, self.wire, path, left_out, notes.tools, self.reasoning(value))

    def whole(self, head: ReplyHead, deltas: Iterable[Delta]) -> bytes:
        """Return a whole reply as one body; a reply that failed is a refusal."""
        reply = fold(deltas)
        return self.refuse(refusal_of(reply.error)) if reply.error else self.body(head, reply)

    # -- what a wire adds ------------------------------------------------------------------------------------------

    def named(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the body with its fields under the names that this file uses."""
        return value

    def decode(self, value: dict[str, Any], notes: RequestNotes) -> ChatRequest:
        """Read a body; note what only this wire knows."""
        raise NotImplementedError

    def reasoning(self, value: dict[str, Any]) -> Reasoning | None:
        """Return what a body says of reasoning; None where it says nothing, or nothing that can be understood."""
        return None

    def stream(self, head: ReplyHead) -> ReplyWriter:
        """Return a writer for one streamed reply."""
        raise NotImplementedError

    def body(self, head: ReplyHead, reply: Folded) -> bytes:
        """Return a whole reply that went well."""
        raise NotImplementedError

    def refuse(self, why: Refusal) -> bytes:
        """Return an error body."""
        raise NotImplementedError

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whether a GET asks this protocol for its models: some paths are the same in several."""
        raise NotImplementedError

    def speaks(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whether a request at a path of no exchange comes from a client of this protocol, so that its answer has its shape."""
        return self.lists(path, headers)

    def about(self, path: str, ids: Sequence[str]) -> bytes | None:
        """Return what this protocol's clients ask about the server itself; None at any other path. `ids`: its models."""
        return None

    def counted(self, tokens: int) -> bytes:
        """Return the answer to a client that asks how many tokens a request has."""
        return compact_bytes({"input_tokens": tokens})

    def models(self, ids: Sequence[str], *, created: int, owner: str) -> bytes:
        """Return the list of models."""
        raise NotImplementedError

    def model(self, name: str, *, created: int, owner: str) -> bytes:
        """Return one model."""
        raise NotImplementedError
