"""Whatever somebody pasted: what it is, where it is read, and the reading in a sentence.

Recordings (logs, sessions, HAR, streams, replies, transcripts) are told by the readers of `scan`; what is to be sent by
`pasted_asks`; error answers by the wires' own reader. What copying put around a text is taken off before (`pasted_wrapping`),
and pieces are put back into what they come from (`pasted_objects`). Keys are masked in everything that is handed on.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.app.forensics import Specimen, examine
from workbench.app.pasted_asks import asked_in, asked_in_code, asked_in_recording
from workbench.app.pasted_errors import error_in_text, spoken_of
from workbench.app.pasted_names import supposed_tools
from workbench.app.pasted_objects import document_in
from workbench.app.pasted_result import Opens, PastedReading
from workbench.app.pasted_setup import setup_in
from workbench.app.pasted_thread import thread_in
from workbench.app.pasted_wrapping import Bare, bare, parts, telling_part
from workbench.core.errors import InvalidInput, with_hint
from workbench.core.json_text import parse_json
from workbench.core.masking import Secrets
from workbench.formats.survey.forensics import unknown_call
from workbench.scan.judge import Judge
from workbench.scan.opened import Opened
from workbench.scan.readers.table import reader_row, recognised, tried
from workbench.scan.reply import Channel, FoundReply
from workbench.wires import wire_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.app.pasted_asks import PastedAsk
    from workbench.core.errors import ErrorInfo
    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import ToolSpec
    from workbench.scan.finding import Finding
    from workbench.scan.readers.table import ReaderRow

MOST_S = 1.2
"""Seconds that are spent on looking for a more telling reply than the first."""
_LOOKED_AT = 200_000
"""Characters in which a call in no known markup is looked for."""
_TOLD_BY_FORENSICS = frozenset({"tool_markup_in_content", "tool_markup_in_reasoning"})
MAKE_ONE = "Forensics makes a format from it."
NAME_THEM = (
    "Name the tools that were offered, if one of them is called in other markup: a format can be made from that."
)
OTHERS_TRIED = "curl, request, tools, address, error answer, requests in code (Python, JavaScript, PowerShell, HTTPie, wget, .http, Postman)"


def read_pasted(
    text: str,
    check: SchemaChecker,
    secrets: Iterable[str] = (),
    tools: Sequence[ToolSpec] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> PastedReading:
    """Say what a text is and read it; raise InvalidInput for an empty one, or a curl command that is broken."""
    if not text.strip():
        raise InvalidInput("There is no text to read.", hint="Copy something first.")
    mask = Secrets(secrets, foreign=True)
    means = _Means(check, mask, None if tools is None else tuple(tools), stop)

    def read(plain: Bare) -> PastedReading:
        found = _as_it_is(plain.text, means)
        if not (plain.note and found.kind):
            return found
        return replace(found, title=f"{found.title}, {plain.note}", taken=plain.note)

    whole = _plain(text)
    if (told := _of_thread(whole.text, means)) is not None:
        return told
    found = read(whole)
    best = found
    until = time.monotonic() + MOST_S
    for part in () if found.certain else parts(whole.text):
        if stop() or time.monotonic() > until:
            break
        with suppress(InvalidInput):
            other = read(_plain(part.text, whole.note, part.note))
            if other.certain:
                return _with_setup(other, text, mask)
            if other.finding is not None and best.opens is Opens.NOWHERE:
                best = other
    if best.kind in ("", "text", "log") and not best.certain:
        best = _supposing(whole, means) or best
    return _with_setup(best, text, mask)


def _of_thread(text: str, means: _Means) -> PastedReading | None:
    """The most telling reply in an issue, with the tools and the prompt that stand beside it; None where there is no reply."""
    thread = thread_in(text.replace("\r\n", "\n"))
    if thread is None:
        return None
    setup = thread.setup
    means = means._replace(
        tools=thread.tools if means.tools is None else means.tools, asked=setup.asked if setup else ""
    )
    best: PastedReading | None = None
    until = time.monotonic() + MOST_S
    for part in thread.replies:
        if means.stop() or time.monotonic() > until:
            break
        with suppress(InvalidInput):
            found = _as_it_is(_plain(part).text, means)
            if thread.listed and not _calls_one(found.specimen, means.tools):
                found = _as_it_is(_plain(part).text, means._replace(tools=None))
            if found.specimen is None or found.kind in ("", "error") or not (found.certain or found.finding):
                continue
            if best is None or (best.finding is None and found.finding is not None):
                best = found
        if best is not None and best.finding is not None:
            break
    if best is None or best.specimen is None:
        return None
    known = best.specimen.tools
    beside = f" beside {_counted(len(known), 'tool', 'tools')}" if thread.tools and known else ""
    asked = means.mask.mask_text(" ".join(thread.prompt.split())[:120])
    specimen = replace(best.specimen, title=best.specimen.title or asked)
    best = replace(best, title=f"{best.title}, in an issue{beside}", specimen=specimen, taken="in an issue")
    return _with_setup(best, text, means.mask)


def _calls_one(specimen: Specimen | None, tools: Sequence[ToolSpec] | None) -> bool:
    """Whether a reply speaks of one of these tools."""
    said = "" if specimen is None else "\n".join((specimen.text, *(call.name for call in specimen.native_calls)))
    return any(tool.name in said for tool in tools or ())


def _with_setup(found: PastedReading, text: str, mask: Secrets) -> PastedReading:
    """The reading with what the whole text says of the server."""
    if found.specimen is None or not (setup := setup_in(text, found.model)):
        return found
    return replace(found, specimen=replace(found.specimen, setup=mask.mask_value(setup)))


def _plain(text: str, *notes: str) -> Bare:
    """A text without what was put around it, or the document that it is a piece of."""
    found = bare(text)
    piece = document_in(found.text)
    text = piece.text if piece is not None else found.text
    return Bare(text, ", ".join(filter(None, (*notes, found.note, piece.note if piece is not None else ""))))


class _Means(NamedTuple):
    """What a text is read with."""

    check: SchemaChecker
    mask: Secrets
    tools: tuple[ToolSpec, ...] | None
    stop: Callable[[], bool]
    asked: str = ""
    """The format that the server was set to, where somebody says so of a model's raw words."""


