"""Faults of the workbench itself, written down: one report a fault in the data folder's `logs`, with every known key masked.

Used wherever a fault is caught: a run's task, the window's last edge, the edge of every command.
"""

from __future__ import annotations

import platform
import sys
import time
import traceback
from typing import TYPE_CHECKING

import workbench
from workbench.core.atomic_files import write_file
from workbench.core.clock import new_id
from workbench.core.errors import WorkbenchError
from workbench.core.masking import Secrets
from workbench.settings.paths import Home
from workbench.settings.secrets import known_secrets

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 20
"""Reports that are kept; older ones go."""


def crash_report(error: BaseException) -> str:
    """What a bug report needs: versions, the command's name, the traceback; no key and no argument of a command."""
    command = sys.argv[1] if len(sys.argv) > 1 else "window"
    head = (
        f"Tool-Calling Workbench {workbench.__version__}\n"
        f"Python {platform.python_version()} on {platform.platform()}\n"
        f"Command: {command}\n\n"
    )
    return Secrets(known_secrets(), foreign=True).mask_text(head + "".join(traceback.format_exception(error)))


def write_crash_report(report: str, folder: Path | None = None) -> Path | None:
    """Keep a report in a folder (else the logs of the data folder in force); None where that is not possible."""
    try:
        logs = folder or Home.find().logs
        name = f"crash-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{new_id()[-6:]}.txt"
        path = write_file(logs / name, report, private=True)
        for old in sorted(logs.glob("crash-*.txt"))[:-KEPT]:
            old.unlink()
    except (OSError, WorkbenchError):
        return None
    return path


def note_crash(error: BaseException, folder: Path | None = None) -> Path | None:
    """Write a report of a fault; return its path, None where a disk refuses it."""
    return write_crash_report(crash_report(error), folder)
