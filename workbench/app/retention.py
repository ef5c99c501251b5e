"""Retention: runs that are too old, or too many for the room they may take, are removed for good.

Kept cases are files of their own and stay, comparisons keep how their runs were graded. Nothing goes that nobody asked to
remove: without a limit everything is kept for ever.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.store.retention import Retention

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app.data_folder import DataFolder

EVERY_S = 600.0
"""How often it is looked at what is kept, while a program runs."""


def trim(folder: DataFolder, retention: Retention, origin: str = "") -> int:
    """Remove what is too old or too much of an origin (empty: of all); return how many runs that were. Raise StoreError."""
    return folder.store.trim(origin, retention.before_us, retention.most_bytes) if any(retention) else 0


async def keep_trimmed(folder: DataFolder, retention: Callable[[], Retention], origin: str = "") -> None:
    """Trim now and then, for ever, by what `retention` says each time. Raise StoreError."""
    while True:
        await asyncio.to_thread(trim, folder, retention(), origin)
        await asyncio.sleep(EVERY_S)


def of_settings(folder: DataFolder) -> Retention:
    """What the settings say of the whole history."""
    return Retention(folder.settings.history.keep_days, folder.settings.history.keep_megabytes)
