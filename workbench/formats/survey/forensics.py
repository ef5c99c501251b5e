"""One raw text before every format: what each finds, strict and tolerant, and where; and which attempts there are.

`survey` reads. Its readings are in the order of the formats' table, those that found something first, the format that
was asked for at the head. `attempts` folds them into one list: each stretch of text that somebody takes for a call,
with the best reading of it. Both are plain functions of the text; `attribution` puts them into a sentence.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.errors import with_hint
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import prepared
from workbench.formats.kit.unread import NET_CODES
from workbench.formats.registry import get_format, list_formats
from workbench.formats.survey.readings import Readings, read_alone, without_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from workbench.core.messages import NativeCall
    from workbench.core.protocols import Format
    from workbench.core.tools import ToolSpec

GENERAL = frozenset({"generic_xml", "bare_json", "xlam"})
"""Formats that take what others write: where one of those reads as much, it is the better explanation."""
SAME_STRETCH = 0.8
"""Share of an attempt that another format's call must cover to count as a reading of the same attempt."""

_NEAR = 4
_PLAIN = Grammar()


class AttemptPlace(NamedTuple):
    """A stretch of the text that a format takes for an attempt at a call."""

    start: int
    end: int
    outcome: Outcome


class Counts(NamedTuple):
    """How many attempts ended how."""

    strict: int = 0
    recovered: int = 0
    reported: int = 0
    ignored: int = 0

    @property
    def calls(self) -> int:
        """Calls that are given out."""
        return self.strict + self.recovered


@dataclass(frozen=True, slots=True)
class FormatReading:
    """What one format sees."""

    format: str
    result: ParseResult
    """The tolerant reading; the strict one follows from it."""
    native: bool = False

    @property
    def tolerant(self) -> Counts:
        """Attempts as the tolerant policy counts them."""
        strict = [call.outcome for call in self.result.calls].count(Outcome.STRICT)
        told = [problem.outcome for problem in self.result.problems]
        return Counts(
            strict, len(self.result.calls) - strict, told.count(Outcome.REPORTED), told.count(Outcome.IGNORED)
        )

    @property
    def strict(self) -> Counts:
        """The same under the strict policy: what needed repairs is reported."""
        found = self.tolerant
        return Counts(found.strict, 0, found.reported + found.recovered, found.ignored)

    @property
    def found(self) -> bool:
        """There is an attempt, of whatever outcome."""
        return bool(self.result.calls) or any(problem.outcome is not None for problem in self.result.problems)

    @property
    def tried(self) -> bool:
        """There is an attempt that is meant, read or not."""
        return bool(self.result.calls) or any(one.outcome is Outcome.REPORTED for one in self.result.problems)

    @property
    def attempts(self) -> Iterator[ParsedCall | ParseProblem]:
        """Calls, and problems with an outcome, that stand in the text."""
        yield from (call for call in self.result.calls if _in_text(call))
        yield from (one for one in self.result.problems if one.outcome is not None and _in_text(one))

    @property
    def places(self) -> tuple[AttemptPlace, ...]:
        """Where the attempts stand in the text, in order."""
        return tuple(
            sorted(AttemptPlace(one.span.start, one.span.end, one.outcome) for one in self.attempts if one.outcome)
        )

    @property
    def why(self) -> tuple[str, ...]:
        """Codes of repairs and refusals, each once, in order."""
        codes = [code for call in self.result.calls for code in call.repairs]
        codes += [problem.code for problem in self.result.problems if problem.outcome is not None]
        return tuple(dict.fromkeys(codes))


def _in_text(found: ParsedCall | ParseProblem) -> bool:
    return found.span.source == "text"


@dataclass(frozen=True, slots=True)
class Survey:
    """All readings of one text."""

    text: str
    asked: str
    """The format that was asked for, as an id; empty if nobody knows."""
    readings: tuple[FormatReading, ...]
    took_us: int = 0
    unknown: ParseProblem | None = None
    """A declared tool in the shape of a call that no format reads."""

    @property
    def found(self) -> tuple[FormatReading, ...]:
        """Readings with an attempt; the asked one is always among them."""
        return tuple(one for one in self.readings if one.found or one.format == self.asked)

    @property
    def nothing(self) -> tuple[str, ...]:
        """Formats that found nothing."""
        return tuple(one.format for one in self.readings if not one.found and one.format != self.asked)

    def reading(self, name: str) -> FormatReading | None:
        """The reading of one format."""
        return next((one for one in self.readings if one.format == name), None)

    @property
    def best(self) -> FormatReading | None:
        """The reading that explains most; see `rank`. Among equals, the first in table order."""
        return best_of(self.readings)


_BENT = frozenset({"wrong_width_pipe", "near_miss_tag"})


def rank(reading: FormatReading) -> tuple[int, int, int, bool, int, int]:
    """How much a reading explains: strict calls, calls, covered characters; a form of its own before a general one, its family's
    first; then the one whose markers are not bent."""
    counts = reading.tolerant
    covered = sum(one.span.end - one.span.start for one in reading.attempts)
    own = sum("wrong_family" not in call.repairs for call in reading.result.calls)
    bent = sum(not _BENT.isdisjoint(call.repairs) for call in reading.result.calls)
    return counts.strict, counts.calls, covered, reading.format not in GENERAL, own, -bent


