"""Runs of the engine over scripted replies, for tests that read as transcripts."""

from __future__ import annotations

import asyncio

from tests.kit.fakes import FakeClock, FakeTools, RequiredOnly
from workbench.core.approvals import Approver
from workbench.core.events import RunEvent, RunFinished
from workbench.engine import RunPlan, run
from workbench.formats import get_format

QWEN = get_format("qwen_xml")
NATIVE = get_format("native_openai")
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
PLAN = "ANALYSIS: needs the weather\nGUIDANCE:\n1. get_weather for Rome"


def events_of(run_plan: RunPlan, tools: FakeTools | None = None, approver: Approver | None = None) -> list[RunEvent]:
    """Run a plan to its end."""

    async def main() -> list[RunEvent]:
        return [
            event
            async for event in run(run_plan, tools or FakeTools(), RequiredOnly(), approver=approver, clock=FakeClock())
        ]

    return asyncio.run(main())


def only(events: list[RunEvent], kind: type) -> list:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def end(events: list[RunEvent]) -> RunFinished:
    """The last event, which must be the run's end."""
    assert isinstance(events[-1], RunFinished)
    return events[-1]
