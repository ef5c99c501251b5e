"""Executing one call in the mode of its setup. A failure is a result for the model, never an exception."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from workbench.core.tools import MockRule, ToolMode, ToolResult, ToolSetup

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from workbench.core.calls import ParsedCall

LONGEST_DELAY_MS = 600_000
NOT_AVAILABLE = {
    ToolMode.ASK: "Asking the user for each call is not available yet; set the tool to mock or record.",
    ToolMode.RUN: "Executing tools is not available yet; set the tool to mock or record.",
}


class Tools:
    """Runs calls; implements `core.protocols.ToolRunner`."""

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._sleep = sleep

    async def run(self, setup: ToolSetup, call: ParsedCall) -> ToolResult:
        """Return what the tool gives back for a call."""
        match setup.mode:
            case ToolMode.RECORD:
                return ToolResult(True, None, None, ToolMode.RECORD)
            case ToolMode.MOCK:
                if setup.mock.delay_ms > 0:
                    await self._sleep(min(setup.mock.delay_ms, LONGEST_DELAY_MS) / 1000)
                return mock_result(setup.mock, call)
            case ToolMode.ASK | ToolMode.RUN:
                return ToolResult(False, None, NOT_AVAILABLE[setup.mode], setup.mode)


def mock_result(rule: MockRule, call: ParsedCall) -> ToolResult:
    """What a mock rule says to a call, without its delay."""
    match rule.kind:
        case "fixed":
            return ToolResult(True, rule.result)
        case "template":
            return _templated(str(rule.result), call)
        case "failing":
            return ToolResult(False, None, rule.error or f"The tool {call.name!r} failed, as it was set up to.")
        case "echo":
            return ToolResult(True, {"mock": "echo", "tool": call.name, "arguments": call.arguments})


def _templated(text: str, call: ParsedCall) -> ToolResult:
    """Fill a template; text that is JSON afterwards becomes the value it says."""
    import jinja2
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)
    seen = {"name": call.name, "id": call.id, "arguments": call.arguments, "format": call.format}
    try:
        filled = environment.from_string(text).render(arguments=call.arguments, call=seen)
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        return ToolResult(False, None, f"The mock template of {call.name!r} cannot be filled: {error}")
    return ToolResult(True, _value(filled))


def _value(text: str) -> Any:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
