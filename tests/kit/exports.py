"""Runs of a scripted model, prepared for export: with a case that expects a call, or without anybody's word."""

from __future__ import annotations

import asyncio

from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, FakeTools, Reply, RequiredOnly, plan
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.events import RunEvent
from workbench.core.messages import Message
from workbench.core.tools import ToolSetup
from workbench.engine import run
from workbench.export.exported_run import ExportedRun, exported_run
from workbench.formats import get_format

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
SLOPPY = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome",}}\n</tool_call>'
ROME = {"name": "get_weather", "arguments": {"city": "Rome"}}


def events(*replies: Reply, format_id: str = "qwen_xml") -> list[RunEvent]:
    """What the engine records of a scripted model that is asked for the weather in Rome."""

    async def main() -> list[RunEvent]:
        wanted = plan(FakeClient(list(replies)), get_format(format_id))
        return [event async for event in run(wanted, FakeTools(), RequiredOnly())]

    return asyncio.run(main())


def weather_case(*cities: str, no_call: bool = False) -> Case:
    """The case that the script answers: one call for one of these cities (Rome), or none."""
    city = ExpectedArgument(cities or ("Rome",))
    calls = () if no_call else (ExpectedCall("get_weather", {"city": city}),)
    return Case(
        "weather", "Weather", (Message("user", "Weather in Rome?"),), (ToolSetup(WEATHER), ToolSetup(READ_FILE)),
        expectation=Expectation(calls, no_call=no_call),
    )  # fmt: skip


def exported(*replies: Reply, case: Case | None = None, format_id: str = "qwen_xml") -> ExportedRun:
    """The run of these replies, ready to be exported."""
    return exported_run(
        events(*replies, format_id=format_id), RequiredOnly(), case, "the case of a test" if case else ""
    )
