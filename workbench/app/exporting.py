"""Runs out of the workbench: which exporters there are, and what leaves before it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.cases.kept import kept_cases
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.run_summary import summarize
from workbench.export.curl import export_curl
from workbench.export.exported_run import exported_run
from workbench.export.jsonl import export_jsonl
from workbench.export.pytest_folder import export_pytest
from workbench.replay.rereading import read_today

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.export.exported_run import ExportedRun
    from workbench.export.files import Export
    from workbench.store import Store

EXPORTERS: dict[str, Callable[[Sequence[ExportedRun]], Export]] = {
    "pytest": export_pytest,
    "jsonl": export_jsonl,
    "curl": export_curl,
}
"""By the word after `--to`."""
AS_SENT = frozenset({"curl"})
"""Forms that hold what crossed the wire alone: no reading is in them."""


def make_export(
    kind: str, runs: Sequence[Sequence[RunEvent]], check: SchemaChecker, known: Cases | None = None
) -> Export:
    """Make an export; raise UnknownName for the kind, InvalidInput without anything to export.

    What is right in a reply is what `known` expects of the run; where nobody said, what today's parsers read in it: a
    fixture must not keep the fault of the day it was recorded on.
    """
    if kind not in EXPORTERS:
        raise UnknownName("export", kind, EXPORTERS)
    if not runs:
        raise InvalidInput("There is nothing to export.", hint="Name at least one run: workbench history lists them.")
    prepared, moved = [], 0
    for events in runs:
        today, count = read_today(events, check)
        case, place = known.of(summarize(today).run_id) if known else (None, "")
        prepared.append(exported_run(today, check, case, place))
        moved += count
    made = EXPORTERS[kind](prepared)
    if not moved or kind in AS_SENT:
        return made
    replies = f"{moved} {'reply' if moved == 1 else 'replies'}"
    return replace(made, summary=f"{made.summary} ({replies} as read today, otherwise than recorded)")


class Cases:
    """Which case a recorded run belongs to: one that was kept from it, else the one of its batch."""

    def __init__(self, store: Store, suites: Path) -> None:
        self._store, self._kept = store, kept_cases(suites)

    def of(self, run_id: str) -> tuple[Case | None, str]:
        """The case with its expectation and where it stands; (None, "") where nobody said what is right."""
        if run_id in self._kept:  # what somebody wrote about this very run comes before what its batch held
            path, case = self._kept[run_id]
            return case, f"the case {path.as_posix()}"
        found = self._store.batches.case_of(run_id)
        if found is None or found.expectation is None:
            return None, ""
        return found, f"the case {found.id!r} of its batch"
