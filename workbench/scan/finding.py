"""One thing that went wrong with a call in somebody's file, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.scan.dialect_shape import UNKNOWN, head_of, shape_of

if TYPE_CHECKING:
    from workbench.core.calls import Span
    from workbench.grading.incidents import Incident
    from workbench.scan.reply import FoundReply

TITLES = {
    "tool_markup_in_content": "leaked as text",
    "tool_call_dropped": "lost by the parser",
    "tool_markup_in_reasoning": "call in reasoning",
    "malformed_arguments": "not readable as JSON",
    "absorbed_parameter": "two arguments in one",
    "invented_tool": "no such tool offered",
    "schema_violation": "read, but refused",
    "repeated_call": "same call, same answer",
    "all_output_lost": "paid for, nothing came",
}
"""What each kind is called beside its name, in the order in which they are told."""
KEPT = 16_000
"""Characters of a text that a finding keeps, the call in their middle; the file has the rest."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, masked."""

    kind: str
    message: str
    """One sentence."""
    source: str
    """Name of the source that it was found in."""
    place: str
    """`FILE:LINE`, or the file and an id."""
    model: str
    server: str
    format: str
    """In which format the call is written; `native` for a structured one; empty: none reads it."""
    raw: str
    """The text, the reasoning or the arguments that `span` points into; of a long one the part around the span."""
    span: Span
    """In `raw`, code points; its source says what `raw` is: `text`, `reasoning` or `call:N`."""
    around: str
    """What is peculiar, in a few words: alike findings share them."""
    reply: FoundReply
    """All of the reply, masked; its text is the whole one."""
    tool: str = ""
    at_us: int = 0
    mended: bool = False
    """The client may have got a call all the same."""
    run: str = ""
    """Id of the run that it was recorded as."""
    of: int = 0
    """Number of the source within its scan."""

    @property
    def alike(self) -> tuple[str, str, str, str]:
        """Findings for which this is equal are folded into one line; unknown markup is one way of writing, whatever is called."""
        if self.around.startswith(UNKNOWN):
            return self.kind, "", self.format, head_of(self.around)
        return self.kind, self.tool, self.format, self.around

    def to_json(self) -> dict[str, Any]:
        """Return what `scan --json` prints."""
        document: dict[str, Any] = {
            "kind": self.kind, "source": self.source, "place": self.place, "model": self.model, "server": self.server,
            "format": self.format, "raw": self.raw, "span": [self.span.start, self.span.end], "in": self.span.source,
            "message": self.message, "around": self.around, "at_us": self.at_us or None, "mended": self.mended,
        }  # fmt: skip
        if self.tool:
            document["tool"] = self.tool
        if self.run:
            document["run"] = self.run
        return document


def window(text: str, span: Span) -> tuple[str, Span]:
    """Return the part of a long text around a span, and the span in it."""
    if len(text) <= KEPT:
        return text, span
    length = min(span.end - span.start, KEPT // 2)
    start = max(0, min(span.start - (KEPT - length) // 2, len(text) - KEPT))
    cut = text[start : start + KEPT]
    return cut, span._replace(start=span.start - start, end=min(span.end - start, len(cut)))


def finding_of(reply: FoundReply, incident: Incident, form: str, source: str, place: str) -> Finding:
    """Return the finding that an incident of a reply is."""
    span = incident.span
    whole = reply.text
    if span.source == "reasoning":
        whole = reply.reasoning
    elif span.source.startswith("call:"):
        whole = reply.calls[int(span.source.removeprefix("call:"))].text
    raw, shown = window(whole, span)
    return Finding(
        incident.kind, incident.message, source, place, reply.model, reply.server, form, raw, shown,
        _around(incident, whole, form, reply), reply, incident.tool, reply.at_us, incident.mended,
    )  # fmt: skip


def _around(incident: Incident, text: str, form: str, reply: FoundReply) -> str:
    """What is peculiar about a place, in a few words."""
    span = incident.span
    if span.source.startswith("call:"):
        return _of_call(incident)
    if span.source == "reasoning":
        return "in the reasoning"
    if incident.kind == "all_output_lost" or not text:
        return "nothing came"
    if not form and incident.kind in ("tool_markup_in_content", "tool_call_dropped") and incident.tool:
        return f"{UNKNOWN} {shape_of(text[span.start : span.end], incident.tool)}".strip()
    if reply.finish in ("length", "max_tokens"):
        return "cut by length"
    before, after = text[: span.start].strip(), text[span.end :].strip()
    if "```" in before[-12:]:
        return "after a code fence"
    if before and after:
        return "text around the call"
    return "text before the call" if before else "text after the call" if after else "nothing but the call"


def _of_call(incident: Incident) -> str:
    if incident.kind == "schema_violation":
        told = (incident.message.rpartition(": ")[2] or incident.message).rstrip(".")
        return told if len(told) <= 60 else told[:59] + "…"
    return {
        "malformed_arguments": "arguments are no JSON",
        "invented_tool": "a name that nobody offered",
        "absorbed_parameter": "markup inside a value",
        "repeated_call": "in two turns on end",
    }.get(incident.kind, "")
