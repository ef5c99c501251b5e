"""Builds everything and owns the running tasks.

`async with Workbench.open(home) as wb` is the one entry for window, command line and tests. Its names are imported when
they are first used: commands that need a part of this package alone start without the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.app.runs import RunDraft, RunHandle
    from workbench.app.workbench import Workbench

__all__ = ["RunDraft", "RunHandle", "Workbench"]

_PLACES = {"RunDraft": "runs", "RunHandle": "runs", "Workbench": "workbench"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
