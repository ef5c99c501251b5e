"""What is wrong with a reply, in lines for a test's failure: by the same judge that grades runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.events import ToolStarted
from workbench.core.messages import Message
from workbench.core.tools import ToolMode, ToolSetup
from workbench.grading.fieldtable import call_table, table_findings
from workbench.grading.run_checks import answer_findings, forbidden_findings
from workbench.pytest_plugin.client_replies import read_reply, specs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.pytest_plugin.client_replies import ReadReply


def wrong_calls(
    reply: Any,
    expected: Case | Expectation | Sequence[dict[str, Any]],
    *,
    format: str = "",  # noqa: A002
    tools: Sequence[dict[str, Any]] = (),
) -> list[str]:
    """Return what is wrong, nothing if the reply makes the expected calls; raise InvalidInput for what is no reply."""
    case = _case(expected, tools)
    read = read_reply(reply, format, tuple(setup.spec for setup in case.tools))
    if case.expectation is None:
        return [f"The case {case.id!r} expects nothing, so nothing can be checked."]
    ways = case.expectation.one_of or (case.expectation,)
    tries = [_problems(read, replace(case, expectation=way)) for way in ways]
    found = min(tries, key=len)
    if not found:
        return []
    head = f"{case.title or case.id}: not the expected calls." if case.id else "Not the expected calls."
    return [head, *(f"  {line}" for line in found), *(f"  {line}" for line in _told(read, case))]


def _case(expected: Case | Expectation | Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]]) -> Case:
    if isinstance(expected, Case):
        return expected
    if not isinstance(expected, Expectation):
        calls = [
            ExpectedCall(call["name"], {name: ExpectedArgument((value,)) for name, value in call["arguments"].items()})
            for call in expected
        ]
        expected = Expectation(tuple(calls), no_call=not calls)
    setups = tuple(ToolSetup(spec) for spec in specs_of(tools))
    return Case("", "", (Message("user", ""),), setups, expectation=expected)


def _problems(read: ReadReply, case: Case) -> list[str]:
    wanted = case.expectation
    assert wanted is not None
    made = [
        ToolStarted(0, at, "", name, arguments, ToolMode.RECORD, 0) for at, (name, arguments) in enumerate(read.calls)
    ]
    found = [finding.message for finding in forbidden_findings(made, wanted)]
    if wanted.no_call or wanted.must_ask:
        found += [f"{name} was called, and no call is right here." for name, _ in read.calls]
        found += read.lost
        found += [finding.message for finding in answer_findings(read.text, wanted, ())]
    elif wanted.any_call:
        found += [] if made else [*read.lost, "No call was made; some call was expected."]
    elif wanted.calls:
        table = call_table(case, made)
        wrong = [finding.message for finding in table_findings(table, any_made=bool(made))]
        found += [*(read.lost if wrong else ()), *wrong]
    return found


def _told(read: ReadReply, case: Case) -> list[str]:
    wanted = ", ".join(call.name for call in case.expectation.calls) if case.expectation else ""
    made = ", ".join(
        f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})" for name, given in read.calls
    )
    return [f"expected: {wanted}" if wanted else "expected: no call", f"made: {made or 'no call'}"]
