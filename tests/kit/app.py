"""The real application over simulated models, as fast as they can, for tests that want the whole thing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.app import RunDraft, Workbench
from workbench.core.messages import Message
from workbench.core.target import Target, parse_target
from workbench.core.tools import ToolSetup

Result = TypeVar("Result")

PROMPT = 'Please read the file "config/app.toml" and tell me what is in it.'


def with_workbench(home: Path, body: Callable[[Workbench], Awaitable[Result]]) -> Result:
    """Open the application on a folder, run the body, close."""

    async def main() -> Result:
        async with Workbench.open(home) as wb:
            return await body(wb)

    return asyncio.run(main())


def fast(target: str | Target, **simulate: object) -> Target:
    """A target whose simulated model writes without pauses; further keys steer the simulation."""
    found = parse_target(target) if isinstance(target, str) else target
    extra = {"simulate": {"tokens_per_second": 0, **simulate}}
    return replace(found, sampling=replace(found.sampling, extra=extra))


def draft(target: str | Target, prompt: str = PROMPT, **simulate: object) -> RunDraft:
    """A draft with two tools."""
    return RunDraft((Message("user", prompt),), fast(target, **simulate), (ToolSetup(WEATHER), ToolSetup(READ_FILE)))
