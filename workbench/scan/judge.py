"""A reply becomes findings: the quick look first, then the parsers, then the rules of `grading.incidents`.

Only what the model wrote is judged. What merely talks about a call, in code or in quotes, is told apart by the parsers
themselves; where nobody says which tools were offered, only calls with markers count, and calls of tools seen before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.events import StepReply
from workbench.core.exchange import Usage
from workbench.core.json_text import json_or, parse_json
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.survey.attribution_words import FLAWS
from workbench.formats.survey.crossread import best_reading
from workbench.grading.incidents import Incident, in_markers, repeated_calls, reply_incidents
from workbench.scan.best_reader import BestReader
from workbench.scan.dialect import unknown_markup
from workbench.scan.finding import finding_of
from workbench.scan.prefilter import may_hold_call
from workbench.scan.reply import Channel, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.core.messages import NativeCall
    from workbench.core.protocols import SchemaChecker
    from workbench.scan.dialect import UnknownCall
    from workbench.scan.finding import Finding
    from workbench.scan.reply import FoundReply, SeenCall

NATIVE = "native_openai"
_REFUSALS = {
    Refused.UNKNOWN_TOOL: "invented_tool",
    Refused.SCHEMA: "schema_violation",
    Refused.JSON: "malformed_arguments",
}
_ABSORBED_SIGNS = ("param", "arg_key", "</")
_OF_TOOLS = frozenset({"invented_tool", "schema_violation"})
"""Kinds that only somebody who knows the offered tools can tell."""
_MOST_KEYS = 64

Told = tuple[Incident, str]
"""An incident, and the format in which its call is written."""


class Judge:
    """Judges replies one after the other; what it saw of tools helps where a file does not declare them."""

    def __init__(self, check: SchemaChecker) -> None:
        self._check = check
        self._seen: defaultdict[str, set[str]] = defaultdict(set)
        """Tools that were called natively, with the names of their arguments."""
        self._reader = BestReader()

    def findings(self, reply: FoundReply, source: str, place: str) -> list[Finding]:
        """Return what went wrong in a reply, in the order of its characters."""
        if reply.tools == () and reply.channel is Channel.CONTENT:
            return []  # nothing was offered: calls in the text are the client's own way
        if reply.tools is None:
            self._learn(reply.calls)
        found = _apart(self._incidents(reply))
        return [finding_of(reply, incident, form, source, place) for incident, form in found]

    def _learn(self, calls: Iterable[SeenCall]) -> None:
        for call in calls:
            if call.refused is None and isinstance(call.arguments, dict):
                known = self._seen[call.name]
                if len(known) < _MOST_KEYS:
                    known.update(call.arguments)

    def _incidents(self, reply: FoundReply) -> Iterator[Told]:
        if reply.channel is Channel.CONTENT:
            yield from self._content(reply)
        elif reply.channel is Channel.LOST:
            yield from _lost(reply)
        elif may_hold_call(reply.text, reply.tools, self._seen):
            yield from self._raw(reply)
        yield from _refused(reply)

    # what a client was given

    def _content(self, reply: FoundReply) -> Iterator[Told]:
        doubtful = [call.native(number) for number, call in enumerate(reply.calls) if self._doubtful(call, reply)]
        text = reply.text if may_hold_call(reply.text, reply.tools, self._seen) else ""
        thought = "" if reply.calls or not may_hold_call(reply.reasoning, reply.tools, self._seen) else reply.reasoning
        something = bool(reply.calls or reply.hidden or reply.text.strip() or reply.reasoning.strip())
        if reply.error and not something:
            yield Incident("all_output_lost", reply.error, 0, Span(0, 0)), ""
        elif doubtful or text or thought or not something:
            yield from self._read(reply, doubtful, text, thought, something=something)
        if repeated := _repeats(reply):
            before = [call.native(number) for number, call in enumerate(reply.before)]
            yield from ((incident, "native") for incident in repeated_calls(repeated, before))

    def _read(
        self, reply: FoundReply, doubtful: Sequence[NativeCall], text: str, thought: str, *, something: bool
    ) -> Iterator[Told]:
        """Read what the quick look left over with all parsers, and judge it."""
        result = get_format(NATIVE).read_native(text, doubtful, reply.tools, reply.finish or None)
        forms: dict[Span, str] = {}
        if text:
            result = self._with_others(result, text, reply, forms)
        made = StepReply(
            reply.text or ("·" if something else ""), thought, tuple(doubtful), result,
            finish_reason="" if reply.calls or reply.hidden else reply.finish, usage=Usage(None, reply.output_tokens),
        )  # fmt: skip
        tools = reply.tools or tuple(ToolSpec(name) for name in _names(result, thought))
        for incident in reply_incidents(made, {tool.name: tool for tool in tools}, self._check, native=True):
            if reply.tools is None and not self._certain(incident, reply):
                continue
            form = forms.get(incident.span, "")
            if incident.span.source == "reasoning":
                form = best_reading(thought, tools).format
            yield incident, "native" if incident.span.source.startswith("call:") else form

    def _doubtful(self, call: SeenCall, reply: FoundReply) -> bool:
        """Whether a structured call needs a closer look."""
        value: Any = call.arguments
        texts: Iterable[str] = _texts(value)
        if isinstance(value, str):
            texts = (value,)
            try:
                value = parse_json(value) if value.strip() else {}
            except ValueError:
                return call.refused is not Refused.JSON
            if not isinstance(value, dict):
                return True
        if any(sign in text for text in texts for sign in _ABSORBED_SIGNS):
            return True
        if reply.tools is None or call.refused is not None:
            return False
        tool = next((tool for tool in reply.tools if tool.name == call.name), None)
        return tool is None or bool(self._check.problems(tool, value))

    def _certain(self, incident: Incident, reply: FoundReply) -> bool:
        """Whether an incident stands although nobody says which tools were offered."""
        if incident.kind in _OF_TOOLS:
            return False
        if incident.kind != "absorbed_parameter" or not incident.span.source.startswith("call:"):
            return True
        call = reply.calls[int(incident.span.source.removeprefix("call:"))]
        value = call.arguments if isinstance(call.arguments, dict) else parse_json(call.arguments)
        lacking = self._seen[call.name] - value.keys()
        begun = "|".join(map(re.escape, lacking)) or "(?!)"
        pattern = rf"<(?:\w+:)?(?:param(?:eter)?(?:\s+name)?\s*=\s*\\?[\"']?|arg_key>\s*)(?:{begun})\b"
        own = rf"</(?:{'|'.join(map(re.escape, value))})>\s*<"
        return any(re.search(pattern, text) or re.search(own, text) for text in _texts(value))

    def _with_others(self, result: ParseResult, text: str, reply: FoundReply, forms: dict[Span, str]) -> ParseResult:
        """Add what other formats read in the text: each call of an offered tool is one that leaked."""
        best = self._reader.best(text, reply, self._seen)
        told: list[ParseProblem] = []
        for call in best.calls:
            if self._meant(text, call, declared=reply.tools is not None):
                message = f"The call of {call.name} was given out as text, as {best.format} writes it."
                told.append(ParseProblem("wrong_family", call.span, message, Outcome.REPORTED, "", call.name))
                forms[call.span] = call.format
        for problem in best.problems:
            lost = problem.outcome is Outcome.REPORTED and problem.code != "unknown_format"
            if lost and in_markers(text, problem.span) and _tried(text, problem):
                told.append(problem)
                forms[problem.span] = best.format
            elif problem.outcome is Outcome.IGNORED:
                told.append(problem)
        if not told and reply.tools:
            told += [_unknown(one) for one in unknown_markup(text, reply.tools)]
        kept = [
            one for one in result.problems
            if one.span.source != "text"
            or (one.code != "unknown_format" and in_markers(text, one.span) and not any(one.span.meets(other.span) for other in told))
        ]  # fmt: skip
        problems = tuple(sorted((*kept, *told), key=lambda one: one.span[:2]))
        return ParseResult(result.calls, best.text if told else result.text, result.reasoning, problems, result.format)

    def _meant(self, text: str, call: ParsedCall, *, declared: bool) -> bool:
        """Whether a text holds a call: one without markers may be code, or an answer that only looks like it."""
        if call.outcome is Outcome.STRICT and (declared or call.name in self._seen):
            return True
        if in_markers(text, call.span):
            return True
        if declared:
            return call.format != "pythonic"
        alone = not text[: call.span.start].strip() and not text[call.span.end :].strip()
        return alone and call.outcome is Outcome.STRICT

    # what a model wrote before any parser

    def _raw(self, reply: FoundReply) -> Iterator[Told]:
        tools = reply.tools or None
        result = best_reading(reply.text, tools, reply.finish or None)
        form = result.format if result.calls or result.lost else ""
        named = {tool.name: tool for tool in tools or (ToolSpec(name) for name in _names(result, ""))}
        made = StepReply(reply.text, result=result, usage=Usage(None, reply.output_tokens))
        for incident in reply_incidents(made, named, self._check, native=False):
            if tools is not None or (incident.kind not in _OF_TOOLS and in_markers(reply.text, incident.span)):
                yield incident, form
        for call in result.calls:
            if call.outcome is Outcome.RECOVERED and self._meant(reply.text, call, declared=tools is not None):
                flaw = ", ".join(FLAWS.get(code, code) for code in call.repairs)
                told = f"The call of {call.name} is not written as {call.format} wants it: {flaw}."
                yield Incident("malformed_arguments", told, 0, call.span, call.name, mended=True), call.format


def _lost(reply: FoundReply) -> Iterator[Told]:
    """What a server says that it could not read."""
    result = best_reading(reply.text, reply.tools or None, reply.finish or None)
    told = reply.error or "The server gave out no call."
    for call in result.calls:
        yield Incident("tool_call_dropped", told, 0, call.span, call.name), call.format
    if not result.calls:
        span = next((one.span for one in result.lost), Span(0, len(reply.text)))
        name = next((one.name for one in result.problems if one.name), "")
        yield Incident("tool_call_dropped", told, 0, span, name), result.format if result.lost else ""


def _refused(reply: FoundReply) -> Iterator[Told]:
    """What the program that was to execute a call said of it."""
    for number, call in enumerate(reply.calls):
        if call.refused is not None:
            span = Span(0, len(call.text), f"call:{number}")
            yield Incident(_REFUSALS[call.refused], " ".join(call.why.split())[:400], 0, span, call.name), "native"


def _repeats(reply: FoundReply) -> list[tuple[int, ParsedCall]]:
    """Calls that were made in the turn before with the same arguments, and told nothing new."""
    found = []
    for number, call in enumerate(reply.calls):
        for earlier in reply.before:
            same = call.name == earlier.name and call.arguments == earlier.arguments
            if same and not earlier.failed and _nothing_new(earlier.result, call.result):
                found.append((0, _parsed(call, number)))
                break
    return found


def _nothing_new(earlier: str | None, now: str | None) -> bool:
    if earlier is None or now is None:
        return True
    return earlier == now or ("unchanged" in now and len(now) < 400)


def _parsed(call: SeenCall, number: int) -> ParsedCall:
    span = Span(0, len(call.text), f"call:{number}")
    value = json_or(call.text or "{}", {})
    return ParsedCall(call.name, value, call.id, Outcome.STRICT, (), span, span, span, NATIVE)


def _apart(found: Iterable[Told]) -> list[Told]:
    """Leave out what says the same of the same place again, and what an absorbed parameter explains."""
    kept: list[Told] = []
    for incident, form in sorted(found, key=lambda one: (one[0].span.source, one[0].span.start, -one[0].span.end)):
        if not any(_explains(one, incident) for one, _ in kept):
            kept.append((incident, form))
    return kept


def _explains(one: Incident, other: Incident) -> bool:
    if one.span.source != other.span.source:
        return False
    covers = one.span.start <= other.span.start and other.span.end <= one.span.end
    same = one.kind == other.kind and other.span.source == "text"
    absorbed = (one.kind, other.kind) == ("absorbed_parameter", "schema_violation")
    return covers and (same or absorbed or (one.kind, one.message) == (other.kind, other.message))


def _names(result: ParseResult, thought: str) -> dict[str, None]:
    """Names of everything that was called, where nobody says what was offered."""
    calls = [*result.calls, *(best_reading(thought, None).calls if thought else ())]
    return dict.fromkeys(call.name for call in calls if call.name) or {"?": None}


_IN_SENTENCE = re.compile(r"[^\W\d_],?[ \t]{1,2}\Z")
_BODY = re.compile(r"[{}()=\"':]")


def _tried(text: str, problem: ParseProblem) -> bool:
    """Whether markers without a readable name are an attempt: not when they only stand in a sentence."""
    if problem.name:
        return True
    inside = text[problem.span.start : problem.span.end]
    return _BODY.search(inside) is not None or _IN_SENTENCE.search(text[: problem.span.start]) is None


def _unknown(found: UnknownCall) -> ParseProblem:
    message = f"A call of {found.tool!r} stands in the text in a form that no format knows."
    return ParseProblem("unknown_format", found.span, message, Outcome.REPORTED, "", found.tool)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
