"""Replies as a table: CSV for spreadsheets, Parquet for programs. One row a reply, with its run, its case and what is right."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from workbench.core.errors import MissingLibrary
from workbench.core.versions import PARSER_VERSION
from workbench.export.csv_text import csv_text
from workbench.export.files import Export, ExportFile
from workbench.export.reply_rows import reply_rows
from workbench.grading.expectation import GRADER_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.export.exported_run import ExportedRun

COLUMNS: dict[str, type] = {
    "run": str, "reply": str, "started_us": int, "case": str, "provider": str, "model": str, "served_model": str,
    "format": str, "mode": str, "simulated": bool, "prompt": str, "raw": str, "text": str, "finish_reason": str,
    "calls": str, "confirmed": bool, "basis": str, "doubt": str, "read": str, "outcomes": str, "problems": str,
    "verdict": str, "verdict_basis": str, "reason": str, "codes": str, "input_tokens": int, "output_tokens": int,
    "duration_us": int, "parser_version": str, "read_by": str, "grader": str,
}  # fmt: skip
"""Name and type. `calls` (right ones) and `read` (as the run's format reads them) are JSON; `outcomes`, `problems` and `codes`
are words with blanks between them; `started_us` are UTC microseconds; verdict, tokens and duration are the run's."""


def export_csv(runs: Sequence[ExportedRun]) -> Export:
    """Make the file. A text that a spreadsheet would compute has an apostrophe before it, as they write plain text."""
    rows = list(_rows(runs))
    text, guarded = csv_text(COLUMNS, rows)
    told = f"cells: {guarded} that a spreadsheet would compute have an apostrophe before them; Parquet has them as they are"
    return Export(
        "csv",
        (ExportFile("replies.csv", text),),
        f"{len(rows)} {'reply' if len(rows) == 1 else 'replies'} as CSV",
        form="file",
        left_out=(told,) if guarded else (),
    )


def export_parquet(runs: Sequence[ExportedRun]) -> Export:
    """Make the file; raise MissingLibrary without pyarrow."""
    rows = list(_rows(runs))
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return Export(
        "parquet",
        (ExportFile("replies.parquet", text, packed=_parquet(rows)),),
        f"{len(rows)} {'reply' if len(rows) == 1 else 'replies'} as Parquet",
        form="file",
    )


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingLibrary.of_extra("Parquet needs pyarrow, which is not installed.", "parquet") from error
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    columns = {name: [_whole_text(row[name]) for row in rows] for name in COLUMNS}
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns, schema=schema), out)
    return out.getvalue()


def _whole_text(value: Any) -> Any:
    """Text without half surrogate pairs, which UTF-8 cannot hold: as their escapes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _rows(runs: Sequence[ExportedRun]) -> Iterator[dict[str, Any]]:
    for exported in runs:
        run, started = exported.run, exported.started
        verdict = exported.judged.verdict if exported.judged else run.verdict
        whole = {
            "run": started.run_id,
            "started_us": started.started_us,
            "case": exported.case.id,
            "provider": started.executor.provider,
            "mode": started.target.mode,
            "simulated": started.executor.simulated,
            "prompt": run.prompt,
            "verdict": verdict.state.value if verdict else "",
            "verdict_basis": verdict.basis.value if verdict else "",
            "reason": verdict.reason if verdict else "",
            "codes": " ".join(verdict.codes) if verdict else "",
            "input_tokens": run.input_tokens,
            "output_tokens": run.output_tokens,
            "duration_us": run.duration_us,
            "served_model": run.served_model,
            "parser_version": started.parser_version,
            "read_by": PARSER_VERSION,
            "grader": GRADER_VERSION,
        }
        for reply in reply_rows(exported):
            yield whole | {
                "reply": reply.id,
                "model": reply.model,
                "format": reply.format,
                "raw": reply.raw,
                "text": reply.text,
                "finish_reason": reply.finish_reason,
                "calls": json.dumps(reply.calls, ensure_ascii=False),
                "confirmed": reply.confirmed,
                "basis": reply.basis,
                "doubt": reply.doubt,
                "read": json.dumps(reply.read, ensure_ascii=False),
                "outcomes": " ".join(reply.outcomes),
                "problems": " ".join(problem["code"] for problem in reply.problems),
            }
