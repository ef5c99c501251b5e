"""A run becomes a case in one action: what was sent, and what should have come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cases.files import slug
from workbench.cases.proposal import propose
from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.run_summary import summarize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent


def case_from_run(events: Sequence[RunEvent], *, expect: bool = True) -> Case:
    """Make a case from a run's events; raise InvalidInput if the run has no beginning.

    With `expect` it has the proposed expectation, which may be a guess: see `cases.proposal`.
    """
    run = summarize(events)
    started = run.started
    if started is None:
        raise InvalidInput("This run has no beginning, so no case can be made from it.")
    return Case(
        id=slug(started.title or "case"),
        title=started.title or "Case",
        messages=started.messages,
        tools=started.tools,
        tool_choice=started.tool_choice,
        expectation=propose(events).expectation if expect else None,
        source_run=started.run_id,
    )