def _as_it_is(text: str, means: _Means) -> PastedReading:
    mask = means.mask
    asked = asked_in(text)
    if asked is not None and not asked.answer:
        return _asked(asked, mask)
    made = _Recording(text, means)
    row = recognised(Opened(text), named=True)
    if row is not None and row.kind != "text" and made.read(row):
        return made.reading()
    if (info := error_in_text(text)) is not None:
        return _refused(info, mask)
    if (spoken := spoken_of(text)) is not None:
        return PastedReading("error", spoken.title, mask.mask_text(spoken.sentence))
    asked = asked or asked_in_recording(text) or asked_in_code(text)
    if asked is not None:
        return _asked(asked, mask)
    if _is_reply(text, row, means.tools):
        part = telling_part(text)
        made = made if part is None else _Recording(part.text, means)
        if made.read(reader_row("text")):
            found = made.reading()
            if part is None:
                return found
            return replace(found, title=f"{found.title}, {part.note}", partial=True, recording=text)
    if row is not None:
        told = f"Nothing in it tells of a model's reply{made.why}."
        return PastedReading(row.kind, row.title, told, certain=False, recording=text)
    told = f"What this is is not known{_json_fault(text)}. Tried: {OTHERS_TRIED}, {tried()}."
    return PastedReading("", "not known", told, specimen=made.as_reply(), certain=False)


