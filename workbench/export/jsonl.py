"""JSON lines: one row a run, with its case, its target, its replies and its verdict. `workbench import` reads it back.

The case has an expectation only where somebody gave one; what a run's replies were read as stands beside it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_to_document
from workbench.core.versions import PARSER_VERSION
from workbench.export.files import Export, ExportFile, json_lines
from workbench.export.reply_rows import reply_rows
from workbench.grading.expectation import GRADER_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.export.exported_run import ExportedRun


def export_jsonl(runs: Sequence[ExportedRun]) -> Export:
    """Make the file."""
    return Export(
        "jsonl",
        (ExportFile("runs.jsonl", json_lines(map(run_row, runs))),),
        f"{len(runs)} {'run' if len(runs) == 1 else 'runs'} as JSON lines",
        form="file",
    )


def run_row(exported: ExportedRun) -> dict[str, Any]:
    """One run as a plain object."""
    run, started = exported.run, exported.started
    finished, judged = run.finished, exported.judged
    return {
        "id": started.run_id,
        "case": case_to_document(exported.case),
        "basis": exported.basis,
        "target": asdict(started.target),
        "format": started.executor.format,
        "served_model": run.served_model,
        "parser_version": started.parser_version,
        "read_by": PARSER_VERSION,
        "replies": [row.to_json() for row in reply_rows(exported)],
        "answer": finished.answer if finished else None,
        "stop": finished.stop.value if finished else None,
        "verdict": asdict(run.verdict) if run.verdict else None,
        "judged": {"by": GRADER_VERSION, "rule": judged.rule, **asdict(judged.verdict)} if judged else None,
    }
