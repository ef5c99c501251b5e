"""A recorded run as its receiver shall see it: its events, what is expected of it, and how it stands to that today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.cases.from_run import case_from_run
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.versions import PARSER_VERSION
from workbench.grading.expectation import judge_case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import CaseVerdict
    from workbench.core.case import Case
    from workbench.core.events import RunEvent, RunStarted
    from workbench.core.protocols import SchemaChecker

NOT_CONFIRMED = f"as read by parser {PARSER_VERSION}, not confirmed"
"""What stands in a file where nobody said what is right."""


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """One run of an export."""

    events: tuple[RunEvent, ...]
    run: RunSummary
    """The same events, folded."""
    started: RunStarted
    case: Case
    """What was sent; its expectation is None where nobody said what is right."""
    place: str = ""
    """Where that expectation stands, such as `batch 0192…, case weather`."""
    judged: CaseVerdict | None = None
    """The run held against the expectation, by today's judge; None without one."""

    @property
    def basis(self) -> str:
        """What the run's calls stand on, in words for the file."""
        if self.case.expectation is None:
            return NOT_CONFIRMED
        return f"held against the expectation of {self.place or f'the case {self.case.id!r}'}"


def exported_run(
    events: Sequence[RunEvent], check: SchemaChecker, case: Case | None = None, place: str = ""
) -> ExportedRun:
    """Prepare a run; `case` is the one that it was a run of. Raise InvalidInput if the run has no beginning."""
    run = summarize(events)
    known = case if case is not None and case.expectation is not None else None
    sent = known or case_from_run(events, expect=False)
    assert run.started is not None  # else there would be no case
    judged = judge_case(run, known, check) if known else None
    return ExportedRun(tuple(events), run, run.started, sent, place if known else "", judged)
