"""One try of an exchange: what is known of it, and its bytes on their way through masks and decoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import NO_STEP, ChunkReceived
from workbench.core.exchange import CallDelta, Delta, FaultDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.providers.redact import Masked, ReplyRedactor, StreamRedactor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Headers
    from workbench.core.masking import Secrets
    from workbench.core.protocols import Decoder


_BYTES_A_TOKEN = 4
_OUTPUT = (TextDelta, ReasoningDelta, CallDelta)
"""What a model wrote, of whatever kind."""


@dataclass(slots=True)
class ExchangeTry:
    """What is known of one try so far."""

    number: int
    where: str
    """Method and masked address."""
    error: ErrorInfo | None = None
    """Why it failed; set by the transport, else by the reply itself."""
    status: int | None = None
    headers: Headers = ()
    received: int = 0
    """Body bytes so far."""
    produced: bool = False
    """Text, reasoning or a call was given out."""
    redirect: str = ""
    """Where the server wants us to go instead."""
    deltas: tuple[Delta, ...] = ()
    """What became certain only at the end."""
    chunks: int = 0
    faults: list[ErrorInfo] = field(default_factory=list)
    """Errors that the reply carried."""
    usage: Usage = Usage()
    """What the provider said that was used."""

    def tokens(self, sent: int) -> int:
        """Tokens that the try has used: the provider's count, else guessed from the bytes sent and received."""
        if self.status is None or self.status >= 400:
            return 0
        told = (self.usage.input or 0) + (self.usage.output or 0)
        return told or (sent + self.received) // _BYTES_A_TOKEN

    def chunk(self, ready: Masked) -> ChunkReceived:
        """Make the event of one chunk."""
        self._note(ready.deltas)
        index, self.chunks = self.chunks, self.chunks + 1
        return ChunkReceived(NO_STEP, self.number, index, ready.data, ready.at_us, ready.deltas)

    def conclude(self, deltas: tuple[Delta, ...]) -> None:
        """Take the last deltas and choose the error: a broken connection explains a missing end best."""
        if self.error is not None:
            deltas = tuple(delta for delta in deltas if not _is_cut(delta))
        self._note(deltas)
        self.deltas = deltas
        if self.error is None and self.faults:
            self.error = self.faults[0]

    def _note(self, deltas: Sequence[Delta]) -> None:
        for delta in deltas:
            if isinstance(delta, _OUTPUT):
                self.produced = True
            elif isinstance(delta, FaultDelta):
                self.faults.append(delta.error)
            elif isinstance(delta, UsageDelta):
                self.usage = delta.usage


class ChunkReader:
    """Bytes to masked chunks with deltas: the two redactors around a decoder."""

    def __init__(self, secrets: Secrets, decoder: Decoder) -> None:
        self._decoder = decoder
        self._bytes = StreamRedactor(secrets)
        self._reply = ReplyRedactor(secrets)

    @property
    def ended(self) -> bool:
        """Whether the end marker came, so that only the server's goodbye is missing."""
        return self._decoder.ended

    @property
    def complete(self) -> bool:
        """Whether nothing of the reply is missing; counts may still follow."""
        return self._decoder.complete

    def feed(self, data: bytes, at_us: int) -> list[Masked]:
        """Take a chunk; return those that may be given out."""
        out: list[Masked] = []
        for chunk, when in self._bytes.feed(data, at_us):
            deltas = self._decoder.feed(chunk)
            out += self._reply.feed(chunk, when, deltas, self._decoder.unread)
        return out

    def finish(self) -> tuple[list[Masked], tuple[Delta, ...]]:
        """End of body: what was held back, and the last deltas."""
        out: list[Masked] = []
        for chunk, when in self._bytes.finish():
            deltas = self._decoder.feed(chunk)
            out += self._reply.feed(chunk, when, deltas, self._decoder.unread)
        held, last = self._reply.finish(self._decoder.close())
        return out + held, last


def _is_cut(delta: Delta) -> bool:
    return isinstance(delta, FaultDelta) and delta.error.kind is ErrorKind.CUT_OFF
