"""Reading a body ahead of whoever takes it, so that what has come by then is taken in one piece.

What the socket gave at once holds many small pieces where a server is fast, and a loop with hundreds of streams has a moment for
each of them only now and then. Together they cost one reading of the stream, one event and one write, and have one time, so the
work for a piece falls as they come faster; a piece that comes alone goes on alone.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MOST = 1 << 20
"""Bytes that may wait before the socket has to."""


class ReadAhead:
    """Implements the asynchronous iterator of a body; use it under `contextlib.aclosing`."""

    def __init__(self, source: AsyncGenerator[bytes, None]) -> None:
        """Read from the source at once; it is closed with this, or at its own end."""
        self._source = source
        self._pieces: list[bytes] = []
        self._size = 0
        self._over = False
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._read(), name="read ahead")  # noqa: TID251  ended by `aclose`
        self._task.add_done_callback(lambda done: done.cancelled() or done.exception())  # told where the body is read

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """All that has come since; raise what ended the source, after all that came before it."""
        await self._news.wait()
        if self._pieces:
            data = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
            self._pieces.clear()
            self._size = 0
            self._room.set()
            if not self._over:
                self._news.clear()
            return data
        await self._task  # at its end by now; what broke it is raised here
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Stop reading, and close the source."""
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _read(self) -> None:
        try:
            async with aclosing(self._source) as source:
                async for data in source:
                    self._pieces.append(data)
                    self._size += len(data)
                    self._news.set()
                    while self._size > MOST:
                        self._room.clear()
                        await self._room.wait()
        finally:
            self._over = True
            self._news.set()
