"""What is wrong with the reading of a reply, as something that another reply has or has not.

A smaller reply is as good as the whole one if the same is wrong with it. Three things can be:

    the reading fails        the outcome that counts, with its codes
    a call is lost           one format reads it, the one that was asked for does not give it out
    the cuts matter          read in the pieces of the stream it is another reading than as one text
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.calls import Outcome, ParseProblem, ParseResult, Span
from workbench.core.errors import InvalidInput
from workbench.core.target import FamilyFlags
from workbench.formats import get_format
from workbench.formats.sanitize import leaked_markers
from workbench.formats.survey.forensics import attempts, survey
from workbench.replay.difference import same_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from workbench.core.calls import ParsedCall
    from workbench.core.messages import NativeCall
    from workbench.core.protocols import Format, SchemaChecker
    from workbench.core.tools import ToolSpec

    UnknownMarkup = Callable[[str, Sequence[ToolSpec]], Iterable[tuple[Span, str]]]

    class Fault(Protocol):
        """Something that a reply has or has not."""

        @property
        def words(self) -> str:
            """What it is, for people."""

        @property
        def name(self) -> str:
            """Of the tool that it is about; empty where that cannot be read."""

        def stands_in(self, reply: FaultyReply) -> bool:
            """Read the reply and say whether it has the fault."""


@dataclass(frozen=True, slots=True)
class FaultyReply:
    """What is read, and what can be made smaller."""

    pieces: tuple[str, ...]
    """The text as it came."""
    tools: tuple[ToolSpec, ...] | None = None
    """None: not known, so any name may be a tool."""

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.pieces)

    @property
    def whole(self) -> FaultyReply:
        """The same in one piece."""
        return replace(self, pieces=(self.text,))


@dataclass(frozen=True, slots=True)
class ReplyReader:
    """How one format reads replies, with what is known beside their text."""

    format: Format
    reason: str = ""
    """The provider's finish reason."""
    flags: FamilyFlags = field(default_factory=FamilyFlags)
    native_calls: tuple[NativeCall, ...] = ()
    check: SchemaChecker | None = None
    """With it arguments that break their schema are a fault, too."""
    unknown: UnknownMarkup | None = None
    """Finds calls in markup that no format reads: spans and names, in order. With it they are a fault, too."""

    def read(self, reply: FaultyReply) -> ParseResult:
        """Read a reply; what a user would see of markers, and broken schemas, are among the problems."""
        tools, reason = reply.tools or None, self.reason or None
        unknown = list(self.unknown(reply.text, tools)) if self.unknown and tools else []
        plain = reply.text.lstrip()[:1] not in ("{", "[") or any(
            not reply.text[: span.start].strip() for span, _ in unknown
        )
        if self.format.native and (self.native_calls or plain):
            read = self.format.read_native(reply.text, self.native_calls, tools, reason)
            return self._checked(_with_unknown(read, unknown), reply)
        flags = self.flags
        parser = self.format.parser(tools, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning)
        for piece in reply.pieces:
            parser.feed(piece)
        parser.finish(reason)
        return self._checked(_with_unknown(parser.result(), unknown), reply)

    def _checked(self, result: ParseResult, reply: FaultyReply) -> ParseResult:
        """The same with what the parser does not look for."""
        found = []
        if result.outcome is not Outcome.REPORTED and (marks := leaked_markers(result.text)):
            found.append(ParseProblem("leaked_marker", marks[0], "A marker stands in the text that a user sees."))
        named = {tool.name: tool for tool in reply.tools or ()}
        for call in result.calls if self.check else ():
            if self.check and call.name in named:
                violations = self.check.problems(named[call.name], call.arguments)
                found += [
                    ParseProblem("schema", Span(*call.arguments_span), told, name=call.name) for _, told in violations
                ]
        return replace(result, problems=(*result.problems, *found)) if found else result


def _with_unknown(result: ParseResult, unknown: Sequence[tuple[Span, str]]) -> ParseResult:
    """The same with calls in unknown markup that the parser passed over; none where it gave out a call."""
    if result.calls or any(one.outcome is Outcome.REPORTED for one in result.problems):
        return result
    found = [
        ParseProblem("unknown_format", span, "A call in a form that no format knows.", Outcome.REPORTED, "", name)
        for span, name in unknown
    ]
    return replace(result, problems=(*result.problems, *found)) if found else result


