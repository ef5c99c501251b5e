"""Faults of the workbench itself that ended a run: one report a fault, in the data folder's logs, without secrets."""

from __future__ import annotations

import platform
import traceback
from typing import TYPE_CHECKING

import workbench
from workbench.core.clock import new_id

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path


class FaultLog:
    """Writes reports; a disk that refuses them changes nothing else."""

    def __init__(self, folder: Path, secrets: Callable[[], Collection[str]]) -> None:
        self._folder, self._secrets = folder, secrets

    def note(self, fault: BaseException) -> Path | None:
        """Write a report and return its path; None if that is not possible."""
        head = (
            f"Tool-Calling Workbench {workbench.__version__}, Python {platform.python_version()}, {platform.system()}"
        )
        report = "\n".join([head, "", *traceback.format_exception(fault)])
        for secret in self._secrets():
            report = report.replace(secret, "•" * len(secret)) if len(secret) >= 6 else report
        path = self._folder / f"fault-{new_id()}.txt"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(report, encoding="utf-8", errors="backslashreplace")
        except OSError:
            return None
        return path
