"""A picture of the real window, taken by a process of its own: this one never imports Qt.

The child gets a data folder of its own with the runs to be seen, so that a picture changes nothing of the user's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import apt_line, say
from workbench.core.errors import InvalidInput, MissingLibrary

LIMIT_S = 120
MOST = 60
"""Runs that the picture's history holds."""
CHILD = "import sys; from workbench.ui.main.portrait import portrait; sys.exit(portrait(*sys.argv[1:]))"


def picture_place(place: str) -> Path:
    """Where a picture will stand; raise InvalidInput or MissingLibrary before the work starts if it cannot be taken."""
    target = Path(place).absolute()
    if not target.parent.is_dir():
        raise InvalidInput(f"The folder {str(target.parent)!r} does not exist.")
    if find_spec("PySide6") is None:
        raise MissingLibrary.of_extra("The picture needs the window, which is not installed.", "gui")
    return target


def take_picture(target: Path, run_id: str) -> None:
    """Open the window on a recorded run, without a display, and save what it shows as a PNG."""
    with tempfile.TemporaryDirectory(prefix="workbench-picture-") as folder:
        copied = copy_runs(Path(folder))
        told = _photograph(target, run_id if run_id in copied else "", folder)
    if not target.exists():
        lacks = f" On Debian or Ubuntu: {apt_line()}" if "cannot open shared object" in told else ""
        raise MissingLibrary(
            f"The window could not be photographed: {told}", hint=f"The table above is complete.{lacks}"
        )
    say(f"Picture of the window: {target}")


def copy_runs(home: Path) -> list[str]:
    """Copy the last runs of the demo into another data folder; return their ids."""
    with DataFolder.find() as here, DataFolder.find(home) as there:
        rows = here.store.list_runs("origin:demo", limit=MOST)
        runs = [here.store.load(row.number) for row in reversed(rows)]
        for stored in runs:
            there.store.record(stored.run.id, stored.events)
    return [stored.run.id for stored in runs]


def _photograph(target: Path, run_id: str, home: str) -> str:
    """Run the child; return its last words."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "default.warning=false"}
    command = [sys.executable, "-c", CHILD, str(target), run_id, home]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise MissingLibrary(f"The window did not come up within {LIMIT_S} s.") from error
    return (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
