"""The verdict of a case: were the right calls made, or rightly none?

    cancelled       somebody stopped it
    error           provider or network: says nothing about the model
    fail            wrong decision, wrong tool, wrong arguments, a call that nobody could read, a limit, no answer
    pass            the expected calls were executed (or rightly none was tried) and the answer holds what it must

Deciding, formatting and arguments are scored apart. A call that was lost, or told to be wrong and then corrected, does
not fail a run that made the right calls in the end; its codes are kept. Where no call is right, an attempt that could
not be read is a call all the same, and a marker left in the text makes the decision unknowable: neither is ever a
correct refusal. A call inside closed reasoning is a thought: without an answer after it nobody knows the decision.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import CallRow, CallState, CaseVerdict, Mark
from workbench.core.calls import Outcome
from workbench.core.case import PathChecks
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import StopReason
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.grading import findings, intrinsic
from workbench.grading.fieldtable import call_table, table_findings
from workbench.grading.findings import RunFinding
from workbench.grading.rules import rule_of
from workbench.grading.run_checks import answer_findings, checks_answer, forbidden_findings, path_findings
from workbench.grading.written import mended_calls, written_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.case import Case, Expectation
    from workbench.core.events import RunFinished, StepReply, ToolStarted
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary

GRADER_VERSION = "2026.11.4"
"""Changes when the same run would be graded differently."""


_THOUGHT = RunFinding("format.call_in_reasoning", "A call was written inside closed reasoning, where nobody runs it.")


class _JudgedRun(NamedTuple):
    """A run as the judge sees it."""

    finished: RunFinished
    replies: tuple[StepReply, ...]
    made: tuple[ToolStarted, ...]
    """Calls that were executed, or recorded."""
    refused: tuple[ToolStarted, ...]
    """Calls that were not executed because their arguments break the schema."""
    lost: tuple[RunFinding, ...]
    """Attempts that nobody could read."""
    leaks: tuple[RunFinding, ...]
    suspect: bool
    """A leaked marker may be what is left of a call."""
    thought: tuple[RunFinding, ...]
    """A call that was written inside the reasoning."""
    ending: tuple[RunFinding, ...]
    asides: tuple[RunFinding, ...]

    @property
    def unknowable(self) -> bool:
        """A text may or may not have been meant as a call."""
        vanished = any(finding.code == "parse.lost_call" for finding in self.ending)
        only_thought = bool(self.thought) and not self.finished.answer.strip()
        return not (self.made or self.refused or self.lost) and (self.suspect or vanished or only_thought)

    @property
    def called(self) -> bool | None:
        """A call was made or visibly tried."""
        return None if self.unknowable else bool(self.made or self.refused or self.lost)


def judge_case(run: RunSummary, case: Case, check: SchemaChecker) -> CaseVerdict:
    """Hold a run against its case; without expectation, judge it by itself. Never raises."""
    if case.expectation is not None and case.expectation.one_of:
        tries = [_judge(run, replace(case, expectation=way), check) for way in case.expectation.one_of]
        found = min(tries, key=lambda one: (one.verdict.state is not VerdictState.PASS, len(one.verdict.codes)))
    else:
        found = _judge(run, case, check)
    return replace(found, rule=rule_of(case.expectation))


def _judge(run: RunSummary, case: Case, check: SchemaChecker) -> CaseVerdict:
    finished, alone = run.finished, intrinsic.judge(run, check)
    if finished is None or case.expectation is None or alone.state is VerdictState.CANCELLED:
        basis = Basis.EXPECTATION if case.expectation else Basis.INTRINSIC
        return _ungraded(run, Verdict(alone.state, basis, alone.reason, alone.codes))
    if finished.stop is StopReason.ERROR:
        error = finished.error or ErrorInfo(ErrorKind.PROTOCOL, "The model could not be asked.")
        _, to_blame = findings.exchange_finding(error)
        state = VerdictState.FAIL if to_blame else VerdictState.ERROR
        return _ungraded(run, Verdict(state, Basis.EXPECTATION, findings.one_line(error.message), alone.codes))
    seen, wanted = _look(run, finished, check), case.expectation
    if wanted.matching.as_written:
        seen = _to_the_letter(seen, mended_calls(run, wanted))
    beside = [*forbidden_findings((*seen.made, *seen.refused), wanted), *path_findings(run, wanted.path)]
    if wanted.no_call or wanted.must_ask:
        return _without_call(seen, wanted, beside)
    if wanted.any_call or _leaves_calls_free(wanted):
        return _with_any_call(seen, wanted, beside)
    written = written_calls(run, wanted)
    table = call_table(case, seen.made, written)
    if seen.refused and not _matches(table):
        both = sorted((*seen.made, *seen.refused), key=lambda event: (event.step, event.index))
        table = call_table(case, both, written)
    return _with_calls(seen, wanted, table, beside)


def _leaves_calls_free(wanted: Expectation) -> bool:
    """It speaks of the answer, the path or wrong tools alone."""
    return not wanted.calls and bool(wanted.must_not_call or checks_answer(wanted) or wanted.path != PathChecks())


def _look(run: RunSummary, finished: RunFinished, check: SchemaChecker) -> _JudgedRun:
    replies, tools = tuple(reply for _, reply in run.executor_replies), run.tools
    made, refused = run.split_calls()
    if finished.stop is StopReason.RECORDED:  # nothing was told to the model, so nothing can have been put right
        made, refused = list(run.calls), []
    problems = [problem for reply in replies for problem in reply.result.problems if findings.counts(problem)]
    schema = [finding for reply in replies for finding in findings.schema_findings(reply, tools, check)]
    unknown = [finding for finding in schema if finding.code == "parse.unknown_tool"]  # given out, never executed
    lost = [findings.of_problem(problem) for problem in problems if problem.outcome is Outcome.REPORTED]
    notices = [findings.of_problem(problem) for problem in problems if problem.outcome is None]
    leaks = [finding for reply in replies for finding in findings.leaks(reply)]
    ending = list(findings.ending(finished, replies, run.started.tool_choice if run.started else None))
    thought = [_THOUGHT] if any(map(findings.in_reasoning, replies)) else []
    return _JudgedRun(
        finished,
        replies,
        tuple(made),
        tuple(refused),
        (*lost, *unknown),
        (*leaks, *findings.planner_leaks(run, finished)),
        any(findings.may_be_call(marker) for reply in replies for marker in findings.leaked(reply)),
        tuple(thought),
        tuple(finding for finding in ending if finding.code != "decision.tool_choice"),
        (*thought, *notices, *schema, *ending, *findings.asides(run, finished)),
    )


def _to_the_letter(seen: _JudgedRun, mended: dict[tuple[int, int], str]) -> _JudgedRun:
    """The run where a call whose form had to be mended is none, as everywhere else where nobody mends it."""
    lost = tuple(
        RunFinding(f"parse.{code}", f"The call of {event.name} could be read only by a repair of its form: {code}.")
        for event in (*seen.made, *seen.refused)
        if (code := mended.get((event.step, event.index)))
    )
    made, refused = (
        tuple(event for event in events if (event.step, event.index) not in mended)
        for events in (seen.made, seen.refused)
    )
    return seen._replace(made=made, refused=refused, lost=(*seen.lost, *lost))


def _matches(table: Sequence[CallRow]) -> bool:
    return all(row.state in (CallState.MATCHED, CallState.ALLOWED) for row in table)


def _ungraded(run: RunSummary, verdict: Verdict) -> CaseVerdict:
    """A run that says nothing about its expectation; its format can be seen all the same."""
    replies = tuple(reply for _, reply in run.executor_replies)
    strict = verdict.state is VerdictState.PASS and all(_is_strict(reply) for reply in replies)
    return CaseVerdict(verdict, format=_format(replies), recognised=_recognised(replies), strict=strict)


def _without_call(seen: _JudgedRun, expectation: Expectation, beside: Sequence[RunFinding]) -> CaseVerdict:
    made = [RunFinding("decision.unneeded_call", f"{event.name} was called, and no call is right here.")
            for event in (*seen.made, *seen.refused)]  # fmt: skip
    if expectation.matching.as_written and not made:
        return _unread(seen, expectation, beside)
    tried = [*seen.lost, RunFinding("decision.unneeded_call", "A call was tried, and no call is right here.")]
    found = [*made, *(tried if seen.lost and not made else seen.lost)]
    found += seen.leaks if seen.suspect and not found else ()
    answer, unsaid = _answer(seen, expectation)
    rows = tuple(CallRow(CallState.EXTRA, "", event.name, -1, at, event.step)
                 for at, event in enumerate((*seen.made, *seen.refused)))  # fmt: skip
    decision = Mark.NOT_GRADABLE if seen.unknowable else Mark.WRONG if seen.called else Mark.RIGHT
    well = "Rightly asked back." if expectation.must_ask else "Rightly made no call."
    verdict = _verdict([*found, *unsaid, *beside], well, (*seen.leaks, *seen.asides))
    return _scored(seen, verdict, needed=False, decision=decision, answer=answer, rows=rows)


def _unread(seen: _JudgedRun, expectation: Expectation, beside: Sequence[RunFinding]) -> CaseVerdict:
    """Nothing was called to the letter: what could not be read as it stands counts as no call, and stays on record."""
    answer, unsaid = _answer(seen, expectation)
    doubt = bool(seen.called) or seen.unknowable
    well = "Made no call that can be read as it stands." if doubt else "Rightly made no call."
    verdict = _verdict([*unsaid, *beside], well, (*seen.lost, *seen.leaks, *seen.asides))
    decision = Mark.NOT_GRADABLE if doubt else Mark.RIGHT
    return _scored(seen, verdict, needed=False, decision=decision, answer=answer, rows=())


def _with_any_call(seen: _JudgedRun, expectation: Expectation, beside: Sequence[RunFinding]) -> CaseVerdict:
    """Whichever tool: only the decision and the reading count; without `any_call` not even the decision does."""
    answer, unsaid = _answer(seen, expectation)
    called = bool(seen.made or seen.refused)
    missed = [] if called or not expectation.any_call else [*seen.lost, *seen.leaks, *seen.thought]
    if expectation.any_call and not called and not missed:
        code = "parse.lost_call" if seen.unknowable else "decision.no_call"
        missed = [
            RunFinding(code, "A call was lost." if seen.unknowable else "No call was made; some call was expected.")
        ]
    well = "Made a call." if expectation.any_call else "Called nothing that is wrong here."
    if not (expectation.any_call or expectation.must_not_call):
        well = "The answer is as it must be; calls are free."
    verdict = _verdict([*missed, *beside, *unsaid], well, (*seen.lost, *seen.leaks, *seen.asides))
    decision = Mark.NOT_ASKED
    if expectation.any_call:
        decision = Mark.NOT_GRADABLE if seen.unknowable else Mark.RIGHT if seen.called else Mark.WRONG
    needed = True if expectation.any_call else None
    return _scored(seen, verdict, needed=needed, decision=decision, answer=answer, rows=())


def _with_calls(
    seen: _JudgedRun, expectation: Expectation, table: tuple[CallRow, ...], beside: Sequence[RunFinding]
) -> CaseVerdict:
    wrong = table_findings(table, any_made=bool(seen.made or seen.refused))
    answer, unsaid = _answer(seen, expectation)
    if any(row.state is CallState.MISSING for row in table) and (seen.lost or seen.unknowable):
        wrong = [finding for finding in wrong if finding.code != "decision.no_call"]
        wrong = [*seen.lost, *seen.leaks, *seen.thought, *wrong] or [RunFinding("parse.lost_call", "A call was lost.")]
    found = [*wrong, *beside, *unsaid]
    expected = len(expectation.calls)
    told = f"Made the {expected} expected calls." if expected > 1 else "Made the expected call."
    verdict = _verdict(found, told, (*seen.lost, *seen.leaks, *seen.asides))
    decision = Mark.NOT_GRADABLE if seen.unknowable else Mark.RIGHT if seen.called else Mark.WRONG
    return _scored(seen, verdict, needed=True, decision=decision, answer=answer, rows=table)


def _verdict(found: Sequence[RunFinding], well: str, asides: Sequence[RunFinding]) -> Verdict:
    state = VerdictState.FAIL if found else VerdictState.PASS
    codes = tuple(dict.fromkeys(finding.code for finding in (*found, *asides)))
    return Verdict(state, Basis.EXPECTATION, findings.one_line(found[0].message if found else well), codes)


def _scored(
    seen: _JudgedRun, verdict: Verdict, *, needed: bool | None, decision: Mark, answer: Mark, rows: tuple[CallRow, ...]
) -> CaseVerdict:
    passed = verdict.state is VerdictState.PASS
    return CaseVerdict(
        verdict,
        needed=needed,
        called=seen.called,
        decision=decision,
        format=_format(seen.replies),
        recognised=_recognised(seen.replies) and not seen.unknowable,
        tool=_tool_mark(rows) if needed and seen.called else Mark.NOT_ASKED,
        arguments=_argument_mark(rows),
        answer=answer,
        strict=passed and all(_is_strict(reply) for reply in seen.replies),
        leaked=bool(seen.leaks),
        calls=rows,
    )


def _answer(seen: _JudgedRun, expectation: Expectation) -> tuple[Mark, list[RunFinding]]:
    """Whether the run ended well with the words that it must hold; a run that only records calls has no answer."""
    if seen.ending:
        return Mark.WRONG, list(seen.ending)
    if seen.finished.stop is StopReason.RECORDED:
        return Mark.NOT_ASKED, []
    unsaid = list(answer_findings(seen.finished.answer, expectation, seen.leaks))
    return (Mark.WRONG if unsaid else Mark.RIGHT), unsaid


def _tool_mark(rows: Sequence[CallRow]) -> Mark:
    fine = (CallState.MATCHED, CallState.MISMATCH, CallState.ALLOWED)
    return Mark.RIGHT if all(row.state in fine for row in rows) else Mark.WRONG


def _argument_mark(rows: Sequence[CallRow]) -> Mark:
    paired = [row for row in rows if row.state in (CallState.MATCHED, CallState.MISMATCH, CallState.OUT_OF_ORDER)]
    if not paired:
        return Mark.NOT_ASKED
    faulty = any(row.state is CallState.MISMATCH for row in paired)
    return Mark.WRONG if faulty else Mark.RIGHT


def _format(replies: Sequence[StepReply]) -> Outcome:
    """The worst outcome of all replies."""
    seen = {reply.result.outcome for reply in replies}
    order = (Outcome.REPORTED, Outcome.RECOVERED, Outcome.IGNORED, Outcome.STRICT)
    return next((outcome for outcome in order if outcome in seen), Outcome.NONE)


def _is_strict(reply: StepReply) -> bool:
    return not reply.result.lost and all(call.outcome is Outcome.STRICT for call in reply.result.calls)


def _recognised(replies: Sequence[StepReply]) -> bool:
    return not any("wrong_family" in call.repairs for reply in replies for call in reply.result.calls)
