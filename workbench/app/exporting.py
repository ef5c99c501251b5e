"""Runs out of the workbench: which exporters there are, and what leaves before it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, UnknownName
from workbench.export.curl import export_curl
from workbench.export.jsonl import export_jsonl
from workbench.export.pytest_folder import export_pytest
from workbench.replay.rereading import read_today

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.export.files import Export

EXPORTERS: dict[str, Callable[[Sequence[Sequence[RunEvent]]], Export]] = {
    "pytest": export_pytest,
    "jsonl": export_jsonl,
    "curl": export_curl,
}
"""By the word after `--to`."""


def make_export(kind: str, runs: Sequence[Sequence[RunEvent]], check: SchemaChecker | None = None) -> Export:
    """Make an export; raise UnknownName for the kind, InvalidInput without anything to export.

    With `check` what is right in a reply is what today's parsers read in it: a fixture must not keep the fault of the
    day it was recorded on.
    """
    if kind not in EXPORTERS:
        raise UnknownName("export", kind, EXPORTERS)
    if not runs:
        raise InvalidInput("There is nothing to export.", hint="Name at least one run: workbench history lists them.")
    if check is None:
        return EXPORTERS[kind](runs)
    today = [read_today(events, check) for events in runs]
    made = EXPORTERS[kind]([events for events, _ in today])
    moved = sum(count for _, count in today)
    if not moved or kind == "curl":
        return made
    replies = f"{moved} {'reply' if moved == 1 else 'replies'}"
    return replace(made, summary=f"{made.summary} ({replies} as read today, otherwise than recorded)")
