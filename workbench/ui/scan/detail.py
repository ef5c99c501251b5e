"""From a finding that was read by all formats to what the right column shows of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Region, Span
from workbench.formats import get_format
from workbench.scan.dialects import is_unknown
from workbench.scan.reply import Channel
from workbench.ui.run.forensics_lines import colours
from workbench.ui.scan.lines import kind_title
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.paragraph import TextRun
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.app.scan_words import Examined
    from workbench.core.calls import ParsedCall
    from workbench.formats.survey.forensics import Counts, FormatReading
    from workbench.scan.finding import Finding
    from workbench.ui.scan.lines import GroupLine

LONGEST = 240
"""Characters of a value, or of a line of the conversation."""
_TURNS = 3


class ReaderLine(NamedTuple):
    """Somebody who read the text, and what came of it."""

    reader: str
    calls: str
    says: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One finding in words."""

    word: str
    kind: str
    marked: bool
    title: str
    headline: str
    sentence: str
    chips: tuple[str, ...]
    confidence: str
    raw: str
    parsed: str
    place: str
    """`server.log:41206`."""
    line_text: str
    """The part of the file that holds the reply; empty where it is no text."""
    file_line: int
    """Number of its first line."""
    first_line: int
    """Number of the first line of `raw` in its file; 1 where the file is not in lines."""
    regions: tuple[Region, ...]
    span: Span
    readers: tuple[ReaderLine, ...]
    lost: tuple[TextRun, ...]
    fits: str
    fits_well: bool | None
    """None: nobody knows."""
    around: tuple[tuple[str, str], ...]
    """Who, and what was said, before and after."""
    unknown: bool = False
    """The call is written in a way that no format reads."""


def detail_of(examined: Examined, group: GroupLine) -> Detail:
    """Everything that is said of the finding that a row shows. Colours of a large text take a moment."""
    finding, words = examined.finding, examined.words
    reading = _reading(examined)
    call = _call(reading, finding)
    days = tr(" in {days}", days=counted(group.days, "day")) if group.days else ""
    fits = examined.fits
    return Detail(
        kind_title(finding.kind), finding.kind, group.marked, words.title, words.headline, words.detail,
        tuple(filter(None, (finding.model, finding.server, f"{counted(group.times, 'time')}{days}"))), words.confidence,
        finding.raw, _parsed(examined, reading), finding.place, finding.reply.source_text,
        max(finding.reply.line, 1), _first_line(examined),
        _regions(examined, reading), finding.span, tuple(_readers(examined, reading)), _lost(call),
        f"{finding.tool} {fits}" if fits and call and not fits.startswith('which') else fits, _fits_well(fits),
        tuple(_around(finding)), is_unknown(finding),
    )  # fmt: skip


def _fits_well(fits: str) -> bool | None:
    return None if fits.startswith("which") else fits.startswith("fits")


def _reading(examined: Examined) -> FormatReading | None:
    survey = examined.exam.survey
    own = survey.reading(examined.finding.format) if examined.finding.format else None
    return own if own is not None and own.found else survey.best


def _call(reading: FormatReading | None, finding: Finding) -> ParsedCall | None:
    calls = reading.result.calls if reading else ()
    return next((one for one in calls if one.name == finding.tool), calls[0] if calls and not finding.tool else None)


def _offset(examined: Examined) -> int:
    """Where the shown part begins in the text that was read, or -1: it is no part of it."""
    finding, text = examined.finding, examined.exam.survey.text
    return -1 if finding.span.source.startswith("call:") else text.find(finding.raw)


def _base_line(examined: Examined) -> int:
    """Number of the first line of the text that was read: in the file where its lines are the file's own, else 1."""
    reply, text = examined.finding.reply, examined.exam.survey.text
    if "\n" not in text:
        return max(reply.line, 1)
    at = reply.source_text.find(text[:200]) if reply.line else -1
    return reply.line + reply.source_text.count("\n", 0, at) if at >= 0 else 1


def _first_line(examined: Examined) -> int:
    at, text = _offset(examined), examined.exam.survey.text
    return _base_line(examined) + (text.count("\n", 0, at) if at > 0 else 0)


