"""Cases that were made from recorded runs, found again by the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cases.files import ENDINGS, read_cases
from workbench.core.errors import WorkbenchError
from workbench.core.whole_files import text_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.case import Case

GUESS = "guess"
"""Tag of a case whose expectation nobody has confirmed."""


def kept_cases(suites: Path) -> dict[str, tuple[Path, Case]]:
    """By the run that each case was made from: its file below `suites`, and the case. Of several the last file counts.

    A file that cannot be read or is no case is passed over: it says nothing about any run.
    """
    found: dict[str, tuple[Path, Case]] = {}
    for path in sorted(path for ending in ENDINGS for path in suites.rglob(f"*{ending}")):
        place = path.relative_to(suites)
        if any(part.startswith(".") for part in place.parts):
            continue
        try:
            text = text_of_file(path)
            cases = read_cases(text, path.name, path.stem, lines=path.suffix == ".jsonl") if _is_kept(text) else []
        except (OSError, UnicodeDecodeError, WorkbenchError):
            continue
        found |= {case.source_run: (place, case) for case in cases if case.source_run and case.expectation}
    return found


def _is_kept(text: str) -> bool:
    """Reading a document takes a hundred times as long as looking for a word in it."""
    return "source_run" in text
