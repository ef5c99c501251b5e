"""How many requests a provider gets at the same time."""

from __future__ import annotations

import asyncio
from typing import Self


class Slots:
    """At most `size` requests at once; whoever comes later waits in order. Shared by clients of one provider."""

    def __init__(self, size: int) -> None:
        self._free = asyncio.Semaphore(max(1, size))
        self.busy = 0
        """Requests that run now."""
        self.waiting = 0
        """Requests that wait for their turn."""

    async def __aenter__(self) -> Self:
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        self.busy += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.busy -= 1
        self._free.release()
