"""Forensics of one reply, recorded or pasted: all formats over it, the fault, and whether the cuts of the stream matter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import UnknownName
from workbench.core.events import ChunkReceived, ExchangeStarted, RunStarted, StepRole, StepStarted
from workbench.core.exchange import TextDelta
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.target import FamilyFlags
from workbench.formats import get_format
from workbench.formats.survey.attribution import Attribution, Circumstances, attribute
from workbench.formats.survey.forensics import Survey, survey
from workbench.formats.survey.playback import Tape, recut
from workbench.replay.difference import compare_readings, same_reading
from workbench.replay.parity import MOST_CUTS, Cutting, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.app.pasted_setup import ServerSetup
    from workbench.core.errors import ErrorInfo
    from workbench.core.events import RunEvent, StepReply
    from workbench.core.messages import NativeCall
    from workbench.core.protocols import Format, SchemaChecker, StreamParser
    from workbench.core.tools import ToolSpec

MOST_FED = 4_000_000
"""Characters that a parity check feeds at most for its single cuts: what is left out is said."""


class TextChunk(NamedTuple):
    """What one chunk of the stream brought of the reply's text."""

    at_us: int
    """Since the first byte of the exchange was asked for."""
    text: str
    size: int
    """Bytes on the wire."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """One raw reply with what is known about it."""

    text: str
    format: str = ""
    """The format asked for, as an id or alias; empty: not known."""
    tools: tuple[ToolSpec, ...] | None = None
    """None: not known, so any name may be a tool."""
    reason: str = ""
    native_calls: tuple[NativeCall, ...] = ()
    flags: FamilyFlags = field(default_factory=FamilyFlags)
    chunks: tuple[TextChunk, ...] = ()
    """As received; empty for a pasted text."""
    title: str = ""
    """The prompt, in the top bar."""
    place: str = ""
    """Run, loop and step, in the status bar."""
    recorded: bool = False
    taught: bool = False
    """The prompt taught the format."""
    answering: bool = False
    """Tool results had just come back: an answer is as good as a further call."""
    error: ErrorInfo | None = None
    refused: bool = False
    """A server says that it could not read a call here."""
    run_id: str = ""
    """The run that it was recorded in, where it stands as recorded."""
    setup: ServerSetup | None = None
    """What a pasted text said of the server beside it."""

    @property
    def spec(self) -> Format | None:
        """The asked format, where it is one that reads text."""
        try:
            found = get_format(self.format) if self.format else None
        except UnknownName:
            return None
        return found


@dataclass(frozen=True, slots=True)
class Examination:
    """All that can be said about a specimen."""

    specimen: Specimen
    survey: Survey
    attribution: Attribution


def examine(
    specimen: Specimen, check: SchemaChecker | None = None, stop: Callable[[], bool] = lambda: False
) -> Examination:
    """Read a specimen with all formats and attribute its fault. Takes a second for large texts: off the window's thread."""
    spec = specimen.spec
    found = survey(
        specimen.text, specimen.tools or None, specimen.reason or None, asked=spec.id if spec else "",
        native_calls=specimen.native_calls, think_open=specimen.flags.think_open,
        calls_in_reasoning=specimen.flags.calls_in_reasoning, stop=stop,
    )  # fmt: skip
    schema = _schema_problems(found, specimen.tools or (), check) if check else ()
    about = Circumstances(
        reason=specimen.reason, error=specimen.error, refused=specimen.refused, recorded=specimen.recorded, taught=specimen.taught,
        answering=specimen.answering,
        tools=None if specimen.tools is None else len(specimen.tools), schema=schema,
        checked=check is not None and bool(specimen.tools),
    )  # fmt: skip
    return Examination(specimen, found, attribute(found, about))


def _schema_problems(found: Survey, tools: Sequence[ToolSpec], check: SchemaChecker) -> tuple[str, ...]:
    """What full JSON Schema says of the calls that the asked format gives out, or the best one."""
    reading = found.reading(found.asked) if found.asked else found.best
    named = {tool.name: tool for tool in tools}
    told = []
    for call in reading.result.calls if reading else ():
        if (tool := named.get(call.name)) is not None:
            for path, message in check.problems(tool, call.arguments):
                told.append(f"{'.'.join(map(str, (call.name, *path)))}: {message}.")
    return tuple(told)


def specimen_of(events: Sequence[RunEvent], step: int | None = None) -> Specimen | None:
    """The reply of a step of a run; without a number the most telling one."""
    run = summarize(events)
    number = telling_step(run) if step is None else step
    found = run.steps.get(number) if number is not None else None
    if run.started is None or found is None or found.asked is None or found.reply is None:
        return None
    chunks: list[ChunkReceived] = []
    asked_us = found.asked.at_us
    for event in events:
        if isinstance(event, ExchangeStarted) and event.step == number:
            chunks, asked_us = [], event.at_us
        elif isinstance(event, ChunkReceived) and event.step == number:
            chunks.append(event)
    return step_specimen(run.started, found.asked, found.reply, chunks, asked_us)


