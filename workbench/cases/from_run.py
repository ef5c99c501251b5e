"""A run becomes a case in one action: what was sent, and what was called as the expectation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cases.files import slug
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.core.run_summary import summarize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent


def case_from_run(events: Sequence[RunEvent], *, expect: bool = True) -> Case:
    """Make a case from a run's events; raise InvalidInput if the run has no beginning.

    With `expect` the calls that were executed are taken for the right ones, each argument exactly; a run without any
    expects no call. The user corrects it where the run was wrong.
    """
    run = summarize(events)
    started = run.started
    if started is None:
        raise InvalidInput("This run has no beginning, so no case can be made from it.")
    calls = tuple(
        ExpectedCall(call.name, {name: ExpectedArgument((value,)) for name, value in call.arguments.items()})
        for call in run.calls
    )
    expectation = Expectation(calls=calls, no_call=not calls) if expect else None
    return Case(
        id=slug(started.title or "case"),
        title=started.title or "Case",
        messages=started.messages,
        tools=started.tools,
        tool_choice=started.tool_choice,
        expectation=expectation,
        source_run=started.run_id,
    )
