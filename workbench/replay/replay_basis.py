"""On which basis a replay judges: by the case that a run belongs to, or by itself; the same for then and for today."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.core.case import Case
from workbench.core.run_summary import summarize
from workbench.core.verdict import Basis
from workbench.grading.expectation import judge_case
from workbench.grading.intrinsic import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.core.verdict import Verdict

Cases = Callable[[str], Case | None]
"""The case of a run by its id; None: it is judged by itself."""


def no_case(_run_id: str) -> Case | None:
    """No run belongs to a case."""
    return None


def judged(events: Sequence[RunEvent], case: Case | None, check: SchemaChecker) -> Verdict:
    """Judge events today."""
    run = summarize(events)
    return judge(run, check) if case is None else judge_case(run, case, check).verdict


def then(before: Verdict, events: Sequence[RunEvent], case: Case | None, check: SchemaChecker) -> Verdict:
    """The recorded verdict where it stands on the basis that today's will stand on, else the record judged anew.

    A case may have been changed since, and its verdict of that day says nothing about today's expectation.
    """
    if case is None and before.basis is Basis.INTRINSIC:
        return before
    return judged(events, case, check)