def _supposing(plain: Bare, means: _Means) -> PastedReading | None:
    """A text as one reply, with the names that it calls taken for tools; None where tools are known or nothing is called."""
    tools = supposed_tools(plain.text) if means.tools is None else ()
    made = _Recording(plain.text, means._replace(tools=tools))
    if not tools or not made.read(reader_row("text")):
        return None
    found = made.reading()
    if not (found.certain or found.finding):
        return None
    names = ", ".join(tool.name for tool in tools[:3]) + (", …" if len(tools) > 3 else "")
    taken = f"{names} taken for {'a tool' if len(tools) == 1 else 'tools'}"
    return replace(found, title=", ".join(filter(None, (found.title, plain.note, taken))), taken=plain.note)


def _is_reply(text: str, row: ReaderRow | None, tools: Sequence[ToolSpec] | None) -> bool:
    if row is not None:
        return row.kind == "text"
    return unknown_call(text[:_LOOKED_AT], tools) is not None


def _json_fault(text: str) -> str:
    """Where a text that begins like JSON stops to be some."""
    if text.lstrip()[:1] not in ("{", "["):
        return ""
    try:
        parse_json(text)
    except json.JSONDecodeError as error:
        return f": it begins like JSON, but {error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}, column {error.colno}"
    except ValueError:
        return ": it begins like JSON, but cannot be read as such"
    return ": it is JSON of a shape that no reader knows"


class _Recording:
    """Replies in a text, and the most telling of them."""

    def __init__(self, text: str, means: _Means) -> None:
        self._text, self._means = text, means
        self._kind = self._title = ""
        self._chosen: tuple[FoundReply, Finding | None] | None = None
        self._replies = self._findings = self._unread = 0
        self._partial = False
        self.why = ""
        """What could not be read, as the end of a sentence."""

    def read(self, row: ReaderRow) -> bool:
        """Read with one reader; tell whether there was a reply."""
        self._kind, self._title = row.kind, row.title
        judge, until = Judge(self._means.check), 0.0
        for item in row.read(Opened(self._text)):
            if self._replies and (self._means.stop() or time.monotonic() > until):
                self._partial = True
                break
            if not isinstance(item, FoundReply):
                self.why = self.why or f": {item.message.rstrip('.')}"
                self._unread += 1
                continue
            if row.kind == "text":
                item.channel = Channel.RAW
            if item.tools is None and self._means.tools is not None:
                item.tools = self._means.tools
            self._replies += 1
            found = judge.findings(item, "pasted text", item.place)
            if row.kind == "transcript":
                found = [one for one in found if one.kind not in _TOLD_BY_FORENSICS]  # nobody says what it was set to
            self._findings += len(found)
            if found and (self._chosen is None or self._chosen[1] is None):
                self._chosen = (item, found[0])
            elif self._chosen is None or self._chosen[1] is None:
                self._chosen = (item, None)
            until = until or time.monotonic() + MOST_S
        return self._chosen is not None

    def as_reply(self) -> Specimen:
        """The text as a model's reply, should somebody want that."""
        return Specimen(self._means.mask.mask_text(self._text), tools=self._means.tools)

    def reading(self) -> PastedReading:
        """What was found."""
        assert self._chosen is not None
        reply, finding = self._chosen
        slim = (
            None if finding is None else self._means.mask.mask_value(replace(finding, reply=FoundReply(finding.place)))
        )
        specimen = self._means.mask.mask_value(specimen_of_reply(reply, finding, self._kind))
        if self._kind == "text":
            specimen = replace(specimen, format=self._means.asked)
        seen = examine(specimen, self._means.check, self._means.stop)
        judged, called = seen.attribution, any(one.result.calls for one in seen.survey.readings)
        told = judged.sentence
        if seen.survey.unknown is not None and not called:
            told = f"{told} {MAKE_ONE}"
        elif self._kind == "text" and not called and finding is None and self._means.tools is None:
            told = f"{told} {NAME_THEM}"
        if finding is not None and not (judged.layer and finding.kind in _TOLD_BY_FORENSICS):
            told = f"{finding.message} {told}"
        more = "at least " if self._partial else ""
        counts = [f"{more}{_counted(self._replies, 'reply', 'replies')}"] if self._kind != "text" else []
        if self._findings > 1:
            counts.append(_counted(self._findings, "finding", "findings"))
        if self._unread:
            told = f"{told} Not all was read{self.why}."
        return PastedReading(
            self._kind, ", ".join([self._title, *counts]), self._means.mask.mask_text(told), Opens.FORENSICS, specimen, slim,
            self._replies, self._findings, self._partial, certain=self._kind != "text" or called, model=reply.model,
            recording=self._text,
        )  # fmt: skip


