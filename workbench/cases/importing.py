"""Cases out of other files: our own JSON lines (a run a line, with its case inside) and case documents of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_from_document
from workbench.cases.files import load_file, save_case, slug
from workbench.core.errors import InvalidInput
from workbench.documents import read_json

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.case import Case

KINDS = ("jsonl", "cases")


def read_import(path: Path, kind: str = "") -> tuple[Case, ...]:
    """Read the cases of a file; without `kind` its ending decides. Raise InvalidInput naming file and line."""
    chosen = kind or ("jsonl" if path.suffix == ".jsonl" else "cases")
    if chosen == "cases" or not _has_runs(path):
        return load_file(path)
    return tuple(_from_run_row(row, f"{path.name}, line {number}") for number, row in _rows(path))


def _has_runs(path: Path) -> bool:
    """The first row is a run with its case inside, as exported, rather than a case itself."""
    first = next(iter(_rows(path)), (0, None))[1]
    return isinstance(first, dict) and isinstance(first.get("case"), dict)


def _rows(path: Path) -> list[tuple[int, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The file {str(path)!r} is not UTF-8 text: byte {error.start}.") from error
    except OSError as error:
        raise InvalidInput(f"The file {str(path)!r} cannot be read: {error.strerror or error}.") from error
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            rows.append((number, read_json(line, f"{path.name}, line {number}", strict=False)))
    return rows


def _from_run_row(row: Any, place: str) -> Case:
    if not isinstance(row, dict) or not isinstance(row.get("case"), dict):
        raise InvalidInput(f"{place} has no 'case'.", hint="Rows come from workbench export --to jsonl.")
    return case_from_document(row["case"], slug(str(row["case"].get("title") or "case")), place)


def save_all(cases: tuple[Case, ...], folder: Path) -> tuple[Path, ...]:
    """Write the cases into a suite's folder, each under a free name."""
    return tuple(save_case(case, folder) for case in cases)
