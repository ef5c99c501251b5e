"""Runs out of the workbench: which exporters there are, and what leaves before it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.cases.kept import GUESS, kept_cases
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.masking import Secrets
from workbench.core.run_summary import summarize
from workbench.export.bfcl import export_bfcl
from workbench.export.bundle import export_bundle
from workbench.export.cassette import export_vcr
from workbench.export.curl import export_curl
from workbench.export.exported_run import exported_run
from workbench.export.har import export_har
from workbench.export.html_runs import export_html
from workbench.export.inspect_dataset import export_inspect
from workbench.export.jsonl import export_jsonl
from workbench.export.masked import masked
from workbench.export.openai_evals import export_openai_evals
from workbench.export.promptfoo import export_promptfoo
from workbench.export.pytest_folder import export_pytest
from workbench.export.python_script import export_python
from workbench.export.tables import export_csv, export_parquet
from workbench.replay.rereading import read_today

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.export.exported_run import ExportedRun
    from workbench.export.files import Export
    from workbench.store import Store

EXPORTERS: dict[str, Callable[[Sequence[ExportedRun]], Export]] = {
    "pytest": export_pytest,
    "vcr": export_vcr,
    "har": export_har,
    "jsonl": export_jsonl,
    "bfcl": export_bfcl,
    "promptfoo": export_promptfoo,
    "openai-evals": export_openai_evals,
    "inspect": export_inspect,
    "csv": export_csv,
    "parquet": export_parquet,
    "html": export_html,
    "bundle": export_bundle,
    "curl": export_curl,
    "python": export_python,
}
"""By the word after `--to`."""
AS_SENT = frozenset({"vcr", "har", "curl", "python"})
"""Forms that hold what crossed the wire alone: no reading is in them."""


def make_export(
    kind: str,
    runs: Sequence[Sequence[RunEvent]],
    check: SchemaChecker,
    known: Cases | None = None,
    secrets: Collection[str] = (),
) -> Export:
    """Make an export; raise UnknownName for the kind, InvalidInput without anything to export.

    What is right in a reply is what `known` expects of the run; where nobody said, what today's parsers read in it: a
    fixture must not keep the fault of the day it was recorded on. Keys, also those of others, are stars.
    """
    if kind not in EXPORTERS:
        raise UnknownName("export", kind, EXPORTERS)
    if not runs:
        raise InvalidInput("There is nothing to export.", hint="Name at least one run: workbench history lists them.")
    mask = Secrets(secrets, foreign=True)
    prepared, moved, hidden = [], 0, 0
    for events in runs:
        clean, stars = masked(events, mask)
        today, count = read_today(clean, check)
        case, place = known.of(summarize(today).run_id) if known else (None, "")
        if case is not None and GUESS in case.tags:  # confirms nothing
            case, place = None, ""
        prepared.append(exported_run(today, check, mask.mask_value(case), place))
        moved, hidden = moved + count, hidden + bool(stars)
    made = EXPORTERS[kind](prepared)
    notes = []
    if moved and kind not in AS_SENT:
        notes.append(f"{moved} {'reply' if moved == 1 else 'replies'} as read today, otherwise than recorded")
    if hidden:
        notes.append(f"what looks like a key is stars in {hidden} {'run' if hidden == 1 else 'runs'}")
    return replace(made, summary=f"{made.summary} ({'; '.join(notes)})") if notes else made


class Cases:
    """Which case a recorded run belongs to: one that was kept from it, else the one of its batch."""

    def __init__(self, store: Store, suites: Path) -> None:
        self._store, self._kept = store, kept_cases(suites)

    def of(self, run_id: str) -> tuple[Case | None, str]:
        """The case with its expectation and where it stands; (None, "") where nobody said what is right.

        What somebody wrote about this very run comes before what its batch held, and that before a guess.
        """
        path, kept = self._kept.get(run_id, (None, None))
        told = f"the case {path.as_posix()}" if path else ""
        if kept is not None and GUESS not in kept.tags:
            return kept, told
        found = self._store.batches.case_of(run_id)
        if found is not None and found.expectation is not None:
            return found, f"the case {found.id!r} of its batch"
        return kept, told
