"""Runs out of the workbench: which exporters there are, and what leaves before it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, UnknownName
from workbench.export.curl import export_curl
from workbench.export.jsonl import export_jsonl
from workbench.export.pytest_folder import export_pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.events import RunEvent
    from workbench.export.files import Export

EXPORTERS: dict[str, Callable[[Sequence[Sequence[RunEvent]]], Export]] = {
    "pytest": export_pytest,
    "jsonl": export_jsonl,
    "curl": export_curl,
}
"""By the word after `--to`."""


def make_export(kind: str, runs: Sequence[Sequence[RunEvent]]) -> Export:
    """Make an export; raise UnknownName for the kind, InvalidInput without anything to export."""
    if kind not in EXPORTERS:
        raise UnknownName("export", kind, EXPORTERS)
    if not runs:
        raise InvalidInput("There is nothing to export.", hint="Name at least one run: workbench history lists them.")
    return EXPORTERS[kind](runs)
