"""What a pasted text turned out to be: its kind, the reading in a sentence, and where the window opens it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.app.forensics import Specimen
    from workbench.core.messages import ChatRequest
    from workbench.core.tools import ToolSpec
    from workbench.scan.finding import Finding


class Opens(StrEnum):
    """Where the window reads it."""

    FORENSICS = "forensics"
    TRY = "try"
    PROVIDERS = "providers"
    NOWHERE = ""


@dataclass(frozen=True, slots=True)
class PastedReading:
    """What a pasted text is."""

    kind: str
    """A kind of `scan`, or `request`, `tools`, `address`, `error`; empty: not known."""
    title: str
    """`server log, 3 replies`."""
    sentence: str
    """What the reading says, or why there is none and what was tried."""
    opens: Opens = Opens.NOWHERE
    specimen: Specimen | None = None
    finding: Finding | None = None
    """What went wrong in the reply that is shown; its reply is left out."""
    replies: int = 0
    findings: int = 0
    partial: bool = False
    """There was more than could be looked through in the time."""
    request: ChatRequest | None = None
    tools: tuple[ToolSpec, ...] = ()
    address: str = ""
    wire: str = ""
    left_out: tuple[str, ...] = field(default=())
    certain: bool = True
    """It says something; else parts of the text may say more."""
    model: str = ""
    """As the reply itself names it."""
    recording: str = field(default="", repr=False)
    """The part of the text that a reader of this kind takes, as it came: with its keys. Empty: no reader takes any."""
    taken: str = ""
    """What was done to get that part: `in an issue`, `line numbers taken off`."""

    @property
    def is_all(self) -> bool:
        """The text is a bare reply, and nothing else."""
        return self.kind == "text" and not self.taken

    def to_json(self) -> dict[str, Any]:
        """Return what `read --json` prints."""
        document: dict[str, Any] = {
            "kind": self.kind, "title": self.title, "sentence": self.sentence, "opens": self.opens.value,
            "replies": self.replies, "findings": self.findings, "partial": self.partial,
        }  # fmt: skip
        if self.specimen is not None:
            document["text"] = self.specimen.text
        if self.finding is not None:
            document["finding"] = self.finding.to_json()
        if self.request is not None:
            document["request"] = request_document(self.request)
        if self.tools:
            document["tools"] = [tool.to_openai() for tool in self.tools]
        if self.address:
            document["address"], document["protocol"] = self.address, self.wire or None
        return document


def request_document(request: ChatRequest) -> dict[str, Any]:
    """Return a request in the shape that `workbench send` takes and Try reads."""
    document: dict[str, Any] = {
        "model": request.model or "unknown", "messages": [message.to_openai() for message in request.messages],
    }  # fmt: skip
    if request.tools:
        document["tools"] = [tool.to_openai() for tool in request.tools]
    for name in ("tool_choice", "max_tokens", "temperature", "top_p", "seed"):
        if (value := getattr(request, name)) is not None:
            document[name] = value
    if request.stop:
        document["stop"] = list(request.stop)
    return document