class Culprit(NamedTuple):
    """The attempt at a call that a fault is about."""

    name: str = ""
    """Of the tool; empty where it cannot be read, or no attempt stands behind the fault."""
    keys: frozenset[str] = frozenset()
    """Of the arguments, where they could be read."""


class ReadingFault(NamedTuple):
    """How a reading failed: the outcome that counts, its codes, and the first attempt that failed so."""

    outcome: Outcome
    codes: frozenset[str]
    culprit: Culprit = Culprit()

    @property
    def words(self) -> str:
        """`reported: truncated, of read_file`."""
        codes = ", ".join(sorted(self.codes)).replace("_", " ")
        told = f"{self.outcome.value}: {codes}" if codes else self.outcome.value
        return f"{told}, of {self.culprit.name}" if self.culprit.name else told


def fault_of(result: ParseResult) -> ReadingFault:
    """What must stay: of a reply with several attempts the worst one's; of a good reply that there is a strict call."""
    outcome = result.outcome
    told = [one for one in result.problems if one.outcome is outcome or outcome is Outcome.NONE]
    codes = {one.code for one in told}
    if outcome in (Outcome.STRICT, Outcome.RECOVERED):
        calls = [call for call in result.calls if call.outcome is outcome]
        aside = [one.code for one in result.problems if one.outcome is None]
        repairs = frozenset((*(code for call in calls for code in call.repairs), *aside))
        return ReadingFault(outcome, repairs, _as_culprit(calls[0]))
    return ReadingFault(outcome, frozenset(codes), Culprit(told[0].name) if told else Culprit())


def culprits(result: ParseResult, code: str) -> list[Culprit]:
    """The attempts that carry a code."""
    found = [_as_culprit(call) for call in result.calls if code in call.repairs]
    return [*found, *(Culprit(problem.name) for problem in result.problems if problem.code == code)]


def all_codes(result: ParseResult) -> list[str]:
    """Codes of all repairs and problems of a reading, each once."""
    codes = [code for call in result.calls for code in call.repairs]
    return list(dict.fromkeys((*codes, *(problem.code for problem in result.problems))))


@dataclass(frozen=True, slots=True)
class FailedReading:
    """The reading fails in the same way."""

    reader: ReplyReader
    fault: ReadingFault
    kept: str = ""
    """What must stay to the letter: in markup that no format reads nobody knows which sign is one of its own."""

    @property
    def words(self) -> str:
        """`reported: truncated`."""
        return f"{self.fault.words}, as it is written" if self.kept else self.fault.words

    @property
    def name(self) -> str:
        """Of the tool."""
        return self.fault.culprit.name

    def stands_in(self, reply: FaultyReply) -> bool:
        """The outcome and its codes are the same."""
        return self.kept in reply.text and fault_of(self.reader.read(reply)) == self.fault


@dataclass(frozen=True, slots=True)
class OneCode:
    """One code of one attempt stays; whatever else was wrong may go."""

    reader: ReplyReader
    code: str
    culprit: Culprit

    @property
    def words(self) -> str:
        """`trailing comma, of read_file`."""
        told = self.code.replace("_", " ")
        return f"{told}, of {self.culprit.name}" if self.culprit.name else told

    @property
    def name(self) -> str:
        """Of the tool."""
        return self.culprit.name

    def stands_in(self, reply: FaultyReply) -> bool:
        """An attempt of that name carries the code."""
        return self.culprit in culprits(self.reader.read(reply), self.code)


