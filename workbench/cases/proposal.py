"""What should have come of a run, proposed for the case that it is kept as.

A run that went well says it itself: the calls that were made. A failed one does not: a call that was lost is a call that
should have been made, never "no call", and arguments that broke their schema should have been others. Whatever is not
simply what was made is a guess and says so; whoever keeps the case corrects it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, get_args

from workbench.cases.lost_calls import LostCall, lost_calls
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, Placeholder
from workbench.core.events import ChunkReceived, StopReason
from workbench.core.exchange import NoticeDelta
from workbench.core.messages import chosen_tool
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.verdict import VerdictState
from workbench.grading.findings import leaked, may_be_call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.calls import Span
    from workbench.core.case import Case
    from workbench.core.events import RunEvent, RunStarted, StepReply, ToolStarted
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import StepSummary
    from workbench.core.tools import ToolSpec

_BAD = (VerdictState.FAIL, VerdictState.ERROR)
_KINDS = frozenset(get_args(Placeholder))


class Evidence(NamedTuple):
    """A place in a reply that the proposal stands on."""

    step: int
    span: Span


class Proposal(NamedTuple):
    """What a run should have done."""

    expectation: Expectation | None
    """None: nothing in the run says it."""
    guess: bool
    """Inferred, not simply what was done; somebody has to confirm it."""
    notes: tuple[str, ...]
    """How it is known, a sentence each."""
    places: tuple[Evidence, ...] = ()
    """The lost calls."""


class _WantedCall(NamedTuple):
    """One call of the proposal on its way."""

    call: ExpectedCall | None
    """None: a call, nobody knows which."""
    note: str = ""
    """Of a guess: how it is known."""
    place: Evidence | None = None


def propose(events: Sequence[RunEvent], check: SchemaChecker | None = None, known: Case | None = None) -> Proposal:
    """Propose an expectation for a run; `known` is the case that it was a run of.

    With `check` arguments that broke their schema are not proposed. A run with lost calls takes as long as reading each
    such reply with every format.
    """
    run = summarize(events)
    if known is not None and known.expectation is not None:
        return Proposal(known.expectation, False, (f"The case {known.id!r} of this run expects it.",))
    if run.started is None:
        return Proposal(None, False, ())
    wanted = list(_wanted(run, run.started, events, check))
    notes = tuple(dict.fromkeys(one.note for one in wanted if one.note))
    places = tuple(one.place for one in wanted if one.place)
    calls = tuple(one.call for one in wanted if one.call)
    if run.state is not VerdictState.PASS and len(unique := _unique(calls)) < len(calls):
        made = [one.call for one in wanted if not one.note]
        calls = unique
        notes = notes if len(made) <= len(unique) else (*notes, "The same call was made again; once is proposed.")
    if calls:
        return Proposal(Expectation(calls=calls), bool(notes), notes or ("These calls were made.",), places)
    if wanted:
        return Proposal(Expectation(any_call=True), True, notes, places)
    return _without_call(run, run.started)


def calls_made(run: RunSummary) -> Expectation:
    """The calls that were handed to tools, right or wrong, each argument exactly; without any: no call."""
    calls = tuple(ExpectedCall(call.name, _exactly(call.arguments)) for call in run.calls)
    return Expectation(calls=calls, no_call=not calls)


def _wanted(
    run: RunSummary, started: RunStarted, events: Sequence[RunEvent], check: SchemaChecker | None
) -> Iterator[_WantedCall]:
    """The calls that were made and those that should have been, in the order of the run."""
    refused = run.refused
    for step, reply in run.executor_replies:
        made = [call for call in run.calls if call.step == step.number]
        for call in made:
            if (call.step, call.index) not in refused:
                yield from _made(run, call, reply)
            elif not _made_later(run, call.name, step.number):
                yield _corrected(run.tools[call.name], call.arguments, check, step.number)
        lost = list(_lost(run, started, step, reply, events))
        for one in lost:
            if not _made_later(run, one.name, step.number):
                yield _found(run, one, check)
        if not (lost or made) and not run.calls and any(may_be_call(mark) for mark in leaked(reply)):
            yield _WantedCall(None, "A marker of a call stands in the answer; which call was meant is not known.")


def _made(run: RunSummary, call: ToolStarted, reply: StepReply) -> Iterator[_WantedCall]:
    """A call that was executed or recorded, as a person let it pass."""
    decision = run.decisions.get((call.step, call.index))
    if decision is None or (decision.allowed and decision.arguments is None):
        absorbed = any(one.code == "absorbed_parameter" and one.name == call.name for one in reply.result.problems)
        note = f"An argument of {call.name!r} may have taken in what another one was meant to get." if absorbed else ""
        yield _WantedCall(ExpectedCall(call.name, _exactly(call.arguments)), note)
    elif decision.allowed and decision.arguments is not None:
        yield _WantedCall(
            ExpectedCall(call.name, _exactly(decision.arguments)), f"A person edited the call of {call.name!r}."
        )


def _exactly(arguments: dict[str, object]) -> dict[str, ExpectedArgument]:
    return {name: ExpectedArgument((value,)) for name, value in arguments.items()}


def _lost(
    run: RunSummary, started: RunStarted, step: StepSummary, reply: StepReply, events: Sequence[RunEvent]
) -> Iterator[LostCall]:
    """The lost calls of a reply that may have some; reading with every format is not for free."""
    text = "" if reply.text else _refused_text(events, step.number)
    suspect = reply.result.lost or text or any(may_be_call(mark) for mark in leaked(reply))
    thought = run.state in _BAD and not run.calls
    if suspect or thought:
        yield from lost_calls(started, step, reply, text)


def _refused_text(events: Sequence[RunEvent], step: int) -> str:
    """What the model wrote and its provider could not read, where the provider's error quotes it."""
    deltas = (delta for one in events if isinstance(one, ChunkReceived) and one.step == step for delta in one.deltas)
    texts = (str(one.data) for one in deltas if isinstance(one, NoticeDelta) and one.code == "failed_generation")
    return next(texts, "")


