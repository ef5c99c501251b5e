"""The verdict without an expectation: did it answer, do the calls fit, was nothing reported or leaked?

    cancelled       somebody stopped it
    error           provider, network or tool: says nothing about the model
    fail            an attempt at a call was lost, arguments break the schema, a marker was left in what the user sees,
                    there is no answer, or a limit was reached
    not gradable    no tools were offered and nothing went wrong: there is nothing about tool calling to judge
    pass            the rest; failed boost rounds before the answer and repairs do not count against it

Calls are checked anew, so the same events with readings of another parser give that parser's verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import StopReason
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.grading import findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.events import RunFinished
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.grading.findings import RunFinding


def judge(run: RunSummary, check: SchemaChecker) -> Verdict:
    """Judge a run by itself. Never raises, whatever is missing from the events."""
    finished = run.finished
    if finished is None:
        return _verdict(VerdictState.CANCELLED, "The run did not finish.", [])
    if finished.stop is StopReason.CANCELLED:
        return _verdict(VerdictState.CANCELLED, f"Cancelled by {finished.cancel or 'the program'}.", [])
    found = list(_findings(run, finished, check))
    if finished.stop is StopReason.ERROR:
        return _failed_exchange(
            finished.error or ErrorInfo(ErrorKind.PROTOCOL, "The model could not be asked."),
            [*found, *findings.asides(run, finished)],
        )
    if found:
        return _verdict(VerdictState.FAIL, found[0].message, [*found, *findings.asides(run, finished)])
    return _without_fault(run, finished)


def _verdict(state: VerdictState, reason: str, found: Sequence[RunFinding]) -> Verdict:
    codes = tuple(dict.fromkeys(finding.code for finding in found))
    return Verdict(state, Basis.INTRINSIC, findings.one_line(reason), codes)


def _failed_exchange(error: ErrorInfo, found: Sequence[RunFinding]) -> Verdict:
    finding, to_blame = findings.exchange_finding(error)
    return _verdict(VerdictState.FAIL if to_blame else VerdictState.ERROR, error.message, [finding, *found])


def _without_fault(run: RunSummary, finished: RunFinished) -> Verdict:
    asides = findings.asides(run, finished)
    broken = [finding for finding in asides if finding.code == "execution.tool_failed"]
    if broken and not finished.answer.strip():
        return _verdict(VerdictState.ERROR, broken[0].message, asides)
    steps = [reply for _, reply in run.executor_replies]
    calls = [call for reply in steps for call in reply.result.calls]
    if not calls and not run.tools:
        return _verdict(VerdictState.NOT_GRADABLE, "No tools were offered, and nothing went wrong.", asides)
    repairs = ", ".join(sorted({repair for call in calls for repair in call.repairs}))
    recorded, count = finished.stop is StopReason.RECORDED, len(calls)
    if not calls and not recorded:
        return _verdict(VerdictState.PASS, "Answered without a call.", asides)
    told = (
        f"{'Recorded' if recorded else 'Answered after'} {count} call{'' if count == 1 else 's'}"
        f"{f', repaired: {repairs}' if repairs else ''}."
    )
    return _verdict(VerdictState.PASS, told, asides)


def _findings(run: RunSummary, finished: RunFinished, check: SchemaChecker) -> Iterator[RunFinding]:
    """What fails the run, most important first."""
    tools, replies = run.tools, [reply for _, reply in run.executor_replies]
    for reply in replies:
        yield from map(findings.of_problem, filter(findings.counts, reply.result.problems))
    for reply in replies:
        yield from findings.schema_findings(reply, tools, check)
    for reply in replies:
        yield from findings.leaks(reply)
    yield from findings.planner_leaks(run, finished)
    yield from findings.ending(finished, replies, run.started.tool_choice if run.started else None)
