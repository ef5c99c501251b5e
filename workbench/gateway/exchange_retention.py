"""Retention: recorded exchanges that are too old, or too many for the room they may take, are removed for good.

Kept cases are files of their own and stay. Runs of the window, of commands and suites are never touched here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.app import retention as runs
from workbench.gateway.client_exchange import ORIGIN
from workbench.store.retention import Retention

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.store.retention import Kept


def trim(wb: Workbench, retention: Retention) -> int:
    """Remove what is too old or too much; return how many runs that were. Raise StoreError."""
    return runs.trim(wb, retention, ORIGIN)


def measure(wb: Workbench) -> Kept:
    """How much there is. Raise StoreError."""
    return wb.store.kept(ORIGIN)


async def keep_trimmed(wb: Workbench, retention: Retention | None = None) -> None:
    """Trim now and then, for ever; None: by the settings as they stand each time. Raise StoreError."""
    await runs.keep_trimmed(wb, lambda: retention or of_settings(wb), ORIGIN)


def of_settings(wb: Workbench) -> Retention:
    """What the settings say."""
    return Retention(wb.settings.gateway.keep_days, wb.settings.gateway.keep_megabytes)
