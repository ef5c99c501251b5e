"""What is right in a reply: the calls that a parser must find in it, and how anybody knows.

A reading is not the truth: of a reply whose call was lost it teaches that there is none. Where the run has a case, its
expectation decides; the calls themselves come from the reading of whichever format finds the expected ones in the text.
Without a case the reading stands there, said to be unconfirmed, and where an attempt was lost nothing is claimed at all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.batch import CallState
from workbench.core.case import ExpectedArgument
from workbench.core.events import ToolStarted
from workbench.core.exchange import Ending, ending_of
from workbench.core.tools import ToolMode
from workbench.core.verdict import VerdictState
from workbench.export.exported_run import NOT_CONFIRMED
from workbench.formats.survey.forensics import rank, survey
from workbench.grading.fieldtable import call_table
from workbench.grading.findings import leaked, may_be_call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.case import Case, Expectation, ExpectedCall
    from workbench.core.events import StepReply
    from workbench.core.run_summary import StepSummary
    from workbench.export.exported_run import ExportedRun


class Truth(NamedTuple):
    """What a reply holds."""

    calls: tuple[dict[str, Any], ...]
    """`{"name", "arguments"}`, in order."""
    confirmed: bool
    """Somebody's expectation stands behind them, not a reading alone."""
    basis: str
    """How it is known, in words."""
    doubt: str = ""
    """Why nothing should be asserted of this reply: a call was tried, and what it should be is not known."""


def truths(exported: ExportedRun) -> dict[int, Truth]:
    """The truth of each of the executor's replies, by the number of its step."""
    replies = exported.run.executor_replies
    doubtful = {step.number for step, reply in replies if _doubtful(reply)}
    ways = [way for way in _ways(exported.case.expectation) if way.calls and not way.names_only]
    return {step.number: _truth(exported, step, reply, ways, doubtful) for step, reply in replies}


def _truth(
    exported: ExportedRun, step: StepSummary, reply: StepReply, ways: Sequence[Expectation], doubtful: set[int]
) -> Truth:
    case, own = exported.case, plain(reply.result.calls)
    unsure = step.number in doubtful
    passed = exported.judged is not None and exported.judged.verdict.state is VerdictState.PASS
    expects = f"the case {case.id!r} expects"
    if not unsure and own and any(_fits(case, way, own) for way in ways):
        return Truth(own, True, f"{expects} {_them(own)}")
    refused = {number for number, _ in exported.run.refused}
    if not unsure and passed and step.number not in refused:
        return Truth(own, True, f"the run passed its case {case.id!r}")
    if ways and (found := _read_otherwise(exported, reply, ways, len(own))):
        name, calls = found
        return Truth(calls, True, f"{expects} {_them(calls)}; {name} reads {_them(calls)} in this text")
    if unsure and doubtful == {step.number} and (meant := _meant(ways, reply, own)):
        return Truth(meant, True, f"{expects} {_them(meant)}; no format reads {_them(meant)} in this text")
    doubt = "A call was tried and lost, and nobody said what it should have been." if unsure else ""
    failed = exported.judged is not None and not passed
    basis = f"{NOT_CONFIRMED}; the run did not pass its case {case.id!r}" if failed else NOT_CONFIRMED
    return Truth(own, False, basis, doubt)


def plain(calls: Sequence[ParsedCall]) -> tuple[dict[str, Any], ...]:
    """Calls as any project writes them."""
    return tuple({"name": call.name, "arguments": call.arguments} for call in calls)


def _them(calls: Sequence[object]) -> str:
    return "it" if len(calls) == 1 else "them"


def _ways(expectation: Expectation | None) -> Iterator[Expectation]:
    if expectation is not None:
        for way in expectation.one_of:
            yield from _ways(way)
        if not expectation.one_of:
            yield expectation


def _doubtful(reply: StepReply) -> bool:
    """An attempt was lost, or text that may be what is left of one stands in the answer."""
    return bool(reply.result.lost) or any(may_be_call(marker) for marker in leaked(reply))


def _fits(case: Case, way: Expectation, calls: Sequence[dict[str, Any]]) -> bool:
    """Every one of these calls is an expected one."""
    made = [
        ToolStarted(0, at, "", call["name"], call["arguments"], ToolMode.RECORD, 0) for at, call in enumerate(calls)
    ]
    rows = call_table(replace(case, expectation=replace(way, extra_calls=False)), made)
    return sum(row.state is CallState.MATCHED for row in rows) == len(calls)


def _read_otherwise(
    exported: ExportedRun, reply: StepReply, ways: Sequence[Expectation], known: int
) -> tuple[str, tuple[dict[str, Any], ...]] | None:
    """The format that reads expected calls in a text, and those calls; `known`: how many the run's own parser gave."""
    tools, family = exported.run.tools, exported.started.executor.family
    found = survey(
        reply.text, tuple(tools.values()) or None, reply.finish_reason or None,
        think_open=family.think_open, calls_in_reasoning=family.calls_in_reasoning,
    )  # fmt: skip
    for reading in sorted(found.found, key=rank, reverse=True):
        calls = plain(reading.result.calls)
        if calls and len(calls) >= known and any(_fits(exported.case, way, calls) for way in ways):
            return reading.format, calls
    return None


def _meant(ways: Sequence[Expectation], reply: StepReply, own: Sequence[object]) -> tuple[dict[str, Any], ...] | None:
    """The expected calls, where the case leaves no choice and the reply is whole; a cut one must give nothing out."""
    if own or len(ways) != 1 or ending_of(reply.finish_reason) is Ending.LENGTH:
        return None
    calls = [_plain_call(call) for call in ways[0].calls]
    return None if None in calls else tuple(call for call in calls if call is not None)


def _plain_call(call: ExpectedCall) -> dict[str, Any] | None:
    """The call with its only possible values; None where there is a choice."""
    if any(len(rule.values) != 1 or rule != ExpectedArgument(rule.values) for rule in call.arguments.values()):
        return None
    return {"name": call.name, "arguments": {name: rule.values[0] for name, rule in call.arguments.items()}}
