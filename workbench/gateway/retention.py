"""Retention: recorded exchanges that are too old, or too many for the room they may take, are removed for good.

Kept cases are files of their own and stay. Runs of the window, of commands and suites are never touched.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from workbench.gateway.exchange import ORIGIN

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.store.retention import Kept

EVERY_S = 600.0
"""How often it is looked at what is kept, while the gateway runs."""
DAY_S = 86_400


class Retention(NamedTuple):
    """How long, and how much."""

    days: int = 0
    """0: however old, here and below."""
    megabytes: int = 0

    @property
    def words(self) -> str:
        """`14 days, 1,000 MB`."""
        parts = [f"{self.days} days" if self.days else "", f"{self.megabytes:,} MB" if self.megabytes else ""]
        return ", ".join(part for part in parts if part) or "for ever"


def trim(wb: Workbench, retention: Retention) -> int:
    """Remove what is too old or too much; return how many runs that were. Raise StoreError."""
    if not any(retention):
        return 0
    before = int((time.time() - retention.days * DAY_S) * 1e6) if retention.days else 0
    return wb.store.trim(ORIGIN, before, retention.megabytes * 1_000_000)


def measure(wb: Workbench) -> Kept:
    """How much there is. Raise StoreError."""
    return wb.store.kept(ORIGIN)


async def keep_trimmed(wb: Workbench, retention: Retention | None = None) -> None:
    """Trim now and then, for ever; None: by the settings as they stand each time. Raise StoreError."""
    while True:
        await asyncio.to_thread(trim, wb, retention or of_settings(wb))
        await asyncio.sleep(EVERY_S)


def of_settings(wb: Workbench) -> Retention:
    """What the settings say."""
    return Retention(wb.settings.gateway.keep_days, wb.settings.gateway.keep_megabytes)
