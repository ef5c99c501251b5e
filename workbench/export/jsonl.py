"""JSON lines: one row a run, with its case, its target, its replies and its verdict. `workbench import` reads it back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_to_document
from workbench.cases.from_run import case_from_run
from workbench.core.run_summary import summarize
from workbench.export.files import Export, ExportFile
from workbench.export.replies import reply_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent


def export_jsonl(runs: Sequence[Sequence[RunEvent]]) -> Export:
    """Make the file."""
    lines = [json.dumps(run_row(events), ensure_ascii=False) for events in runs]
    text = "".join(f"{line}\n" for line in lines)
    return Export(
        "jsonl",
        (ExportFile("runs.jsonl", text),),
        f"{len(lines)} {'run' if len(lines) == 1 else 'runs'} as JSON lines",
        folder=False,
    )


def run_row(events: Sequence[RunEvent]) -> dict[str, Any]:
    """One run as a plain object."""
    run = summarize(events)
    case = case_from_run(events)
    started, finished, verdict = run.started, run.finished, run.verdict
    assert started is not None  # else there would be no case
    return {
        "id": started.run_id,
        "case": case_to_document(case),
        "target": asdict(started.target),
        "format": started.executor.format,
        "parser_version": started.parser_version,
        "replies": [row.to_json() for row in reply_rows(events)],
        "answer": finished.answer if finished else None,
        "stop": finished.stop.value if finished else None,
        "verdict": asdict(verdict) if verdict else None,
    }