def _regions(examined: Examined, reading: FormatReading | None) -> tuple[Region, ...]:
    at, size = _offset(examined), len(examined.finding.raw)
    if at < 0 or reading is None:
        return ()
    found = []
    for region in colours(examined.exam, reading.format):
        start, end = max(region.span.start - at, 0), min(region.span.end - at, size)
        if start < end:
            found.append(region._replace(span=region.span._replace(start=start, end=end)))
    return tuple(found)


def _parsed(examined: Examined, reading: FormatReading | None) -> str:
    calls = [{"name": call.name, "arguments": call.arguments} for call in (reading.result.calls if reading else ())]
    calls += [{"name": call.name, "arguments": call.arguments} for call in examined.finding.reply.calls]
    return "\n".join(json.dumps(call, ensure_ascii=False, indent=2, default=str) for call in calls) or tr(
        "No format reads a call here."
    )


def _readers(examined: Examined, reading: FormatReading | None) -> Iterator[ReaderLine]:
    finding = examined.finding
    if reading is not None and reading.found and not get_format(reading.format).native:
        yield ReaderLine(
            tr("{format} strict", format=reading.format), _count(reading.strict), _strict_words(examined, reading)
        )
        yield ReaderLine(
            tr("{format} tolerant", format=reading.format), _count(reading.tolerant), _tolerant_words(reading)
        )
    elif finding.span.source in ("text", "reasoning"):
        yield ReaderLine(tr("all formats"), "0", tr("none of them reads this"))
    reply = finding.reply
    if reply.channel is Channel.CONTENT:
        given = (
            tr("{calls} given out", calls=counted(len(reply.calls), "structured call"))
            if reply.calls
            else _given_words(finding)
        )
        yield ReaderLine(finding.server or tr("server"), f"{len(reply.calls):,}", given)
    elif reply.channel is Channel.LOST:
        yield ReaderLine(finding.server or tr("server"), "0", reply.error or tr("said that it cannot read this"))
    done = [call for call in reply.calls if call.result is not None]
    if refused := next((call.why or "refused" for call in done if call.refused), ""):
        yield ReaderLine(tr("agent"), "0", tr("refused: {refused}", refused=_short(refused)))
    elif done:
        yield ReaderLine(tr("agent"), f"{len(done):,}", tr("{results} went back", results=counted(len(done), "result")))
    elif reply.after:
        yield ReaderLine(tr("agent"), "0", tr("went on without it"))


def _count(found: Counts) -> str:
    if found.strict:
        return tr("{strict:,} strict", strict=found.strict)
    if found.recovered:
        return tr("{recovered:,} recovered", recovered=found.recovered)
    return "0"


def _strict_words(examined: Examined, reading: FormatReading) -> str:
    call = next((one for one in reading.result.calls if one.span.source == "text"), None)
    if call is None or not reading.strict.calls:
        return ", ".join(reading.why[:2]) or tr("no call")
    text, first = examined.exam.survey.text, _base_line(examined)
    begin = first + text.count("\n", 0, call.span.start)
    end = first + text.count("\n", 0, max(call.span.end - 1, 0))
    return tr("line {begin}", begin=begin) if begin == end else tr("lines {begin} to {end}", begin=begin, end=end)


def _tolerant_words(reading: FormatReading) -> str:
    if not reading.tolerant.calls:
        return ", ".join(reading.why[:2]) or tr("no call")
    repairs = list(dict.fromkeys(code for call in reading.result.calls for code in call.repairs))
    return ", ".join(repairs[:3]) if repairs else tr("no repair needed")


def _given_words(finding: Finding) -> str:
    if finding.span.source == "reasoning":
        return tr("text given out as reasoning")
    return tr("nothing given out") if finding.kind == "all_output_lost" else tr("text given out as content")


def _lost(call: ParsedCall | None) -> tuple[TextRun, ...]:
    if call is None:
        return ()
    arguments: Mapping[str, object] = call.arguments
    runs = [TextRun(call.name, bold=True, mono=True), TextRun("(", mono=True)]
    for number, (key, value) in enumerate(arguments.items()):
        told = _short(json.dumps(value, ensure_ascii=False, default=str))
        runs.append(TextRun(f"{', ' if number else ''}{key} = {told}", mono=True, token="text2"))
    return (*runs, TextRun(")", mono=True))


def _around(finding: Finding) -> Iterator[tuple[str, str]]:
    reply = finding.reply
    for turn in (*reply.context[-_TURNS:], *reply.after[:_TURNS]):
        if turn.text.strip():
            yield turn.role, _short(turn.text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
