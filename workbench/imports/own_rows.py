"""Our own files read back: case documents of any kind, and rows of `workbench export --to jsonl`, each with its case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_from_document
from workbench.cases.files import load_suite, slug
from workbench.imports.items import NewCase, items_of_rows
from workbench.imports.rows import FileRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.imports.items import Advance, Item, ReadOptions

SUITE = "imported"


def is_own_row(value: Any) -> bool:
    """It is an exported run with its case inside."""
    return isinstance(value, dict) and isinstance(value.get("case"), dict)


def read_own_rows(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:  # noqa: ARG001
    """Yield the case of each exported run, or the row where it is a case itself."""
    return items_of_rows(paths, lambda row, name: (NewCase(_case(row, name), SUITE),), advance)


def _case(row: FileRow, name: str) -> Case:
    if is_own_row(row.value):
        document = row.value["case"]
        return case_from_document(document, slug(str(document.get("title") or "case")), row.place)
    return case_from_document(row.value, f"{name}-{row.number}", row.place)


def read_documents(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:  # noqa: ARG001
    """Yield the cases of documents, and of folders of them; raise InvalidInput naming file and line."""
    for path in paths:
        for case in load_suite(str(path)).cases:
            yield NewCase(case, SUITE)
        advance(path.stat().st_size if path.is_file() else 0)
