"""Executing one call in the mode of its setup. A failure is a result for the model, never an exception."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from workbench.core.errors import WorkbenchError
from workbench.core.tools import NOWHERE, CallPlace, SourceKind, ToolMode, ToolResult, ToolSetup
from workbench.tools.mocks import LONGEST_DELAY_MS, chosen_rule, mock_result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from workbench.core.calls import ParsedCall


class ToolExecutor(Protocol):
    """Really executes the tools of one kind of source."""

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:
        """Return what came of it; a WorkbenchError becomes a failed result."""
        ...


class Tools:
    """Runs calls; implements `core.protocols.ToolRunner`."""

    def __init__(
        self,
        executors: Mapping[SourceKind, ToolExecutor] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._executors = dict(executors or {})
        self._sleep = sleep

    async def run(self, setup: ToolSetup, call: ParsedCall, place: CallPlace = NOWHERE) -> ToolResult:
        """Return what the tool gives back for a call. Mode `ask` means here: the user has allowed it."""
        if setup.mode is ToolMode.RECORD:
            return ToolResult(True, None, None, ToolMode.RECORD)
        executor = self._executors.get(setup.source.kind)
        if setup.mode is ToolMode.MOCK or (executor is None and setup.mode is ToolMode.ASK):
            rule = chosen_rule(setup.mock, call, place.earlier)
            if rule.delay_ms > 0:
                await self._sleep(min(rule.delay_ms, LONGEST_DELAY_MS) / 1000)
            return mock_result(rule, call)
        if executor is None:
            return _failed(setup, f"Nothing executes the tool {call.name!r} here; it can be mocked or asked about.")
        try:
            done = await executor.execute(setup, call.arguments, place)
        except WorkbenchError as refused:
            return _failed(setup, str(refused))
        except Exception as fault:  # noqa: BLE001  tools are other people's code
            told = _failed(setup, f"The tool failed: {type(fault).__name__}.")
            return replace(told, trace="".join(traceback.format_exception(fault)))
        return replace(done, source=setup.mode, by=done.by or setup.source.label)


def _failed(setup: ToolSetup, message: str) -> ToolResult:
    return ToolResult(False, None, message, setup.mode, by=setup.source.label)