def specimen_of_reply(reply: FoundReply, finding: Finding | None, kind: str) -> Specimen:
    """A found reply as Forensics takes it."""
    thought = finding is not None and finding.span.source == "reasoning"
    text = reply.reasoning if thought or not reply.text.strip() else reply.text
    wire = reply.exchange.wire if reply.exchange else "openai_chat"
    given_out = reply.channel is Channel.CONTENT and kind not in ("text", "transcript")
    asked = next((turn.text for turn in reversed(reply.context) if turn.role == "user"), "")
    calls = () if thought else tuple(call.native(number) for number, call in enumerate(reply.calls))
    parts = ("the pasted text", f"line {reply.line}" if reply.line else reply.place, reply.model)
    return Specimen(
        text,
        (wire_row(wire).native or "native_openai") if given_out else "",
        tools=reply.tools,
        reason=reply.finish,
        native_calls=calls,
        title=" ".join(asked.split())[:120],
        place=" · ".join(part for part in parts if part),
        recorded=not text.strip(),
        refused=reply.channel is Channel.LOST,
    )


def _asked(asked: PastedAsk, mask: Secrets) -> PastedReading:
    if asked.request is not None:
        request = mask.mask_value(asked.request)
        turns = _counted(len(request.messages), "message", "messages")
        tools = _counted(len(request.tools), "tool", "tools") if request.tools else "no tools"
        rest = f" Not taken over: {'; '.join(asked.left_out[:3])}." if asked.left_out else ""
        keys = " Headers and their keys are left out." if asked.program else ""
        to = f" to {request.model}" if request.model else ""
        return PastedReading(
            "request", f"{f'{asked.program}, ' if asked.program else ''}request{to}",
            f"A request with {turns} and {tools}; nothing is sent before you run it.{keys}{rest}", Opens.TRY,
            request=request, address=asked.address, wire=asked.wire, left_out=asked.left_out,
        )  # fmt: skip
    if asked.tools:
        declared = mask.mask_value(asked.tools)
        names = ", ".join(tool.name for tool in declared[:4]) + (", …" if len(declared) > 4 else "")
        told = f"Declarations of tools without a conversation: {names}."
        return PastedReading("tools", _counted(len(declared), "tool", "tools"), told, Opens.TRY, tools=declared)
    if not asked.address:
        raise InvalidInput("This curl command has no address.", hint="It begins with http:// or https://.")
    address = mask.mask_url(asked.address)
    title = (
        f"{asked.program}, the body of the request cannot be read from it" if asked.program not in ("", "curl") else ""
    )
    return PastedReading(
        "address", title or "address of an endpoint", f"{address} becomes a provider; give its key there, then test it.",
        Opens.PROVIDERS, address=address, wire=asked.wire,
    )  # fmt: skip


def _refused(info: ErrorInfo, mask: Secrets) -> PastedReading:
    """An error answer, bare, behind its headers, or as the exception of a client library."""
    info = mask.mask_error(info)
    status = f" with status {info.status}" if info.status else ""
    specimen = Specimen("", recorded=True, error=info, title=f"error answer{status}", place="the pasted text")
    words = f"The endpoint refused{status}, {info.kind.value.replace('_', ' ')}: {with_hint(info.message, info.hint)}"
    return PastedReading("error", f"error answer{status}", words, Opens.FORENSICS, specimen)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
