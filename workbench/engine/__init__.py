"""Runs as async generators of frozen events: direct, emulated, boosted.

`run(plan, tools, check)` is the only entry. The engine is handed its model clients, its tool runner and its schema
checker as protocols of `core`; it knows no network, no database and no window.
"""

from workbench.engine.plan import CancelNote, Party, RunPlan
from workbench.engine.run import run

__all__ = ["CancelNote", "Party", "RunPlan", "run"]
