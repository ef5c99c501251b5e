"""The main window: rail, top bar, status bar, actions. `launch` opens it; nothing of Qt is imported before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def launch(argv: list[str], home: Path | None = None, file: Path | None = None) -> int:
    """Open the window, with a case file if there is one, and stay until it is closed; return the exit code."""
    from workbench.ui.main.start_app import launch as start

    return start(argv, home, file)
