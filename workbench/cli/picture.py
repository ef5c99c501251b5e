"""A picture of the real window, taken by a process of its own: this one never imports Qt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from workbench.cli.failures import say
from workbench.core.errors import InvalidInput, MissingLibrary

LIMIT_S = 120
CHILD = (
    "import sys; from workbench.ui.main import photograph; "
    "sys.exit(photograph(sys.argv[1], run_id=sys.argv[2] or None))"
)


def take_picture(place: str, run_id: str) -> None:
    """Open the window on a recorded run, without a display, and save what it shows as a PNG."""
    target = Path(place).absolute()
    if not target.parent.is_dir():
        raise InvalidInput(f"The folder {str(target.parent)!r} does not exist.")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "default.warning=false"}
    command = [sys.executable, "-c", CHILD, str(target), run_id]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise MissingLibrary(f"The window did not come up within {LIMIT_S} s.") from error
    if done.returncode or not target.exists():
        told = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise MissingLibrary(f"The window could not be photographed: {told}", hint="The table above is complete.")
    say(f"Picture of the window: {target}")