def telling_step(run: RunSummary) -> int | None:
    """The first executor step that lost a call, else that mended one, else the last."""
    mine = [(step.number, reply) for step, reply in run.replies if step.asked and step.role is StepRole.EXECUTOR]
    lost = (number for number, reply in mine if reply.result.lost or reply.error)
    mended = (number for number, reply in mine if any(call.repairs for call in reply.result.calls))
    last = mine[-1][0] if mine else next((step.number for step, _ in run.replies), None)
    return next(lost, next(mended, last))


def step_specimen(
    started: RunStarted, step: StepStarted, reply: StepReply, chunks: Sequence[ChunkReceived], asked_us: int
) -> Specimen:
    """The reply of one step of a run, with what the run knows."""
    planner = step.role is StepRole.PLANNER
    party = started.planner if planner and started.planner else started.executor
    found = Specimen(reply.text, step.format)
    known = None if planner else found.spec
    return Specimen(
        reply.text,
        known.id if known else "",
        tools=() if planner else tuple(setup.spec for setup in started.tools),
        reason=reply.finish_reason,
        native_calls=reply.native_calls,
        flags=party.family,
        chunks=chunks_of(chunks, asked_us),
        title=started.title or _prompt(started),
        place=f"Loop {step.loop} · {step.role.value}, step {step.step + 1} · {party.provider} / {party.model}",
        recorded=True,
        taught=known is not None and not known.native,
        answering=any("tool result" in word for word in step.news),
        error=reply.error,
        run_id=started.run_id,
    )


def _prompt(started: RunStarted) -> str:
    last = next((message.text for message in reversed(started.messages) if message.role == "user"), "")
    return " ".join(last.split())[:120]


def chunks_of(chunks: Sequence[ChunkReceived], asked_us: int) -> tuple[TextChunk, ...]:
    """What each chunk brought of the text."""
    return tuple(
        TextChunk(
            chunk.at_us - asked_us,
            "".join(delta.text for delta in chunk.deltas if isinstance(delta, TextDelta)),
            len(chunk.data),
        )
        for chunk in chunks
    )


def tape_of(specimen: Specimen, size: int | None = None) -> Tape | None:
    """The reply as its parser saw it: as received (None), in pieces of a size, or as one text (0); None without text."""
    spec = specimen.spec
    if spec is None or spec.native:
        return None
    pieces = tuple(chunk.text for chunk in specimen.chunks) if size is None else recut(specimen.text, size)
    if size is None and "".join(pieces) != specimen.text:
        pieces = recut(specimen.text, 0)  # the record has fewer bytes than the reply: a stop fired, or a chunk is lost
    return Tape(
        spec, pieces, specimen.tools or None, specimen.reason or None,
        think_open=specimen.flags.think_open, calls_in_reasoning=specimen.flags.calls_in_reasoning,
    )  # fmt: skip


class ParityLine(NamedTuple):
    """One way of cutting, or a family of them, against the reply as received."""

    name: str
    checked: int
    differing: tuple[Cutting, ...] = ()


def check_cuts(specimen: Specimen, stop: Callable[[], bool] = lambda: False) -> tuple[ParityLine, ...]:
    """Feed a reply in other chunkings; the reading must not depend on them. Empty where there is no text to cut."""
    spec, text = specimen.spec, specimen.text
    if spec is None or spec.native or not text:
        return ()
    tools, flags, reason = specimen.tools or None, specimen.flags, specimen.reason

    def parser() -> StreamParser:
        return spec.parser(tools, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning)

    received = tuple(chunk.text for chunk in specimen.chunks)
    received = received if "".join(received) == text else (text,)
    whole, told = read_pieces(parser(), received, reason)
    lines: list[ParityLine] = []
    for name, ways in _ways(text):
        checked, differing = 0, []
        for title, pieces in ways:
            if stop():
                return tuple(lines)
            checked += 1
            result, said = read_pieces(parser(), pieces, reason)
            if not same_reading(whole, result):
                differing.append(Cutting(title, pieces, compare_readings(whole, result)))
            elif said != told:
                differing.append(Cutting(title, pieces, compare_readings(whole, result), told=True))
        lines.append(ParityLine(name.format(count=checked), checked, tuple(differing)))
    return tuple(lines)


def _ways(text: str) -> Iterator[tuple[str, Iterator[tuple[str, tuple[str, ...]]]]]:
    """Names and cuttings of the lines, in the order shown."""
    most = max(1, min(MOST_CUTS * 4, MOST_FED // max(len(text), 1)))
    step = max(1, -(-len(text) // most))
    every = "every single cut ({count})" if step == 1 else "{count} single cuts"
    yield "1 character each", iter([("1 character each", recut(text, 1))])
    yield every, ((f"cut at {at:,}", (text[:at], text[at:])) for at in range(1, len(text), step))
    yield "4, 16, 64 characters", ((f"{size} characters each", recut(text, size)) for size in (4, 16, 64))
    yield "as one text", iter([("as one text", recut(text, 0))])