@dataclass(frozen=True, slots=True)
class MissingCall:
    """One format reads a call that the other does not give out."""

    asked: ReplyReader
    other: ReplyReader
    culprit: Culprit
    outcome: Outcome
    """How the other format reads it."""
    repairs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the tool."""
        return self.culprit.name

    @property
    def words(self) -> str:
        """`qwen_xml gives out no get_weather, mistral_json reads it (strict)`."""
        if self.asked.format.id == self.other.format.id:
            return f"{self.asked.format.id} gives out no {self.name}: it stands inside the reasoning"
        return f"{self.asked.format.id} gives out no {self.name}, {self.other.format.id} reads it ({self.outcome})"

    def stands_in(self, reply: FaultyReply) -> bool:
        """The call is lost here, and read there no worse than it was."""
        if any(call.name == self.name for call in self.asked.read(reply).calls):
            return False
        return any(
            _as_culprit(call) == self.culprit and call.repairs == self.repairs for call in self.other.read(reply).calls
        )


@dataclass(frozen=True, slots=True)
class CutsMatter:
    """A fault of the stream: in these pieces the reply is read otherwise than as one text."""

    reader: ReplyReader
    fault: ReadingFault
    """Of the reading in pieces."""

    @property
    def words(self) -> str:
        """`recovered: …, only in these pieces`."""
        return f"{self.fault.words}, only in these pieces"

    @property
    def name(self) -> str:
        """Of the tool."""
        return self.fault.culprit.name

    def stands_in(self, reply: FaultyReply) -> bool:
        """Pieces and whole differ, and the pieces still fail in the same way."""
        streamed = self.reader.read(reply)
        return fault_of(streamed) == self.fault and not same_reading(streamed, self.reader.read(reply.whole))


def find_fault(reply: FaultyReply, reader: ReplyReader, code: str = "") -> Fault | None:
    """What is wrong with a reply as `reader` reads it; None where there is neither call nor problem.

    With `code` that code alone; raise InvalidInput naming those that there are.
    """
    result = reader.read(reply)
    if code:
        wanted, known = code.rpartition(".")[2], all_codes(result)
        if wanted not in known:
            hint = f"There are: {', '.join(known)}." if known else "Nothing is wrong with this reading."
            raise InvalidInput(f"{reader.format.id} does not read {wanted!r} in this text.", hint=hint)
        return OneCode(reader, wanted, culprits(result, wanted)[0])
    if len(reply.pieces) > 1 and not same_reading(result, reader.read(reply.whole)):
        return CutsMatter(reader, fault_of(result))
    if lost := _thought_call(reply, reader, result) or _lost_call(reply, reader, result):
        return lost
    fault = fault_of(result)
    kept = _unknown_lines(reply.text, result)
    return FailedReading(reader, fault, kept) if fault.outcome is not Outcome.NONE or fault.codes else None


def _unknown_lines(text: str, result: ParseResult) -> str:
    """The lines of the first call in markup that no format reads; empty without one."""
    span = next(
        (one.span for one in result.problems if one.code == "unknown_format" and one.span.source == "text"), None
    )
    if span is None:
        return ""
    end = text.find("\n", max(span.end - 1, span.start))
    return text[text.rfind("\n", 0, span.start) + 1 : len(text) if end < 0 else end].strip()


def _thought_call(reply: FaultyReply, reader: ReplyReader, result: ParseResult) -> MissingCall | None:
    """The first call that stands inside closed reasoning, where nobody runs it; None where calls are given out."""
    if result.outcome is not Outcome.IGNORED or result.calls or reader.flags.calls_in_reasoning:
        return None
    inside = replace(reader, flags=replace(reader.flags, calls_in_reasoning=True))
    call = next(iter(inside.read(reply).calls), None)
    return MissingCall(reader, inside, _as_culprit(call), call.outcome, call.repairs) if call is not None else None


def _lost_call(reply: FaultyReply, reader: ReplyReader, result: ParseResult) -> MissingCall | None:
    """The first call that another format reads and this one does not give out."""
    flags = reader.flags
    found = survey(
        reply.text, reply.tools or None, reader.reason or None, asked=reader.format.id,
        native_calls=reader.native_calls, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning,
    )  # fmt: skip
    given = {call.name for call in result.calls}
    for one in attempts(found):
        lost = one.outcome in (Outcome.STRICT, Outcome.RECOVERED) and not one.by_asked and one.name not in given
        if lost and one.format != reader.format.id:
            other = replace(reader, format=get_format(one.format), native_calls=())
            call = next((call for call in other.read(reply).calls if call.span == one.span), None)
            if call is not None:
                return MissingCall(reader, other, _as_culprit(call), one.outcome, call.repairs)
    return None


def _as_culprit(call: ParsedCall) -> Culprit:
    return Culprit(call.name, frozenset(call.arguments))
