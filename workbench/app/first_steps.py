"""The first steps of somebody new, and which of them are done, as the records and settings tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.app.workbench import Workbench

FILTERS = {"simulated": "provider:Simulator", "asked": "-provider:Simulator -origin:scan,import,pasted"}


class FirstStep(NamedTuple):
    """One of them."""

    id: str
    title: str
    done: bool


def first_steps(wb: Workbench) -> tuple[FirstStep, ...]:
    """Return all steps in order; reads records, so off the window's thread."""
    return (
        FirstStep("simulated", "Run a simulated model", _any(wb, FILTERS["simulated"])),
        FirstStep("provider", "Add a provider", bool(wb.saved_settings.providers)),
        FirstStep("asked", "Ask your first model", _any(wb, FILTERS["asked"])),
        FirstStep("kept", "Keep a case", _has_cases(wb)),
    )


def _any(wb: Workbench, query: str) -> bool:
    return bool(wb.store.list_runs(query, None, 1))


def _has_cases(wb: Workbench) -> bool:
    folder = wb.home.suites
    return folder.is_dir() and any(path.is_file() for path in folder.rglob("*"))
