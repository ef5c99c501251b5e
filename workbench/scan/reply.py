"""What every reader makes of its file: replies of models, with what is known around them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.messages import NativeCall

if TYPE_CHECKING:
    from workbench.core.exchange import Headers
    from workbench.core.tools import ToolSpec


class Refused(StrEnum):
    """How the program that was to execute a call refused it, as it says itself."""

    UNKNOWN_TOOL = "unknown_tool"
    SCHEMA = "schema"
    JSON = "json"


@dataclass(slots=True)
class SeenCall:
    """A structured call as a file holds it; its result comes later in the file."""

    name: str
    arguments: str | dict[str, Any]
    """JSON text where the file has it as text, else the object."""
    id: str = ""
    result: str | None = None
    """What went back to the model; None: not known."""
    failed: bool = False
    refused: Refused | None = None
    why: str = ""
    """The words of the refusal."""

    @property
    def text(self) -> str:
        """The arguments as JSON text."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)

    def native(self, number: int) -> NativeCall:
        """The call as a provider delivers it."""
        return NativeCall(number, self.id, self.name, self.text)


class Channel(StrEnum):
    """What a text is."""

    CONTENT = "content"
    """What the client was given beside its structured calls: no markup of calls belongs there."""
    RAW = "raw"
    """What the model wrote, before any parser: markup belongs there."""
    LOST = "lost"
    """The same, and the server says that it could not read it."""


class ReplyBytes(NamedTuple):
    """The bytes of a reply, where a file has them."""

    wire: str
    status: int
    headers: Headers
    body: bytes


class Turn(NamedTuple):
    """One line of the conversation around a reply, for people."""

    role: str
    text: str


@dataclass(slots=True)
class FoundReply:
    """One reply of a model."""

    place: str
    """Where in its file: a line's number, an id, a path in the document."""
    text: str = ""
    reasoning: str = ""
    calls: list[SeenCall] = field(default_factory=list)
    model: str = ""
    server: str = ""
    """Who served it: a provider's or server's name; empty: not known."""
    tools: tuple[ToolSpec, ...] | None = None
    """What was offered natively; None: not known. Shared by all replies of a conversation."""
    before: tuple[SeenCall, ...] = ()
    """Calls of the assistant's turn before this one."""
    context: tuple[Turn, ...] = ()
    """What came before, the latest last."""
    after: tuple[Turn, ...] = ()
    """What followed."""
    at_us: int = 0
    """UTC microseconds; 0: not known."""
    finish: str = ""
    """The provider's own word for why it ended."""
    output_tokens: int | None = None
    hidden: bool = False
    """Something of the reply is not in the file, such as sealed reasoning: nothing is missing where nothing stands."""
    channel: Channel = Channel.CONTENT
    error: str = ""
    """What the server says of a reply that it could not read, or the agent of one of which nothing came."""
    source_text: str = ""
    """The part of the file that says all this, for people; empty: the text itself."""
    line: int = 0
    """Line number in the file at which `source_text` or the text begins; 0: not in lines."""
    exchange: ReplyBytes | None = None


class Trouble(NamedTuple):
    """A part of a file that could not be read; the rest was."""

    place: str
    message: str
