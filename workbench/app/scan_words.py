"""What a finding comes to: the same judgement as in Forensics, with the words of whoever refused the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.app.forensics import Specimen, examine
from workbench.scan.reply import Channel

if TYPE_CHECKING:
    from workbench.app.forensics import Examination
    from workbench.core.protocols import SchemaChecker
    from workbench.scan.finding import Finding

_OWN = {
    "invented_tool": ("decision", "The model, not the server."),
    "schema_violation": ("schema", "The model, not the server."),
    "malformed_arguments": ("format", "The model, not the server."),
    "absorbed_parameter": ("format", "The model, not the server."),
    "repeated_call": ("loop", "The model, not the server."),
    "all_output_lost": ("provider", "Paid for, and lost."),
    "tool_call_dropped": ("parse", "The server, not the model."),
    "tool_markup_in_reasoning": ("parse", "Nobody looks there."),
    "tool_markup_in_content": ("parse", "Given out as text."),
}
"""Layer and headline where the characters alone show no fault."""


class FoundWords(NamedTuple):
    """A finding in words."""

    title: str
    """`First fault: parse`."""
    headline: str
    detail: str
    confidence: str


class Examined(NamedTuple):
    """A finding, read by all formats."""

    finding: Finding
    exam: Examination
    words: FoundWords
    fits: str
    """Whether the call fits its tool's schema, in a sentence; empty where there is no call."""


def specimen_of_finding(finding: Finding) -> Specimen:
    """The reply of a finding for the page Forensics; of a call in the reasoning, the reasoning is the text."""
    reply = finding.reply
    thought = finding.span.source == "reasoning"
    raw = reply.channel is Channel.RAW
    return Specimen(
        reply.reasoning if thought else reply.text,
        (finding.format if finding.format != "native" else "") if raw else "native_openai",
        tools=reply.tools,
        reason=reply.finish,
        native_calls=tuple(call.native(number) for number, call in enumerate(reply.calls)),
        title=next((turn.text for turn in reversed(reply.context) if turn.role == "user"), ""),
        place=finding.place,
        answering=bool(reply.before),
    )


def examine_finding(finding: Finding, check: SchemaChecker) -> Examined:
    """Read a finding's reply with all formats. Takes up to a second for large ones: off the window's thread."""
    exam = examine(specimen_of_finding(finding), check)
    return Examined(finding, exam, _words(finding, exam), _fits(finding, exam, check))


def _words(finding: Finding, exam: Examination) -> FoundWords:
    told = exam.attribution
    by_text = finding.span.source == "text" and finding.kind in ("tool_markup_in_content", "tool_call_dropped")
    if told.layer and told.layer != "decision" and by_text and finding.format:
        return FoundWords(told.title, told.headline, told.detail, told.confidence)
    layer, headline = _OWN[finding.kind]
    detail = finding.message if finding.message.endswith((".", "!", "?", "…")) else f"{finding.message}."
    return FoundWords(f"First fault: {layer}", headline, detail, "as the file tells it")


def _fits(finding: Finding, exam: Examination, check: SchemaChecker) -> str:
    best = exam.survey.best
    call = next((one for one in best.result.calls if one.name == finding.tool), None) if best else None
    if call is None:
        return ""
    tool = next((one for one in finding.reply.tools or () if one.name == call.name), None)
    if tool is None:
        return "which arguments the tool takes is not in the file"
    problems = check.problems(tool, call.arguments)
    return (
        f"breaks the tool's schema: {problems[0][1]}" if problems else "fits the tool's schema as the file declares it"
    )
