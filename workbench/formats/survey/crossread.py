"""One text read by every format, and what a run's policy makes of a reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Danger, Outcome, ParsedCall, ParseProblem, ParseResult, Span, danger_of
from workbench.core.target import Policy
from workbench.formats.kit.native_spec import begins_message
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.toolset import prepared
from workbench.formats.kit.unread import NET_CODES
from workbench.formats.registry import get_format, list_formats
from workbench.formats.sanitize import leaked_markers
from workbench.formats.survey.readings import Readings, read_alone, without_collection
from workbench.formats.survey.sightings import Sightings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolSpec

_NO_FLAGS: Mapping[str, bool] = {}


def read_all(
    text: str,
    tools: Sequence[ToolSpec] | None,
    reason: str | None = None,
    *,
    think_open: bool = False,
    calls_in_reasoning: bool = False,
    alone: bool = False,
) -> tuple[ParseResult, ...]:
    """Return the reading of every text format, in table order; the flags are those of the model's family.

    `alone`: each as if nobody else read the text, with what no grammar finds; else what is told of that is told once, by others.
    """
    if alone and may_be_read(text, tools):
        flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        return tuple(read_alone(spec, text, tools, reason, flags) for spec in list_formats() if not spec.native)
    readings = Readings(text, tools, reason, think_open=think_open, calls_in_reasoning=calls_in_reasoning)
    with without_collection():
        return tuple(readings.read(spec) for spec in list_formats() if not spec.native)


def best_reading(
    text: str,
    tools: Sequence[ToolSpec] | None,
    reason: str | None = None,
    policy: Policy = Policy.TOLERANT,
    *,
    think_open: bool = False,
    calls_in_reasoning: bool = False,
) -> ParseResult:
    """Return the reading with most strict calls, then most calls and attempts, least text, fewest repairs; table order."""
    flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
    return best_of(read_all(text, tools, reason, **flags), text, tools, reason, policy, flags)


def best_of(
    every: Sequence[ParseResult],
    text: str,
    tools: Sequence[ToolSpec] | None,
    reason: str | None = None,
    policy: Policy = Policy.TOLERANT,
    flags: Mapping[str, bool] = _NO_FLAGS,
) -> ParseResult:
    """Return the best reading as `best_reading` does, where `read_all` gave `every` for the same text and flags."""
    messages = [spec.parse(text, tools, reason) for spec in list_formats() if spec.native and begins_message(text)]
    messages = [message for message in messages if message.calls]
    # a list of calls is a text format's own, unless only an API's parts are read in it
    readings = [*messages, *every] if text.lstrip().startswith("{") else [*every, *messages]
    readings = (
        [apply_policy(reading, text, tools, policy, reason) for reading in readings] if policy in _LEAST else readings
    )
    best = max(_meant(readings), key=_rank)  # max keeps the first of equals
    if best.calls and policy not in _LEAST:
        # a call beside it may have been lost, or a parameter in another one's value
        told = read_alone(get_format(best.format), text, tools, reason, flags)
        return told if told.calls == best.calls else best
    if best.calls or (best.problems and all(one.name for one in best.problems)):
        return best
    told = read_alone(
        get_format(best.format), text, tools, reason, flags
    )  # alone, a format names the tool that a marker is about
    if best.problems:
        return told if _places(told) == _places(best) else best
    if told.problems or not leaked_markers(text):
        return told
    seen = Sightings(text)
    own = (spec for spec in list_formats() if type(spec) is FormatSpec and not spec.native and seen.of(spec.grammar))
    others = (read_alone(spec, text, tools, reason, flags) for spec in own)
    return next((other for other in others if other.problems), told)


def _places(result: ParseResult) -> list[tuple[str, Span]]:
    return [(one.code, one.span) for one in result.problems]


_PLACES = ("code block.", "reasoning.")
"""Where another format may well see a call: how a message says so."""


def _meant(readings: list[ParseResult]) -> list[ParseResult]:
    """Return the readings without those that take for calls, read or lost, what the format of its markers knows as talk."""
    told = [
        problem.span
        for reading in readings
        if not reading.calls
        for problem in reading.problems
        if problem.code == "mentioned" and not problem.message.endswith(_PLACES)
    ]

    def contradicts(reading: ParseResult) -> bool:
        if reading.calls:
            return all(
                any(span.start <= call.span.start and call.span.end <= span.end for span in told)
                for call in reading.calls
            )
        return bool(reading.problems) and all(
            problem.code != "mentioned" and any(span.start <= problem.span.start < span.end for span in told)
            for problem in reading.problems
        )

    return [reading for reading in readings if not contradicts(reading)] if told else readings


def best_other(
    text: str, tools: Sequence[ToolSpec] | None, reason: str | None = None, *, but: str
) -> ParseResult | None:
    """Return the best reading among the formats other than `but` that find a call; None if none does."""
    if not text.strip():
        return None
    others = [reading for reading in read_all(text, tools, reason) if reading.format != but and reading.calls]
    return max(others, key=_rank, default=None)


def may_be_read(text: str, tools: Sequence[ToolSpec] | None) -> bool:
    """False for a text in which no other format can find a call: with tools declared, it names none of them."""
    return tools is None or prepared(tools).named_in(text)


def only_net(result: ParseResult) -> bool:
    """True if all that was lost is text that the format could not read: another one may."""
    return all(problem.code in NET_CODES for problem in result.lost)


def _rank(reading: ParseResult) -> tuple[int, int, int, int, int]:
    strict = sum(call.outcome is Outcome.STRICT for call in reading.calls)
    tried = sum(problem.outcome is not None for problem in reading.problems)
    if not reading.calls:
        return strict, 0, tried, 0, 0
    repairs = sum(len(call.repairs) for call in reading.calls)
    return strict, len(reading.calls), tried, -len(reading.text.strip()), -repairs


def apply_policy(
    result: ParseResult,
    text: str,
    tools: Sequence[ToolSpec] | None,
    policy: Policy,
    reason: str | None = None,
) -> ParseResult:
    """Return the reading as the policy wants it: a least grade refuses repairs, cross_format asks the other formats."""
    if policy in _LEAST:
        return _refused(result, policy)
    if policy is Policy.CROSS_FORMAT and not result.calls and may_be_read(text, tools):
        return _crossed(result, text, tools, reason)
    return result


_LEAST = {Policy.STRICT: (), Policy.SAFE: (Danger.SAFE,), Policy.LIKELY: (Danger.SAFE, Danger.LIKELY)}
"""Which grades of recovered calls each policy lets count."""


def _refused(result: ParseResult, policy: Policy) -> ParseResult:
    """Report the calls whose repairs the policy refuses."""
    wanted = _LEAST[policy]
    kept = tuple(call for call in result.calls if call.outcome is Outcome.STRICT or call.danger in wanted)
    if len(kept) == len(result.calls):
        return result
    refused = tuple(_refusal(call, policy) for call in result.calls if call not in kept)
    problems = tuple(sorted((*result.problems, *refused), key=lambda problem: problem.span[:2]))
    return ParseResult(kept, result.text, result.reasoning, problems, result.format)


def _refusal(call: ParsedCall, policy: Policy) -> ParseProblem:
    """Name the repair that decides: the least certain one, or under the strict policy the first."""
    worst = next(code for code in call.repairs if policy is Policy.STRICT or danger_of((code,)) is call.danger)
    codes = ", ".join(call.repairs)
    message = f"The call of {call.name!r} needed repairs, which the policy {policy.value!r} refuses: {codes}."
    return ParseProblem(worst, call.span, message, Outcome.REPORTED, "Use the tolerant policy.", call.name)


def _crossed(result: ParseResult, text: str, tools: Sequence[ToolSpec] | None, reason: str | None) -> ParseResult:
    """Take the calls of the one other format that finds some, marked as another family's."""
    best = best_other(text, tools, reason, but=result.format)
    if best is None:
        return result
    calls = tuple(
        call._replace(outcome=Outcome.RECOVERED, repairs=tuple(dict.fromkeys((*call.repairs, "wrong_family"))))
        for call in best.calls
    )
    problems = [problem for problem in result.problems if not _covered(problem, calls)]
    seen = {problem.span[:2] for problem in problems}
    problems += [problem for problem in best.problems if problem.span[:2] not in seen]
    return ParseResult(calls, best.text, best.reasoning, tuple(problems), result.format)


def _covered(problem: ParseProblem, calls: Sequence[ParsedCall]) -> bool:
    """True if a problem is about characters that are a call now."""
    return any(
        problem.span.start < call.span.end and call.span.start < problem.span.end and problem.outcome is not None
        for call in calls
    )
