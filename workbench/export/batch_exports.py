"""The forms in which a batch leaves: reports to be read, rows, and what other evaluation tools open."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.errors import UnknownName
from workbench.export.batch_html import batch_html
from workbench.export.batch_junit import junit
from workbench.export.batch_report import markdown
from workbench.export.batch_samples import COLUMNS, sample_rows
from workbench.export.csv_text import csv_text
from workbench.export.files import Export, ExportFile
from workbench.export.inspect_log import inspect_logs
from workbench.export.promptfoo_results import promptfoo_results
from workbench.grading.matrix import matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.core.batch import Batch
    from workbench.core.run_summary import RunSummary
    from workbench.core.verdict import VerdictState

KINDS = ("html", "markdown", "csv", "junit", "inspect", "promptfoo")
_NAMES = {"html": "report.html", "markdown": "report.md", "junit": "junit.xml", "promptfoo": "promptfoo.json"}


def export_batch(
    kind: str,
    batch: Batch,
    baseline: Batch | None = None,
    halted: str = "",
    load: Callable[[str], RunSummary | None] = lambda _: None,
    by_hand: Mapping[str, VerdictState] = MappingProxyType({}),
) -> Export:
    """Make one form of a batch; raise UnknownName. `load` gives recorded runs to the forms that show their calls.

    `by_hand`: verdicts that somebody set, by run, for the form that has a row a run.
    """
    if kind not in KINDS:
        raise UnknownName("report", kind, KINDS)
    told = f"Suite {batch.spec.suite}, {len(batch.items)} runs"
    if kind == "inspect":
        logs = tuple(ExportFile(name, text) for name, text in inspect_logs(batch, load).items())
        return Export(kind, logs, f"{told}, as {len(logs)} Inspect {'log' if len(logs) == 1 else 'logs'}")
    if kind == "csv":
        text, guarded = csv_text(COLUMNS, list(sample_rows(batch, by_hand)))
        notes = (
            (f"cells: {guarded} that a spreadsheet would compute have an apostrophe before them",) if guarded else ()
        )
        return Export(kind, (ExportFile("runs.csv", text),), f"{told}, as CSV", "file", notes)
    texts: dict[str, Callable[[], str]] = {
        "html": lambda: batch_html(batch, baseline, halted),
        "markdown": lambda: markdown(batch, baseline, halted),
        "junit": lambda: junit(batch, matrix(batch, baseline)),
        "promptfoo": lambda: promptfoo_results(batch, load),
    }
    return Export(kind, (ExportFile(_NAMES[kind], texts[kind]()),), f"{told}, as {_NAMES[kind]}", "file")
