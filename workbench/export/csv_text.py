"""Rows as CSV text. A cell that a spreadsheet would compute has an apostrophe before it, as they write plain text."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Iterable[str], rows: Sequence[dict[str, Any]]) -> tuple[str, int]:
    """The text, and how many cells were guarded. Values that are None are empty cells, booleans `true` and `false`."""
    names = list(columns)
    guarded = sum(_computes(row[name]) for row in rows for name in names)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return out.getvalue(), guarded


def _computes(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_FORMULA)


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if _computes(value) else value