def best_of(readings: Iterable[FormatReading]) -> FormatReading | None:
    """The reading that explains most, by `rank`; among equals the first. Most differ in how many calls they give out."""

    def given(one: FormatReading) -> tuple[int, int]:
        return one.tolerant.strict, one.tolerant.calls

    found = [(given(one), one) for one in readings if one.found]
    most = max((count for count, _ in found), default=None)
    return max((one for count, one in found if count == most), key=rank, default=None)


def survey(
    text: str,
    tools: Sequence[ToolSpec] | None = None,
    reason: str | None = None,
    *,
    asked: str = "",
    native_calls: Sequence[NativeCall] = (),
    think_open: bool = False,
    calls_in_reasoning: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> Survey:
    """Read `text` with every text format, and `native_calls` with the asked native one; raise UnknownName.

    `stop` is asked between two formats: when it says so, what was read so far is returned.
    """
    specs = list_formats()  # imports the families: no part of the time that reading takes
    begun = time.perf_counter_ns()
    chosen = get_format(asked) if asked else None
    if chosen is None and native_calls:
        chosen = get_format("native_openai")
    readings = []
    reader = Readings(text, tools, reason, think_open=think_open, calls_in_reasoning=calls_in_reasoning)
    with without_collection():
        for spec in specs:
            if stop():
                break
            if spec.native:
                if spec is chosen:
                    readings.append(
                        FormatReading(spec.id, _read_native(spec, text, native_calls, tools, reason), native=True)
                    )
                continue
            readings.append(FormatReading(spec.id, reader.read(spec)))
        unknown = None if any(one.tried for one in readings) else unknown_call(text, tools)
        flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        readings = _with_lost_beside(readings, chosen, text, tools, reason, flags)
    took = (time.perf_counter_ns() - begun) // 1000
    return gather(text, readings, chosen.id if chosen else "", took, unknown)


def _with_lost_beside(
    readings: list[FormatReading], chosen: Format | None, text: str, tools: Sequence[ToolSpec] | None, reason: str | None,
    flags: Mapping[str, bool],
) -> list[FormatReading]:  # fmt: skip
    """Let the reading that all others are held against tell of calls that no format knows beside those that it gives out."""
    home = next((one for one in readings if chosen is not None and one.format == chosen.id), None)
    home = home or best_of(readings)
    if home is None or home.native or not (tools and home.result.calls and home.result.text.strip()):
        return readings
    told = FormatReading(home.format, read_alone(get_format(home.format), text, tools, reason, flags))
    return [told if one is home else one for one in readings]


def unknown_call(text: str, tools: Sequence[ToolSpec] | None) -> ParseProblem | None:
    """Return the first place where a declared tool is named in the shape of a call, reasoning aside."""
    scan = Scanner(_PLAIN, prepared(tools))
    scan.whole = True
    scan.feed(text)
    scan.finish()
    return next((one for one in scan.result().problems if one.outcome is Outcome.REPORTED), None)


def gather(
    text: str, readings: Iterable[FormatReading], asked: str = "", took_us: int = 0, unknown: ParseProblem | None = None
) -> Survey:
    """Make a survey of readings in table order: the asked one first, then those that found something."""
    ordered = sorted(readings, key=lambda one: (one.format != asked, not one.found))
    return Survey(text, asked, tuple(ordered), took_us, unknown)


def _read_native(
    spec: Format,
    text: str,
    calls: Sequence[NativeCall],
    tools: Sequence[ToolSpec] | None,
    reason: str | None,
) -> ParseResult:
    """A pasted message is JSON with its calls inside; a recorded one has its calls beside its text."""
    if not calls and text.lstrip()[:1] in ("{", "["):
        return spec.parse(text, tools, reason)
    return spec.read_native(text, calls, tools, reason)


_NO_CALL = NET_CODES | {"bad_json"}
"""Why a format gives nothing out that may be another's."""


class BestAttempt(NamedTuple):
    """One attempt of the model at a call, in the best reading that there is."""

    span: Span
    format: str
    """Whose reading it is."""
    outcome: Outcome
    codes: tuple[str, ...]
    """Repairs, or why it was not given out."""
    name: str
    by_asked: bool
    """The asked format gives this call out, strictly or recovered."""
    message: str = ""
    """Of an attempt that nobody gives out: what is wrong with it."""


def attempts(found: Survey) -> tuple[BestAttempt, ...]:
    """Fold all readings into one list: asked format first, better readings of the same stretch, then what it misses."""
    home = found.reading(found.asked) if found.asked else found.best
    if home is None:
        return ()
    if home.native and _is_message(found.text, home):
        return tuple(_attempts_of(home, by_asked=bool(found.asked)))  # the others read the JSON around the same calls
    others = sorted((one for one in found.readings if one is not home and one.result.calls), key=rank, reverse=True)
    starts = [[call.span.start for call in one.result.calls] for one in others]
    made = []
    for one in _attempts_of(home, by_asked=bool(found.asked)):
        better = _better(one, others, starts)
        made += (_inside(one, others) if better.outcome is Outcome.REPORTED else ()) or [better]
    taken = _Taken(len(found.text))
    for one in made:
        taken.add(one.span)
    for span in _left_alone(home):
        taken.add(span)
    for reading in others:
        for call in reading.result.calls:
            if taken.free(call.span):
                taken.add(call.span)
                made.append(_attempt(call, reading.format, by_asked=False))
    return tuple(sorted(made, key=lambda one: (one.span.source, one.span.start)))


def _left_alone(home: FormatReading) -> list[Span]:
    """What a reading takes for an attempt and does not give out, on purpose; a net's catch ends where nobody knows."""
    told = [
        one.span
        for one in home.result.problems
        if one.outcome is not None
        and one.code not in NET_CODES
        and not (home.native and one.outcome is Outcome.IGNORED)
    ]  # what only stands in a message's text is for the formats of text to judge
    return [*told, *(call.span for call in home.result.calls)]


def _is_message(text: str, home: FormatReading) -> bool:
    """True if the text is the message itself that the native format took its calls from."""
    inside = any(call.span.source != "text" for call in home.result.calls)
    return inside and text.lstrip()[:1] in ("{", "[")


class _Taken:
    """Characters of the text that belong to an attempt already."""

    def __init__(self, length: int) -> None:
        self._marks = bytearray(length)

    def add(self, span: Span) -> None:
        if span.source == "text":
            end = min(span.end, len(self._marks))
            self._marks[span.start : end] = b"\x01" * max(end - span.start, 0)

    def free(self, span: Span) -> bool:
        return span.source != "text" or self._marks.find(1, span.start, span.end) < 0


def _attempts_of(reading: FormatReading, *, by_asked: bool) -> list[BestAttempt]:
    made = [_attempt(call, reading.format, by_asked=by_asked) for call in reading.result.calls]
    lost = reading.result.lost
    made += [
        BestAttempt(one.span, reading.format, Outcome.REPORTED, (one.code,), one.name, False, _told(one))
        for one in lost
    ]
    return made


def _told(problem: ParseProblem) -> str:
    return with_hint(problem.message, problem.hint)


def _attempt(call: ParsedCall, name: str, *, by_asked: bool) -> BestAttempt:
    return BestAttempt(call.span, name, call.outcome, call.repairs, call.name, by_asked)


def _better(attempt: BestAttempt, others: Sequence[FormatReading], starts: Sequence[Sequence[int]]) -> BestAttempt:
    """The same stretch as another format reads it, if that one is strict; of a lost one, also if it is recovered."""
    if attempt.outcome is Outcome.STRICT or (attempt.outcome is Outcome.RECOVERED and not _foreign(attempt)):
        return attempt
    wanted = [Outcome.STRICT] if attempt.outcome is Outcome.RECOVERED else [Outcome.STRICT, Outcome.RECOVERED]
    near = [
        (call, reading.format)
        for reading, places in zip(others, starts, strict=True)
        for call in _near(reading.result.calls, places, attempt.span)
        if _covers(call.span, attempt.span)
    ]
    if set(attempt.codes) <= NET_CODES:
        near += [(call, reading.format) for reading in others if (call := _caught(reading.result.calls, attempt))]
    for outcome in wanted:
        for call, name in near:
            if call.outcome is outcome:
                return _attempt(call, name, by_asked=attempt.by_asked)
    return attempt


def _inside(attempt: BestAttempt, others: Sequence[FormatReading]) -> list[BestAttempt]:
    """The strict calls that one other format reads in a stretch of which the home format only says that it is no call."""
    if not set(attempt.codes) <= _NO_CALL:
        return []
    span = attempt.span
    for reading in others:
        calls = [
            call
            for call in reading.result.calls
            if call.outcome is Outcome.STRICT
            and _in_text(call)
            and span.start <= call.span.end
            and call.span.start < span.end
        ]
        if sum(call.span.end - call.span.start for call in calls) * 2 >= span.end - span.start:
            return [_attempt(call, reading.format, by_asked=False) for call in calls]
    return []


def _caught(calls: Sequence[ParsedCall], attempt: BestAttempt) -> ParsedCall | None:
    """The first call of that name in what a net caught, which may go on to the end of the text."""
    span = attempt.span
    return next(
        (
            call
            for call in calls
            if call.name == attempt.name and call.span.source == span.source
            and call.span.start < span.end and span.start < call.span.end
        ),
        None,
    )  # fmt: skip


def _near(calls: Sequence[ParsedCall], starts: Sequence[int], span: Span) -> Sequence[ParsedCall]:
    """The few calls that may cover a stretch; calls stand in order."""
    last = bisect_left(starts, span.end)
    return calls[max(last - _NEAR, 0) : last]


def _foreign(attempt: BestAttempt) -> bool:
    return "wrong_family" in attempt.codes


def _covers(span: Span, other: Span) -> bool:
    if span.source != other.source:
        return False
    shared = min(span.end, other.end) - max(span.start, other.start)
    return shared >= SAME_STRETCH * max(other.end - other.start, 1)
