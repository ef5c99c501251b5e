"""Seams between layers: what the engine is handed, and what formats and wires must be able to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from workbench.core.calls import FieldSpan, ParsedCall, ParseEvent, ParseResult, Region
    from workbench.core.events import ExchangeEvent, RunEvent
    from workbench.core.exchange import Delta, Endpoint, Headers, ModelInfo, WireRequest
    from workbench.core.messages import ChatRequest, Message, NativeCall, ToolChoice
    from workbench.core.tools import CallPlace, ToolResult, ToolSetup, ToolSpec


class StreamParser(Protocol):
    """Reads one reply. The result never depends on how the text was cut into pieces; no method raises."""

    def feed(self, text: str) -> list[ParseEvent]:
        """Take more text; return what became certain."""
        ...

    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        """End of text; `reason` is the finish reason (`length` completes nothing)."""
        ...

    def result(self) -> ParseResult:
        """Everything so far; complete after `finish`."""
        ...


class Format(Protocol):
    """How calls are written. `tools=None`: canonical shapes accept any name; `[]`: every name is unknown."""

    @property
    def id(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def models(self) -> str:
        """For whom, in a few words."""
        ...

    @property
    def native(self) -> bool:
        """Calls come in a structured field, not in the text."""
        ...

    @property
    def stop_sequences(self) -> tuple[str, ...]: ...

    def parser(
        self, tools: Sequence[ToolSpec] | None = None, *, think_open: bool = False, calls_in_reasoning: bool = False
    ) -> StreamParser: ...

    def parse(self, text: str, tools: Sequence[ToolSpec] | None = None, reason: str | None = None) -> ParseResult: ...

    def read_native(
        self, text: str, calls: Sequence[NativeCall], tools: Sequence[ToolSpec] | None, reason: str | None = None
    ) -> ParseResult:
        """Judge structured calls that a provider delivered; spans of arguments have the source `call:N`."""
        ...

    def prompt(self, tools: Sequence[ToolSpec], tool_choice: ToolChoice = None) -> str:
        """System text that teaches the format with the user's own tools; empty for native formats."""
        ...

    def render_call(self, call: ParsedCall) -> str:
        """The call as the model would write it, for a conversation's history."""
        ...

    def render_turn(self, text: str, calls: Sequence[ParsedCall]) -> Message:
        """A whole assistant turn with calls, for the history of the next request."""
        ...

    def render_result(self, call: ParsedCall, result: ToolResult) -> str:
        """The result as text in the format's own way."""
        ...

    def result_messages(self, results: Sequence[tuple[ParsedCall, ToolResult]]) -> tuple[Message, ...]:
        """The turn that carries the results back."""
        ...

    def argument_spans(self, source: str, call: ParsedCall) -> tuple[FieldSpan, ...]:
        """Where each argument's value stands in `source` (the text that `call.arguments_span` points into)."""
        ...

    def regions(self, text: str, result: ParseResult) -> tuple[Region, ...]:
        """Roles for colouring the raw text, sorted and without overlap."""
        ...


class Decoder(Protocol):
    """Turns response bytes into deltas. Fed in any cutting; never raises on bad input, but yields a FaultDelta."""

    @property
    def ended(self) -> bool:
        """The end marker came: nothing more is expected, even if the server keeps the connection."""
        ...

    @property
    def complete(self) -> bool:
        """What came so far would do as a whole reply."""
        ...

    @property
    def unread(self) -> int | None:
        """Where in the body the event begins that is not complete yet; None where that is not known."""
        ...

    def feed(self, data: bytes) -> list[Delta]: ...

    def close(self) -> list[Delta]:
        """End of body: the last event, and a FaultDelta `cut_off` where the end marker is missing."""
        ...


class Wire(Protocol):
    """One wire protocol, pure: no I/O."""

    @property
    def id(self) -> str: ...

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the HTTP request; `key` goes into the header that the wire wants."""
        ...

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder: ...

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest: ...

    def read_models(self, body: bytes) -> list[ModelInfo]: ...


class ModelClient(Protocol):
    """One provider, ready to be asked."""

    @property
    def endpoint(self) -> Endpoint: ...

    def encode(self, request: ChatRequest) -> WireRequest:
        """Exactly what `exchange` would send, secrets masked: the preview."""
        ...

    def exchange(self, request: ChatRequest) -> AsyncGenerator[ExchangeEvent, None]:
        """Send; retries are further exchanges. Errors come as `ExchangeEnded.error`, never raised."""
        ...


class ToolRunner(Protocol):
    """Executes one call in the mode of its setup; a failure is a result, not an exception."""

    async def run(self, setup: ToolSetup, call: ParsedCall, place: CallPlace) -> ToolResult: ...


class SchemaChecker(Protocol):
    """Full JSON Schema check of arguments, above what parsers check."""

    def problems(self, tool: ToolSpec, arguments: dict[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
        """`(path, message)` of each violation; empty if the arguments fit."""
        ...


class Recorder(Protocol):
    """Where facts are kept. When `commit` returns, they are on disk."""

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None: ...


class Ticker(Protocol):
    """A clock, see `core.clock.Clock`."""

    def now_us(self) -> int: ...
    def tick_us(self) -> int: ...
