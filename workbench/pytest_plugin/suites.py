"""Which cases a marked test runs: the suite is looked for beside the test, below the root, and among the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.case import Case


def cases_of(marker: pytest.Mark, beside: Path, config: pytest.Config) -> tuple[Case, ...]:
    """The cases that the marker asks for; raise UsageError naming the suite or the marker's mistake."""
    suite, tags = _arguments(marker)
    own = [beside, config.rootpath, config.rootpath / str(config.getini("workbench_suites") or ".")]
    try:
        found = _load(suite, own)
    except WorkbenchError as error:
        raise pytest.UsageError(str(error)) from error
    chosen = tuple(case for case in found if not tags or set(tags) & set(case.tags))
    if not chosen:
        raise pytest.UsageError(f"No case of the suite {suite!r} has the tag {' or '.join(tags)}.")
    return chosen


def _arguments(marker: pytest.Mark) -> tuple[str, tuple[str, ...]]:
    """Of `workbench_cases`, or of the marker written by hand."""
    if len(marker.args) != 1 or not isinstance(marker.args[0], str) or set(marker.kwargs) - {"tags"}:
        raise pytest.UsageError('Write @workbench_cases("suite") or @workbench_cases("suite", tags=("x",)).')
    return marker.args[0], tuple(marker.kwargs.get("tags", ()))


def _load(suite: str, folders: list[Path]) -> tuple[Case, ...]:
    from workbench.cases.files import load_suite
    from workbench.settings.paths import Home

    place = next((folder / suite for folder in folders if (folder / suite).exists()), None)
    return load_suite(str(place) if place else suite, Home.find().suites).cases
