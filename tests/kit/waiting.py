"""Waiting in tests: for a condition, never for a time. One limit, long enough for a machine many times slower."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable

LIMIT_S = 120.0
"""Only a test that would fail anyway waits that long; pytest's own limit for a whole test is 300 s."""


async def until(condition: Callable[[], object]) -> None:
    """Wait until something is true; the event loop runs meanwhile. At the limit, say what was still under way."""
    try:
        async with asyncio.timeout(LIMIT_S):
            while not condition():
                await asyncio.sleep(0.005)
    except TimeoutError as late:
        rest = [_standing(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        raise TimeoutError("not in time; still under way:\n" + "\n".join(sorted(rest))) from late


def _standing(task: asyncio.Task[object]) -> str:
    text = io.StringIO()
    task.print_stack(limit=3, file=text)
    return f"{task.get_name()}: {text.getvalue()}"


def wait_until(condition: Callable[[], object], limit_s: float = LIMIT_S) -> bool:
    """The same without an event loop; returns whether the condition became true."""
    limit = time.monotonic() + limit_s
    while not (reached := condition()) and time.monotonic() < limit:
        time.sleep(0.005)
    return bool(reached)