def _made_later(run: RunSummary, name: str, step: int) -> bool:
    """The model was told and did it right then: an executed call of the same tool follows."""
    refused = run.refused
    return any(call.name == name and call.step > step and (call.step, call.index) not in refused for call in run.calls)


def _found(run: RunSummary, one: LostCall, check: SchemaChecker | None) -> _WantedCall:
    place = Evidence(one.step, one.span)
    tool = run.tools.get(one.name)
    if tool is None:
        return _WantedCall(None, f"{one.why} Which call was meant is not known.", place)
    if one.whole and one.arguments is not None and not (check and check.problems(tool, one.arguments)):
        return _WantedCall(ExpectedCall(one.name, _exactly(one.arguments)), one.why, place)
    rules, _ = _fitting(tool, one.arguments or {}, check)
    unread = "" if one.arguments is not None else " Its arguments could not be read."
    return _WantedCall(
        ExpectedCall(one.name, rules, extra_arguments=one.arguments is None), f"{one.why}{unread}", place
    )


def _corrected(tool: ToolSpec, arguments: dict[str, object], check: SchemaChecker | None, step: int) -> _WantedCall:
    """A call that was refused for its arguments: the name and whatever fitted."""
    rules, changed = _fitting(tool, arguments, check)
    told = f" ({', '.join(changed)})" if changed else ""
    return _WantedCall(
        ExpectedCall(tool.name, rules),
        f"The arguments of {tool.name!r} in step {step + 1} broke its schema{told}; what they should have been is open.",
    )


def _fitting(
    tool: ToolSpec, arguments: dict[str, object], check: SchemaChecker | None
) -> tuple[dict[str, ExpectedArgument], list[str]]:
    """Rules for a call: values that fit, for others their kind; required ones that are missing. And which were changed."""
    bad = {str(path[0]) for path, _ in check.problems(tool, arguments) if path} if check else set()
    closed = tool.parameters.get("additionalProperties") is False
    rules, changed = {}, []
    for name, value in arguments.items():
        if closed and name not in tool.properties:
            changed.append(f"{name} is not known")
        elif name in bad:
            rules[name] = _any_of_kind(tool, name)
            changed.append(name)
        else:
            rules[name] = ExpectedArgument((value,))
    for name in tool.required:
        if name not in rules:
            rules[name] = _any_of_kind(tool, name)
            changed.append(f"{name} is missing")
    return rules, changed


def _any_of_kind(tool: ToolSpec, name: str) -> ExpectedArgument:
    schema = tool.properties.get(name)
    said = schema if isinstance(schema, dict) else {}
    if isinstance(said.get("enum"), list) and said["enum"]:
        return ExpectedArgument(tuple(said["enum"]))
    kind = said.get("type")
    return ExpectedArgument(kind=kind) if isinstance(kind, str) and kind in _KINDS else ExpectedArgument()  # type: ignore[arg-type]


def _unique(calls: tuple[ExpectedCall, ...]) -> tuple[ExpectedCall, ...]:
    return tuple(call for at, call in enumerate(calls) if call not in calls[:at])


def _without_call(run: RunSummary, started: RunStarted) -> Proposal:
    """No call was made, tried or lost."""
    if (name := chosen_tool(started.tool_choice)) in run.tools:
        rules, _ = _fitting(run.tools[name], {}, None)
        call = ExpectedCall(name, rules, extra_arguments=True)
        return Proposal(Expectation(calls=(call,)), True, (f"The request demands a call of {name!r}.",))
    if started.tool_choice == "required":
        return Proposal(Expectation(any_call=True), True, ("The request demands a call.",))
    if run.finished is None or run.finished.stop is StopReason.CANCELLED:
        return Proposal(None, True, ("The run was stopped: what would have come is not known.",))
    if run.state in _BAD:
        why = run.verdict.reason if run.verdict else ""
        return Proposal(None, True, (f"The run shows no call that should have been made: {why}".rstrip(": "),))
    return Proposal(Expectation(no_call=True), False, ("No call was made, and none was lost.",))
