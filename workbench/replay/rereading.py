"""A run's events as they would stand with other readings of its replies: other calls are other calls made.

Only what follows from a reading at once is put in its place: the calls, whether their arguments fit, the sanitized
reply. What the model said afterwards is the record's; where a run would have gone another way, replay offline tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.calls import ParseProblem, ParseResult, Span
from workbench.core.errors import UnknownName
from workbench.core.events import RunStarted, StepFinished, StepReply, StepRole, ToolFinished, ToolStarted
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolResult
from workbench.formats import get_format
from workbench.formats.sanitize import sanitize
from workbench.formats.survey.sanitized_reply import sanitized_anew
from workbench.replay.difference import same_json, same_reading
from workbench.replay.rereader import Rereader
from workbench.store.rows import StoredReply

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import ToolSetup

_UNKNOWN = "It was never run: the record knows no result of this call."


def with_readings(
    events: Sequence[RunEvent], readings: Mapping[int, ParseResult], check: SchemaChecker
) -> list[RunEvent]:
    """Return the run's events with other readings of some steps' replies."""
    if not readings:
        return list(events)
    return list(_reread(events, readings, check))


def read_today(events: Sequence[RunEvent], check: SchemaChecker) -> tuple[list[RunEvent], int]:
    """Return the run's events as today's parsers read its replies, and how many replies they read differently."""
    reader, readings = Rereader(), dict[int, ParseResult]()
    for reply in stored_replies(events):
        try:
            found = reader.read(reply)
        except UnknownName:  # a format that is gone keeps the reading of its day
            continue
        if not same_reading(reply.reading, found):
            readings[reply.step] = found
    return with_readings(events, readings, check), len(readings)


def stored_replies(events: Sequence[RunEvent]) -> Iterator[StoredReply]:
    """The executor's replies of a run as the store gives them out for a re-parse."""
    run = summarize(events)
    started = run.started
    if started is None:
        return
    tools = tuple(setup.spec for setup in started.tools)
    flags = started.executor.family
    for step, reply in run.replies:
        if step.asked and step.role is StepRole.EXECUTOR:
            yield StoredReply(
                0, started.run_id, step.number, started.executor.format, started.target.policy.value,
                started.parser_version, tools, flags, reply.text, reply.reasoning, reply.native_calls,
                reply.finish_reason, reply.result,
            )  # fmt: skip


def _reread(
    events: Sequence[RunEvent], readings: Mapping[int, ParseResult], check: SchemaChecker
) -> Iterator[RunEvent]:
    run = summarize(events)
    for event in events:
        if isinstance(event, StepFinished) and event.step in readings:
            reading = readings[event.step]
            shown = _shown(reading, event.reply, run.started)
            yield replace(event, reply=replace(event.reply, result=reading, sanitized=shown))
            if run.started is not None:
                known = [(call, ended) for call, ended in run.paired_results if call.step == event.step]
                yield from _calls(event, run.started, reading, known, check)
        elif not (isinstance(event, ToolStarted | ToolFinished) and event.step in readings):
            yield event


def _shown(reading: ParseResult, reply: StepReply, started: RunStarted | None) -> str:
    if started is None:
        return sanitize(reading.text)
    flags = started.executor.family
    return sanitized_anew(
        reading, reply.text, get_format(started.executor.format), [setup.spec for setup in started.tools],
        reply.finish_reason, think_open=flags.think_open, calls_in_reasoning=flags.calls_in_reasoning,
    )  # fmt: skip


def _calls(
    step: StepFinished,
    started: RunStarted,
    reading: ParseResult,
    known: Sequence[tuple[ToolStarted, ToolFinished]],
    check: SchemaChecker,
) -> Iterator[RunEvent]:
    """The calls that the engine would have made of a reading, with the recorded results where there are any."""
    setups = {setup.spec.name: setup for setup in started.tools}
    calls = [call for call in reading.calls if call.name in setups]
    if not started.executor.native and any("extra_calls" in call.repairs for call in calls):
        calls = calls[:1]
    for index, call in enumerate(calls):
        setup = setups[call.name]
        yield ToolStarted(step.step, index, call.id, call.name, call.arguments, setup.mode, step.at_us)
        result = next(
            (
                done.result
                for begun, done in known
                if begun.name == call.name and same_json(begun.arguments, call.arguments)
            ),
            ToolResult(True, _UNKNOWN, None, setup.mode),
        )
        problems = _violations(setup, call, check)
        yield ToolFinished(step.step, index, call.id, result, step.at_us, problems)


def _violations(setup: ToolSetup, call: ParsedCall, check: SchemaChecker) -> tuple[ParseProblem, ...]:
    return tuple(
        ParseProblem("schema", Span(*call.arguments_span), message, name=call.name)
        for _, message in check.problems(setup.spec, call.arguments)
    )
