"""A stream that tells when its client left before the end, also where it left before the first piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Streamed(AsyncGenerator[bytes, None]):
    """Hands pieces on; `on_leave` is called once if they are not taken to their end.

    An async generator that was never begun runs no `finally` when it is closed, so the generator cannot tell by itself.
    """

    def __init__(self, pieces: AsyncGenerator[bytes, None], on_leave: Callable[[], None]) -> None:
        self._pieces, self._on_leave = pieces, on_leave
        self._over = False

    async def asend(self, value: None) -> bytes:
        """Return the next piece."""
        given = False
        try:
            piece = await self._pieces.asend(value)
            given = True
        except StopAsyncIteration:
            self._over = True
            raise
        finally:
            if not given:
                self._leave()
        return piece

    async def athrow(self, kind: Any, value: Any = None, _trace: Any = None) -> bytes:
        """Throw into the pieces."""
        self._leave()
        return await self._pieces.athrow(kind if value is None else value)

    async def aclose(self) -> None:
        """Let go of the pieces."""
        self._leave()
        await self._pieces.aclose()

    def _leave(self) -> None:
        if not self._over:
            self._over = True
            self._on_leave()
