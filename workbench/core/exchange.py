"""What crosses a wire: endpoints, encoded requests, and the deltas that a reply decodes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.core.errors import ErrorInfo

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how a provider is reached; holds no secret."""

    provider: str
    """The provider's name in the settings."""
    wire: str
    """Wire id: `openai_chat`, …"""
    base_url: str
    """Everything before the path that the wire adds."""
    headers: Headers = ()
    """Extra headers of this provider (no secrets: those come as keys)."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Extra body fields of this provider."""
    quirks: dict[str, Any] = field(default_factory=dict)
    """Known deviations, by name, such as `max_tokens_field`, `no_stop`, `no_seed`, `no_tools`."""
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as it leaves, secrets already masked."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes = b""


class Usage(NamedTuple):
    """Tokens of one exchange; None where the provider does not say."""

    input: int | None = None
    """Prompt tokens, cached ones included."""
    output: int | None = None
    """Completion tokens, reasoning included where the provider includes it."""
    cached: int | None = None
    reasoning: int | None = None


class TextDelta(NamedTuple):
    """More text of the reply."""

    text: str
    at: tuple[int, int] = (0, 0)
    """Byte range in the response body of the event (SSE record, NDJSON line, whole body) that carried it."""


class ReasoningDelta(NamedTuple):
    """More of the reply's separate reasoning field."""

    text: str
    at: tuple[int, int] = (0, 0)
    seal: str = ""
    """Ends a block of reasoning: its signature or encrypted form, which its provider wants back."""


class CallDelta(NamedTuple):
    """A piece of a native call. `id` and `name` are set once (a repeat equals the first), `arguments` appends."""

    number: int
    id: str
    name: str
    arguments: str
    at: tuple[int, int] = (0, 0)


class UsageDelta(NamedTuple):
    """Token counts; the last one wins."""

    usage: Usage
    at: tuple[int, int] = (0, 0)


class FinishDelta(NamedTuple):
    """The provider's own word for why generation ended."""

    reason: str
    at: tuple[int, int] = (0, 0)


class ModelDelta(NamedTuple):
    """The model that the server says it used."""

    model: str
    at: tuple[int, int] = (0, 0)


class FaultDelta(NamedTuple):
    """An error inside the reply (in a 200 body, in the stream, or broken protocol)."""

    error: ErrorInfo
    at: tuple[int, int] = (0, 0)


class NoticeDelta(NamedTuple):
    """Something odd that loses nothing: `extra_choices`, an unknown event, extra fields to send back."""

    code: str
    message: str
    at: tuple[int, int] = (0, 0)
    data: Any = None


class Ending(StrEnum):
    """Why a reply ended, in one word for all providers."""

    STOP = "stop"
    LENGTH = "length"
    """Cut off at a token limit."""
    CALLS = "tool_calls"
    FILTERED = "content_filter"
    """Refused by the model or held back by the provider."""
    OTHER = "other"
    """A word that is none of the usual ones."""


_ENDINGS = {
    Ending.STOP: "stop end_turn stop_sequence eos eos_token word complete completed load unload finish_reason_unspecified",
    Ending.LENGTH: "length max_tokens max_output_tokens model_length limit incomplete model_context_window_exceeded",
    Ending.CALLS: "tool_calls tool_call tool_use function_call",
    Ending.FILTERED: "content_filter content_filtered guardrail_intervened refusal safety recitation blocklist prohibited_content"
    " spii model_armor sensitive image_safety image_prohibited_content image_recitation",
}
_ENDING_OF = {word: ending for ending, words in _ENDINGS.items() for word in words.split()}


def ending_of(reason: str | None, *, called: bool = False) -> Ending:
    """Return what a provider's word for the end means; a reply with calls that just stopped ended for them."""
    found = _ENDING_OF.get(reason.lower(), Ending.OTHER) if reason else Ending.STOP
    return Ending.CALLS if called and found is Ending.STOP else found


Delta = TextDelta | ReasoningDelta | CallDelta | UsageDelta | FinishDelta | ModelDelta | FaultDelta | NoticeDelta


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model that a provider offers."""

    id: str
    context: int | None = None
    owner: str = ""
    raw: dict[str, Any] = field(default_factory=dict)
