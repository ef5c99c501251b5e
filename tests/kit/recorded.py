"""Recorded replies played through the real engine and judged, for tests of grading and of imports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from workbench.app.importing import play
from workbench.core.batch import CaseVerdict
from workbench.core.case import Case, Expectation, ExpectedCall
from workbench.core.events import RunEvent
from workbench.core.masking import Secrets
from workbench.core.messages import Message
from workbench.core.run_summary import RunSummary, summarize
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.imports.recorded import RecordedReply, reply_body
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
WEATHER = ToolSpec(
    "get_weather",
    "Weather",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "warm": {"type": "boolean"}},
        "required": ["city"],
    },
)


def expecting(*calls: ExpectedCall, tool: ToolSpec = WEATHER, **more: Any) -> Case:
    """A case over one tool."""
    setups = (ToolSetup(tool, ToolMode.RECORD),)
    return Case("c", "c", (Message("user", "?"),), setups, expectation=Expectation(calls, **more))


def replied(case: Case, said: str | Sequence[tuple[str, Any]], form: str = "", **more: Any) -> RecordedReply:
    """A reply in text, or with structured calls of name and arguments."""
    text, calls = (said, ()) if isinstance(said, str) else ("", said)
    chosen = form or ("pythonic" if text else "native_openai")
    reply = RecordedReply("test, line 1", case, "m", reply_body("m", text, calls), text=text, format=chosen)
    return replace(reply, structured=bool(calls), **more)


def judged(case: Case, said: str | Sequence[tuple[str, Any]], form: str = "", **more: Any) -> CaseVerdict:
    """The verdict on such a reply."""
    return events_of(replied(case, said, form, **more))[1]


def run_of(case: Case, said: str | Sequence[tuple[str, Any]], form: str = "", **more: Any) -> RunSummary:
    """The run of such a reply."""
    return summarize(events_of(replied(case, said, form, **more))[0])


def events_of(reply: RecordedReply) -> tuple[list[RunEvent], CaseVerdict]:
    """Play one."""
    return asyncio.run(play(reply, CHECK, Secrets()))
