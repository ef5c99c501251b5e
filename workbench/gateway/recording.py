"""What of the exchanges is written down: everything, only what had findings, or nothing."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.events import RunEvent
    from workbench.core.protocols import Recorder


class Recording(StrEnum):
    """The switch, as settings and command line write it."""

    EVERYTHING = "everything"
    FINDINGS = "findings"
    """Exchanges in which something went wrong, mended or not. They stay in memory until that is known."""
    NOTHING = "nothing"


class Sieve:
    """Implements `Recorder` for one run: holds its events back until it is known whether they are wanted."""

    def __init__(self, to: Recorder, wanted: Callable[[], bool | None]) -> None:
        """`wanted` returns None as long as that is not known."""
        self._to, self._wanted = to, wanted
        self._kept: list[RunEvent] = []

    async def commit(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Keep, write or drop events of the run."""
        wanted = self._wanted()
        if wanted is False:
            self._kept.clear()
            return
        self._kept += events
        if wanted:
            ready, self._kept = self._kept, []
            await self._to.commit(run_id, ready)
