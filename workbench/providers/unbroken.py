"""Work of httpx that a cancelled task lets come to its end, so that no connection is left open.

httpx closes what is idle before it sends, and all that there is when it is closed, one connection after the other. It
guards that against scopes of anyio alone: the cancellation of asyncio's tasks goes through, and the connections that were
still to be closed are forgotten. So the work runs in a task of its own, which nothing but such a scope ends.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


async def unbroken(work: Awaitable[T], *, let_go: Callable[[T], Awaitable[object]] | None = None) -> T:
    """Wait for work; cancelled, have it end first, and pass the cancellation on.

    With `let_go` the work is broken off where that does no harm, and what it gave all the same is let go. Without, it is done
    to its end.
    """
    from anyio import CancelScope

    scope, given = CancelScope(), list[T]()

    async def run() -> None:
        with scope:
            given.append(await work)

    task = asyncio.create_task(run(), name="unbroken")  # noqa: TID251  waited for right below
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        if let_go is not None:
            scope.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # nobody asks any more
        if let_go is not None and given:
            await unbroken(let_go(given[0]))
        raise
    return given[0]
