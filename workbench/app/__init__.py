"""Builds everything and owns the running tasks.

`async with Workbench.open(home) as wb` is the one entry for window, command line and tests.
"""

from workbench.app.runs import RunDraft, RunHandle
from workbench.app.workbench import Workbench

__all__ = ["RunDraft", "RunHandle", "Workbench"]
